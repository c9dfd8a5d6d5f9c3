"""What steps do to the rows of one table at rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.connectors.merge_rules import merges
from penstock.plan.steps import (
    ChangeColumns,
    CompactTable,
    EmptyTable,
    ExpireRows,
    MakeTable,
    RemoveTable,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from penstock.plan.steps import Action
    from penstock.spark.delta import StoredTable


def change_table(session: SparkSession, action: Action) -> None:
    """Carry out one of `_CHANGES`."""
    from penstock.spark.delta import StoredTable

    table = StoredTable(session, action.table.path)  # type: ignore[union-attr]
    _CHANGES[type(action)](table, action)


def _change_columns(table: StoredTable, action: ChangeColumns) -> None:
    if action.rewritten:
        table.rewrite(action.rewritten)
        return
    for old, new in action.renamed:
        table.rename_column(old, new)
    if action.dropped:
        table.drop_columns(action.dropped)
    if action.added:
        table.add_columns(action.added)


def _compact(table: StoredTable, action: CompactTable) -> None:
    if action.order is None:
        table.compact(action.partition)
    else:
        table.rewrite_sorted(action.order, rule=action.merge, partition=action.partition)


_CHANGES: dict[type, Callable[[StoredTable, Any], None]] = {
    MakeTable: lambda table, action: table.create(
        action.table.schema,
        numbered=merges(action.table.engine),
        partitioned=action.table.is_partitioned,
    ),
    RemoveTable: lambda table, action: table.remove(),
    EmptyTable: lambda table, action: table.empty(action.partition),
    CompactTable: _compact,
    ExpireRows: lambda table, action: table.expire(
        action.gone, action.columns, partition=action.partition
    ),
    ChangeColumns: _change_columns,
}
