"""Scripts over `upsert-kafka` tables on the real broker, and the tables that their topics make."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

from penstock import Session
from penstock.kafka.records import consume, produce
from tests.envelopes import record_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.record import Record
    from penstock.runtime.job import Job

WAIT_S = 150
JSON = {"key.format": "json", "value.format": "json"}


class Upserts:
    """Tables of one test, and the jobs over them."""

    def __init__(self, spark: SparkSession, address: str, folder: Path) -> None:
        self.properties = {"bootstrap.servers": address}
        self.folder = folder
        self._session = Session(spark, bootstrap=address, state_dir=folder)
        self._ddl: list[str] = []

    def create(self, name: str, columns: str, topic: str, **options: str) -> None:
        """A table; in the names of options `__` stands for a dot and `_` for a hyphen."""
        given = {key.replace("__", ".").replace("_", "-"): value for key, value in options.items()}
        chosen = {"connector": "upsert-kafka", "topic": topic, **given}
        if chosen["connector"] == "upsert-kafka":
            chosen = {**JSON, **chosen}
        listed = "".join(f", '{key}' = '{value}'" for key, value in chosen.items())
        self._ddl.append(
            f"CREATE TABLE {name} ({columns}) "
            f"WITH ('properties.bootstrap.servers' = 'x:1'{listed});"
        )

    def statement(self, text: str) -> None:
        """Something else that the scripts begin with."""
        self._ddl.append(text)

    @property
    def script(self) -> str:
        """The tables."""
        return "".join(self._ddl)

    def start(self, statements: str, *, drain: bool = True, name: str = "", **settings: str) -> Job:
        """A job; the same name goes on where it ended."""
        return self._session.execute(
            self.script + statements,
            name=name or f"job_{uuid.uuid4().hex[:8]}",
            settings={key.replace("__", ".").replace("_", "-"): v for key, v in settings.items()},
            drain=drain,
        )

    def run(self, statements: str, **options: Any) -> None:
        assert self.start(statements, **options).wait(WAIT_S)

    def send(self, topic: str, lines: Iterable[object]) -> None:
        """Messages as the lines of a case have them."""
        produce(self.properties, topic, [record_of(line) for line in lines])

    def records(self, topic: str, isolation: str = "read_committed") -> list[Record]:
        properties = {**self.properties, "isolation.level": isolation}
        return list(consume(properties, topic, from_beginning=True, until_end=True))

    def table(self, topic: str) -> dict[Any, Any]:
        """The last value of each key of a topic of JSON; keys as tuples of what they hold."""
        return folded(self.records(topic))


def folded(records: Iterable[Record]) -> dict[Any, Any]:
    """The table that messages make: the last of each key, without those that are deleted."""
    found: dict[Any, Any] = {}
    for record in records:
        key = tuple(json.loads(record.key or b"{}").values())
        found.pop(key, None)
        if record.value is not None:
            found[key] = json.loads(record.value)
    return found
