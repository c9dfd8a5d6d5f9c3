"""Scripts over fresh topics of the real broker, and what a SELECT of theirs gives."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

from penstock import Session
from penstock.formats import FORMATS as KNOWN

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

FORMATS = [name for name in ("json", "csv", "avro") if name in KNOWN]
EARLIEST = "'scan.startup.mode' = 'earliest-offset'"
TO_LATEST = f"{EARLIEST}, 'scan.bounded.mode' = 'latest-offset'"
WAIT_S = 90


class Tables:
    """Tables of one test; each script runs as a job of its own."""

    def __init__(self, spark: SparkSession, address: str, folder: Path) -> None:
        self.address = address
        self.properties = {"bootstrap.servers": address}
        self._spark = spark
        self._folder = folder
        self._ddl: list[str] = []

    def create(self, name: str, columns: str, options: str) -> None:
        """A Kafka table; `options` are those beside connector and brokers."""
        self._ddl.append(
            f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'kafka', "
            f"'properties.bootstrap.servers' = 'x:1', {options});"
        )

    def statement(self, text: str) -> None:
        """Something else that a script begins with."""
        self._ddl.append(text)

    def run(self, statements: str, *, drain: bool = False, **settings: str) -> None:
        """Run statements over the tables until they have ended."""
        job = self._session({}).execute(
            "".join(self._ddl) + statements, name=_name(), settings=settings, drain=drain
        )
        assert job.wait(WAIT_S)

    def rows(
        self, select: str, columns: str, *, drain: bool = False, **settings: str
    ) -> list[dict[str, Any]]:
        """The rows of a query, in the order in which they came."""
        file = self._folder / f"{_name()}.jsonl"
        text = (
            f"{''.join(self._ddl)} CREATE TABLE found ({columns}) WITH ('connector' = 'print');"
            f"INSERT INTO found {select};"
        )
        job = self._session({"found": str(file)}).execute(
            text, name=_name(), settings=settings, drain=drain
        )
        assert job.wait(WAIT_S)
        lines = file.read_text().splitlines() if file.exists() else []
        return [json.loads(line) for line in lines]

    def _session(self, bindings: dict[str, str]) -> Session:
        return Session(
            self._spark,
            bootstrap=self.address,
            bindings=bindings,
            state_dir=self._folder / "state",
        )


def _name() -> str:
    return f"job_{uuid.uuid4().hex[:8]}"
