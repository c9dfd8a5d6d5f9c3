"""Random tables to write, and what the messages written to them mean."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    from tests.random.relation import Relation
    from tests.random.tables import Column, Row


@dataclass(frozen=True)
class Written:
    """One message of the sink, and the task that wrote it."""

    key: str | None
    value: str | None
    task: int = 0


@dataclass(frozen=True)
class Sink:
    """A table of changes, or with a key one of upserts."""

    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()

    def ddl(self, options: str) -> str:
        parts = [f"{column.name} {column.type}" for column in self.columns]
        if not self.key:
            format_ = "'connector' = 'kafka', 'format' = 'debezium-json'"
        else:
            parts.append(f"PRIMARY KEY ({', '.join(self.key)}) NOT ENFORCED")
            format_ = "'connector' = 'upsert-kafka', 'key.format' = 'json', 'value.format' = 'json'"
        columns = ", ".join(parts)
        return f"CREATE TABLE sink ({columns}) WITH ({format_}, {options});"

    def problem(self, found: Counter[Row], expected: Counter[Row]) -> str:
        """What is wrong with the table that was found; nothing if it is the expected one.

        Where rows share a key of the sink, one of them stays, whichever came last.
        """
        if not self.key:
            return _difference(found, expected)
        # The sink is told to leave out rows without a key.
        rows = [row for row in expected if None not in self._key_of(row)]
        once = Counter({self._key_of(row): 1 for row in rows})
        keys = Counter(self._key_of(row) for row in found)
        if keys != once:
            return f"keys: {_difference(keys, once)}"
        return _difference(Counter(set(found) - set(rows)), Counter())

    def _key_of(self, row: Row) -> Row:
        return tuple(
            value
            for column, value in zip(self.columns, row, strict=True)
            if column.name in self.key
        )

    def fold(self, table: Counter[Row], batch: Iterable[Written], *, appends: bool) -> None:
        """Apply the messages of one batch; of rows that only come any may be the last of a key."""
        if self.key:
            self._upsert(table, list(batch), appends=appends)
        else:
            self._retract(table, batch)

    def _upsert(self, table: Counter[Row], batch: list[Written], *, appends: bool) -> None:
        tasks: dict[Row, int] = {}
        for message in batch:
            named = json.loads(message.key or "{}")
            key = tuple(named[column.name] for column in self.columns if column.name in self.key)
            task = tasks.setdefault(key, message.task)
            assert appends or task == message.task, f"{key} in two tasks"
            for row in [row for row in table if self._key_of(row) == key]:
                del table[row]
            if message.value is not None:
                table[self._row(json.loads(message.value))] = 1

    def _retract(self, table: Counter[Row], batch: Iterable[Written]) -> None:
        for message in batch:
            told = json.loads(message.value or "{}")
            if told["op"] == "c":
                table[self._row(told["after"])] += 1
            else:
                table[self._row(told["before"])] -= 1
        for row in [row for row, times in table.items() if times == 0]:
            del table[row]
        assert all(times > 0 for times in table.values()), f"taken back, but never there: {table}"

    def _row(self, named: dict[str, Any]) -> Row:
        return tuple(named[column.name] for column in self.columns)


def random_sink(choice: random.Random, query: Relation) -> Sink:
    """Of changes, or of upserts by the key of the query or by another one."""
    shape = choice.random()
    if shape < 0.4:
        return Sink(query.columns)
    if shape < 0.8 and query.key:
        return Sink(query.columns, query.key)
    count = min(len(query.columns), choice.choice((1, 1, 2)))
    return Sink(query.columns, tuple(c.name for c in choice.sample(query.columns, count)))


def _difference(found: Counter[Row], expected: Counter[Row]) -> str:
    missing, added = expected - found, found - expected
    parts = [f"missing {dict(missing)}"] * bool(missing) + [f"added {dict(added)}"] * bool(added)
    return ", ".join(parts)
