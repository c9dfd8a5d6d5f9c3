"""A case on the real broker: its topics, its job, what it wrote as the case writes it."""

from __future__ import annotations

import base64
import json
import random
from typing import TYPE_CHECKING

from penstock import Session
from penstock.kafka import admin
from penstock.kafka.records import consume, produce
from tests.case_files import Case, load_cases, load_examples, with_topics
from tests.envelopes import BASE64, record_of

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.record import Record
    from penstock.runtime.job import Job

RUNNING = [*(case for case in load_cases(failing=False) if case.lines("out")), *load_examples()]
BATCH_LIMIT_S = 120


class Run:
    """One case on fresh topics."""

    def __init__(self, case: Case, spark: SparkSession, address: str, state_dir: Path) -> None:
        self.case = case
        self.prefix = f"{case.path.stem}_{random.randrange(16**8):08x}_"
        self.properties = {"bootstrap.servers": address}
        self.session = Session(spark, bootstrap=address, state_dir=state_dir)
        self.state_dir = state_dir
        for topic, lines in case.lines("in").items():
            admin.create_topic(self.properties, self.prefix + topic, partitions=case.partitions)
            produce(self.properties, self.prefix + topic, [record_of(line) for line in lines])
        for topic in case.lines("out"):
            admin.create_topic(self.properties, self.prefix + topic, partitions=1)

    def start(self, *, drain: bool, settings: dict[str, str] | None = None) -> Job:
        return self.session.execute(
            with_topics(self.case.text, self.prefix),
            name=self.prefix,
            settings={**self.case.settings, **(settings or {})},
            drain=drain,
        )

    def records(self, topic: str) -> list[Record]:
        name = self.prefix + topic
        return list(consume(self.properties, name, from_beginning=True, until_end=True))

    def output(self, topic: str) -> list[tuple[str | None, str]]:
        records = self.records(topic)
        text = _base64 if _is_binary(self.expected(topic)) else _text
        return [(_text(r.key), text(r.value) or "") for r in records]

    def expected(self, topic: str) -> list[object]:
        return self.case.lines("out")[topic]

    def commits(self) -> list[Path]:
        """Committed batches of the first query, oldest first."""
        return next(iter(self.all_commits()), [])

    def all_commits(self) -> list[list[Path]]:
        """The same of every query."""
        folders = [p for p in self.state_dir.rglob("commits") if p.parent.name == "checkpoint"]
        return [
            sorted(folder.glob("[0-9]*"), key=lambda file: int(file.name))
            for folder in sorted(folders)
        ]


def check_folded(run: Run) -> None:
    """The table that the messages make is the expected one."""
    for topic, expected in run.case.lines("out").items():
        table: dict[str, str] = {}
        for record in run.records(topic):
            key = canonical(_loaded(record.key))
            if record.value is None:
                # A batch that was written before a crash is written once more.
                table.pop(key, None)
            else:
                table[key] = canonical(_loaded(record.value))
        wanted = {canonical(line["key"]): canonical(line["value"]) for line in expected}  # type: ignore[index]
        assert table == wanted


def _loaded(value: bytes | None) -> object:
    """JSON as what it means, other bytes as a line of a case writes them."""
    try:
        return json.loads(value or b"null", parse_float=str)
    except ValueError:
        return json.loads(_base64(value) or "null")


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def _base64(value: bytes | None) -> str | None:
    return None if value is None else json.dumps({BASE64: base64.b64encode(value).decode()})


def _is_binary(expected: list[object]) -> bool:
    return any(isinstance(line, dict) and BASE64 in line for line in expected)


def comparable(found: list[tuple[str | None, str]], expected: list[object]) -> list[str]:
    """Output in the form of the expected lines: text stays text, JSON loses its spelling."""
    keyed = any(_is_keyed(line) for line in expected)
    as_text = any(isinstance(_value(line), str) for line in expected)
    lines = []
    for key, value in found:
        shown: object = value if as_text else json.loads(value or "null", parse_float=str)
        if keyed:
            shown = {"key": None if key is None else json.loads(key), "value": shown}
        lines.append(canonical(shown))
    return lines


def _is_keyed(line: object) -> bool:
    return isinstance(line, dict) and set(line) == {"key", "value"}


def _value(line: object) -> object:
    return line["value"] if isinstance(line, dict) and _is_keyed(line) else line


def canonical(line: object) -> str:
    return json.dumps(line, sort_keys=True, default=str)
