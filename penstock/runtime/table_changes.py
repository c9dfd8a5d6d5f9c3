"""What steps do to the rows of one table at rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.connectors.merge_rules import merges
from penstock.plan.steps import (
    ChangeColumns,
    CompactTable,
    EmptyTable,
    MakeTable,
    MutateRows,
    RemoveTable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyspark.sql import SparkSession

    from penstock.plan.steps import Action
    from penstock.spark.delta import StoredTable


def change_table(session: SparkSession, action: Action) -> None:
    """Carry out one of `_CHANGES`."""
    from penstock.spark.delta import StoredTable

    table = StoredTable(session, action.table.path)  # type: ignore[union-attr]
    _CHANGES[type(action)](table, action)


def _change_columns(table: StoredTable, action: ChangeColumns) -> None:
    """Each change is a commit: what is there of an ALTER that broke off is not done again."""
    if action.lifetime_s is not None:
        table.keep_files(action.lifetime_s)
    if action.rewritten:
        is_told = dict(action.before) != dict(action.table.schema)
        if not is_told or not table.has_columns(action.table.schema):
            table.rewrite(action.rewritten, numbered=merges(action.table.engine))
        return
    moved, added = left_to_do(action, table.columns)
    for old, new in moved:
        table.rename_column(old, new) if new else table.drop_column(old)
    if added:
        table.add_columns(added)


def left_to_do(
    action: ChangeColumns, columns: Iterable[str]
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """What of an ALTER is still to be moved and to be added in a table that has these columns."""
    states = [{name for name, _ in action.before}]
    for old, new in action.moved:
        states.append((states[-1] - {old}) | ({new} if new else set()))
    states.append(states[-1] | {name for name, _ in action.added})
    there = set(columns) & set().union(*states)
    done = states.index(there) if there in states else 0
    return action.moved[done:], action.added if done <= len(action.moved) else ()


def _compact(table: StoredTable, action: CompactTable) -> None:
    if action.order is None:
        table.compact(action.partition)
    else:
        table.rewrite_sorted(action.order, rule=action.merge, partition=action.partition)


_CHANGES: dict[type, Callable[[StoredTable, Any], None]] = {
    MakeTable: lambda table, action: table.create(
        action.table.schema,
        lifetime_s=action.lifetime_s,
        indexed=action.table.key_columns,
        numbered=merges(action.table.engine),
        partitioned=action.table.is_partitioned,
    ),
    RemoveTable: lambda table, action: table.remove(),
    EmptyTable: lambda table, action: table.empty(action.partition),
    CompactTable: _compact,
    MutateRows: lambda table, action: table.mutate(
        action.gone, action.columns, partition=action.partition
    ),
    ChangeColumns: _change_columns,
}
