"""Scripts over one warehouse that are planned, not run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.catalog.catalog import Overrides
from penstock.catalog.warehouse import Warehouse
from penstock.errors import PenstockError
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from pathlib import Path

    from penstock.plan.query import ScriptPlan

QUEUE = """CREATE TABLE queue (n Int64, s Enum8('a' = 1, 'it\\'s' = 2)) ENGINE = Kafka
SETTINGS kafka_broker_list = 'h:9092', kafka_topic_list = 't', kafka_group_name = 'g',
kafka_format = 'JSONEachRow', kafka_sasl_password = 'secret', kafka_max_block_size = 10;
"""
KEPT = """CREATE TABLE kept (n Int64, s String DEFAULT 'x', m Int64 MATERIALIZED n + 1,
a Int64 ALIAS n * 2) ENGINE = ReplacingMergeTree(n) PARTITION BY n % 10 ORDER BY (s, n)
SETTINGS index_granularity = 8192 COMMENT 'all of them';
"""
VIEW = "CREATE MATERIALIZED VIEW v TO kept AS SELECT n, s FROM queue;\n"


class Scripts:
    """Scripts over one warehouse, none of them run: what they would leave is written."""

    def __init__(self, folder: Path) -> None:
        self.warehouse = Warehouse(folder / "w")
        self.overrides = Overrides(warehouse=str(self.warehouse.path))

    def plan(self, script: str, *, keeps: bool = False) -> ScriptPlan:
        parsed = parse(script, "clickhouse")
        return plan_script(parsed, name="job", overrides=self.overrides, keeps=keeps)

    def run(self, script: str) -> list[str]:
        steps = self.plan(script).steps
        self.warehouse.write(steps[-1].definitions)
        return [type(step.action).__name__ for step in steps]

    def changes(self, script: str) -> list[str]:
        """What a script does to tables, without the keeping of definitions."""
        return [name for name in self.run(script) if name != "Keep"]

    def refused(self, script: str, *, keeps: bool = False) -> str:
        with pytest.raises(PenstockError) as caught:
            self.plan(script, keeps=keeps)
        return f"{caught.value.code}: {caught.value}"
