"""Where tables at rest have their rows, and Kafka tables the files that they name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.catalog.warehouse import new_folder
from penstock.connectors import CONNECTORS

if TYPE_CHECKING:
    from penstock.model.table import Table
    from penstock.plan.planning import Planning


def with_folder(planning: Planning, table: Table) -> Table:
    """A table at rest gets a folder of the warehouse, if there is one.

    Any other one remembers where it was created, as its statements may come from elsewhere later.
    """
    connector = CONNECTORS.get(table.option("connector") or "")
    if planning.kept.warehouse is None or connector is None:
        return table
    if not connector.AT_REST:
        folders = planning.catalog.folders
        return replace(table, home=str(Path(folders[0]).absolute())) if folders else table
    return replace(table, folder=new_folder(planning.catalog.path(table.name).shown))
