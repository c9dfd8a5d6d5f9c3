"""Where tables at rest have their rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.catalog.warehouse import new_folder
from penstock.connectors import CONNECTORS

if TYPE_CHECKING:
    from penstock.model.table import Table
    from penstock.plan.planning import Planning


def with_folder(planning: Planning, table: Table) -> Table:
    """A table at rest gets a folder of the warehouse, if there is one."""
    connector = CONNECTORS.get(table.option("connector") or "")
    if planning.kept.warehouse is None or connector is None or not connector.AT_REST:
        return table
    return replace(table, folder=new_folder(planning.catalog.path(table.name).shown))
