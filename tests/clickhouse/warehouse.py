"""Scripts over one warehouse, without Kafka."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from penstock import Session

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from pyspark.sql import SparkSession

_WAIT_S = 120


class Warehouse:
    """Scripts over one warehouse, and what they show."""

    def __init__(
        self, spark: SparkSession, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.folder = folder / "warehouse.d"
        self._session = Session(spark, state_dir=folder)
        self._capsys = capsys

    def text(self, script: str) -> str:
        self._capsys.readouterr()
        job = self._session.execute(script, dialect="clickhouse", drain=True)
        assert job.wait(_WAIT_S)
        return self.shown()

    def shown(self) -> str:
        """What was answered since it was asked last."""
        return self._capsys.readouterr().out

    def run(self, script: str) -> list[Any]:
        return [json.loads(line) for line in self.text(script).splitlines()]

    def folders(self) -> list[str]:
        return [path.name.rpartition("-")[0] for path in (self.folder / "tables").iterdir()]
