"""What ALTER, DELETE, TRUNCATE and OPTIMIZE do to rows at rest: steps, for `record`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.merge_rules import PARTITION, merges
from penstock.connectors.merge_tree import MergeTree
from penstock.plan.clickhouse.alter import altered
from penstock.plan.clickhouse.expiry import changes_ttl, expired
from penstock.plan.clickhouse.kept import view_names
from penstock.plan.clickhouse.keys import merged_by, sorting_order
from penstock.plan.clickhouse.mutations import mutated
from penstock.plan.clickhouse.partition import NONE, named_partition
from penstock.plan.steps import CompactTable, EmptyTable, RemoveOldFiles
from penstock.sql.clickhouse.statements import DropPartition, Mutate, Optimize, Truncate
from penstock.sql.statements import AlterTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.plan.planning import Planning
    from penstock.plan.steps import Action
    from penstock.sql.statements import Statement


def changed_rows(
    planning: Planning, statement: Statement, before: dict[str, MergeTree]
) -> Iterator[Action]:
    """What ALTER, DELETE, TRUNCATE and OPTIMIZE do to the rows of a table."""
    if not isinstance(statement, AlterTable | DropPartition | Mutate | Truncate | Optimize):
        return
    now, name = at_rest(planning), planning.catalog.path(statement.name).shown
    if name not in now or name in planning.catalog.detached:
        return
    if not isinstance(statement, AlterTable):
        yield from _upkeep(planning, statement, now[name])
    elif name in before and statement.actions:
        yield altered(planning, statement, before[name], now[name])
        if changes_ttl(statement):
            yield from _expired(planning, now[name])


def _upkeep(
    planning: Planning, statement: DropPartition | Mutate | Truncate | Optimize, table: MergeTree
) -> Iterator[Action]:
    if isinstance(statement, Truncate):
        yield EmptyTable(table.target)
        return
    if isinstance(statement, Mutate):
        yield from mutated(table, planning.language, statement)
        return
    partition = named_partition(table, planning.language, statement.partition)
    if partition == NONE:
        return
    if isinstance(statement, DropPartition):
        yield EmptyTable(table.target, partition)
        return
    yield from _optimized(planning, statement, table, partition)
    yield RemoveOldFiles(table.target, tuple(sorted(view_names(planning))))


def _optimized(
    planning: Planning, statement: Optimize, table: MergeTree, partition: str | None
) -> Iterator[Action]:
    order = sorting_order(table, planning.language) if statement.final else None
    if not statement.final or not merges(table.target.engine):
        yield from _expired(planning, table, partition)
        yield CompactTable(table.target, order=order, partition=partition)
        return
    # That a row was deleted must stay known, for an older one may yet come.
    columns, name = table.scan().columns, table.table.name
    rule = merged_by(table.merge(statement.span), columns, name, planning.language)
    rule = replace(rule, deleted="", cancels=True)
    if table.target.is_partitioned:
        # FINAL merges rows of all partitions, OPTIMIZE those of each.
        rule = replace(rule, key=(PARTITION, *rule.key))
    yield CompactTable(table.target, rule, order, partition)
    # As in ClickHouse it is the merged row whose time may have come.
    yield from _expired(planning, table, partition)


def _expired(
    planning: Planning, table: MergeTree, partition: str | None = None
) -> Iterator[Action]:
    found = expired(table, planning.language)
    if found:
        yield replace(found, partition=partition)


def at_rest(planning: Planning) -> dict[str, MergeTree]:
    """The tables at rest, by name."""
    tables = planning.catalog.tables
    return {table.table.name: table for table in tables if isinstance(table, MergeTree)}
