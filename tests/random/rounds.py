"""One round: random tables, a random query, a random sink and random interruptions, by a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.random.grammar import Grammar
from tests.random.sinks import Sink, random_sink
from tests.random.tables import Table, random_tables

if TYPE_CHECKING:
    from tests.random.relation import Relation

_MOST_BATCHES = 3
_BROKERS = "'properties.bootstrap.servers' = 'x:1'"


@dataclass(frozen=True)
class Round:
    """All that happens in a round.

    `stop` is the batch before which the query is stopped and started again, `crash` the one that is
    run a second time since nobody noted that it had been written. With `whole` the topics end, and
    are read at once. Spark makes Java code of the query, or interprets it, which is cheaper.
    """

    seed: int
    tables: list[Table]
    query: Relation
    sink: Sink
    batches: int
    tasks: int
    compiled: bool
    stop: int | None = None
    crash: int | None = None
    whole: bool = False

    def script(self, prefix: str = "", sink: str = "") -> str:
        """The round as a script for Flink; names of topics begin with a prefix."""
        bound = ["'scan.bounded.mode' = 'latest-offset'"] if self.whole else []
        statements = [
            "SET 'table.exec.sink.not-null-enforcer' = 'DROP';",
            *(table.ddl(_options(prefix + table.name, *bound)) for table in self.tables),
            self.sink.ddl(_options(f"{prefix}sink", sink)),
            f"INSERT INTO sink {self.query.sql};",
        ]
        return "\n".join(statements)

    def told(self) -> str:
        """The round for a reader: how to run it again, its script, its messages."""
        lines = [f"pytest tests/random --seed {self.seed}", "", self.script(), ""]
        lines.append(
            f"{self.tasks} tasks, compiled: {self.compiled}, stop: {self.stop}, "
            f"crash: {self.crash}, whole: {self.whole}"
        )
        for table in self.tables:
            for number, messages in enumerate(table.batches):
                lines.append(f"{table.name}, batch {number}:")
                lines += [f"  {message.key or ''} {message.value}" for message in messages]
        return "\n".join(lines)


def _options(topic: str, *others: str) -> str:
    return ", ".join(filter(None, (f"'topic' = '{topic}'", _BROKERS, *others)))


def random_round(seed: int) -> Round:
    """The round of a seed."""
    choice = random.Random(seed)
    batches = choice.randint(2, _MOST_BATCHES)
    tables = random_tables(choice, batches)
    query = Grammar(choice, tables).query()
    sink = random_sink(choice, query)
    tasks, compiled = choice.choice((1, 1, 2)), choice.random() < 0.4
    happens = choice.random()
    stop = choice.randrange(1, batches) if happens < 0.25 else None
    crash = choice.randrange(batches) if 0.15 < happens < 0.4 else None
    return Round(
        *(seed, tables, query, sink, batches, tasks, compiled, stop, crash), whole=happens > 0.92
    )
