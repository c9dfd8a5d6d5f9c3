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
