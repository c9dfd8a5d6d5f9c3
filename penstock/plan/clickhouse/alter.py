"""ALTER TABLE of a table at rest → what becomes of the rows it has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.plan.clickhouse.insert import filled
from penstock.plan.scope import Field
from penstock.plan.steps import ChangeColumns
from penstock.plan.walk import scans
from penstock.sql.actions import AddColumn, DropColumn, ModifyColumn, RenameColumn

if TYPE_CHECKING:
    from penstock.connectors.merge_tree import MergeTree
    from penstock.model.table import Column, Table
    from penstock.plan.planning import Planning
    from penstock.sql.actions import Action
    from penstock.sql.statements import AlterTable


def check_alter(planning: Planning, statement: AlterTable, table: Table) -> AlterTable:
    """The statement without what need not be done; refuse what rows at rest cannot follow."""
    names = {column.name for column in table.columns}
    actions = tuple(action for action in statement.actions if not _needless(action, names))
    readers = [
        query.id
        for query in planning.queries
        if query.id in planning.views and table.name in {s.table for s in scans(query.input)}
    ]
    for action in actions:
        if isinstance(action, AddColumn):
            continue
        changed = _changed(action)
        if changed and _is_key(table, changed):
            raise _refused(statement, f"The column `{changed}` is part of a key of `{table.name}`.")
        if changed and readers:
            raise _refused(
                statement,
                f"The materialized view `{readers[0]}` reads `{table.name}`.",
                f"DROP VIEW {readers[0]} first; columns can be added meanwhile.",
            )
    return replace(statement, actions=actions)


def _needless(action: Action, names: set[str]) -> bool:
    if isinstance(action, AddColumn):
        return action.if_not_exists and action.column.name in names
    if isinstance(action, DropColumn | ModifyColumn | RenameColumn):
        return action.if_exists and _changed(action) not in names
    return False


def _changed(action: Action) -> str:
    """The column that an action changes in rows that are there; "" if none."""
    if isinstance(action, DropColumn):
        return action.name
    if isinstance(action, RenameColumn):
        return action.old
    return action.column.name if isinstance(action, ModifyColumn) else ""


def _is_key(table: Table, name: str) -> bool:
    keys = ("order_by", "primary_key", "partition_by", "sample_by")
    written = " ".join(table.option(key) or "" for key in keys)
    words = written.replace("(", " ").replace(")", " ").replace(",", " ").replace("`", " ").split()
    return name in words


def _refused(statement: AlterTable, problem: str, instead: str = "") -> PlanError:
    return PlanError("INVALID_QUERY", span=statement.span, problem=problem, instead=instead)


def with_added(table: Table, statement: AlterTable) -> Table:
    """The table after ALTER, its new columns marked: older rows have no value of theirs."""
    new = {action.column.name for action in statement.actions if isinstance(action, AddColumn)}
    columns = tuple(replace(c, added=True) if c.name in new else c for c in table.columns)
    return replace(table, columns=columns)


def altered(
    planning: Planning, statement: AlterTable, before: MergeTree, after: MergeTree
) -> ChangeColumns:
    """What is to be done to the rows of a table."""
    names = {column.name: column.name for column in before.table.columns}
    dropped: list[str] = []
    renamed: list[tuple[str, str]] = []
    for action in statement.actions:
        if isinstance(action, DropColumn) and action.name in names:
            dropped.append(names.pop(action.name))
        elif isinstance(action, RenameColumn) and action.old in names:
            renamed.append((action.old, action.new))
            names[action.new] = names.pop(action.old)
    known = {name for name, _ in before.target.schema}
    added = tuple((name, sql) for name, sql in after.target.schema if names.get(name) not in known)
    if not _needs_rewrite(before.table, after.table, names):
        return ChangeColumns(after.target, tuple(renamed), tuple(dropped), added)
    read = {name: (sql, type_) for name, sql, type_ in before.scan().columns}
    given = {
        name: Field(name, read[old][1], read[old][0]) for name, old in names.items() if old in read
    }
    columns = filled(after.table, given, planning.language, statement.span)
    return ChangeColumns(after.target, rewritten=columns)


def _needs_rewrite(before: Table, after: Table, names: dict[str, str]) -> bool:
    """Whether rows that are there get other values than the defaults of types."""
    old = {column.name: column for column in before.columns}
    return any(
        _is_stored(column)
        and (
            column.default is not None
            if column.name not in names
            else column.type != old[names[column.name]].type
        )
        for column in after.columns
    )


def _is_stored(column: Column) -> bool:
    return column.kind == "physical" and column.default_kind != "EPHEMERAL"
