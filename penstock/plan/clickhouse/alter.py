"""ALTER TABLE of a table at rest → what becomes of the rows it has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.plan.clickhouse.expiry import names_in_ttl
from penstock.plan.clickhouse.insert import filled
from penstock.plan.clickhouse.keys import is_key
from penstock.plan.clickhouse.needs import read_by
from penstock.plan.scope import Field
from penstock.plan.steps import ChangeColumns
from penstock.sql.actions import (
    AddColumn,
    CommentColumn,
    DropColumn,
    ModifyColumn,
    RenameColumn,
    ResetTableOptions,
)

if TYPE_CHECKING:
    from penstock.connectors.merge_tree import MergeTree
    from penstock.model.table import Column, Table
    from penstock.plan.planning import Planning
    from penstock.sql.actions import Action
    from penstock.sql.statements import AlterTable


def check_alter(planning: Planning, statement: AlterTable, table: Table) -> AlterTable:
    """The statement without what need not be done; refuse what rows at rest cannot follow."""
    names = {column.name for column in table.columns}
    needed = (action for action in statement.actions if not _needless(action, names))
    actions = tuple(_completed(action, table) for action in needed)
    _check_renames(statement, actions)
    readers = [name for name in planning.views if table.name in read_by(planning, name)]
    for action in actions:
        if isinstance(action, AddColumn):
            continue
        if isinstance(action, ResetTableOptions) and not _has(table, action):
            raise _refused(statement, f"`{table.name}` has no TTL.")
        changed = _changed(action)
        if changed and is_key(table, changed):
            raise _refused(statement, f"The column `{changed}` is part of a key of `{table.name}`.")
        if isinstance(action, DropColumn | RenameColumn) and names_in_ttl(table, changed):
            raise _refused(statement, f"The TTL of `{table.name}` is made of `{changed}`.")
        if changed and readers:
            is_detached = readers[0] in planning.catalog.detached
            attach = f"ATTACH TABLE {readers[0]} and " if is_detached else ""
            raise _refused(
                statement,
                f"The materialized view `{readers[0]}` reads `{table.name}`.",
                f"{attach}DROP VIEW {readers[0]} first; columns can be added meanwhile.",
            )
    return replace(statement, actions=actions)


def _check_renames(statement: AlterTable, actions: tuple[Action, ...]) -> None:
    """As in ClickHouse: so any number of these changes, and no other, leads to certain columns."""
    renamed = [action for action in actions if isinstance(action, RenameColumn)]
    for at, action in enumerate(renamed):
        if action.old in {earlier.new for earlier in renamed[:at]}:
            problem = f"The column `{action.old}` is renamed twice in one ALTER."
            raise _refused(statement, problem, "Give it its last name at once.")


def _has(table: Table, action: ResetTableOptions) -> bool:
    return "ttl" not in action.keys or bool(table.option("ttl"))


def _needless(action: Action, names: set[str]) -> bool:
    if isinstance(action, AddColumn):
        return action.if_not_exists and action.column.name in names
    if isinstance(action, CommentColumn):
        return action.if_exists and action.name not in names
    if isinstance(action, DropColumn | ModifyColumn | RenameColumn):
        return action.if_exists and _changed(action) not in names
    return False


def _completed(action: Action, table: Table) -> Action:
    """MODIFY COLUMN leaves what it does not say as it is."""
    if not isinstance(action, ModifyColumn):
        return action
    new = action.column
    old = next((column for column in table.columns if column.name == new.name), new)
    new = replace(new, comment=new.comment or old.comment, ttl=new.ttl or old.ttl)
    if new.kind == "physical" == old.kind and new.default is None and not new.default_kind:
        kept = old.default_kind
        new = replace(new, default=old.default, default_kind=kept, hidden=old.hidden)
    return replace(action, column=new)


def _changed(action: Action) -> str:
    """The column that an action changes in rows that are there; "" if none."""
    if isinstance(action, DropColumn):
        return action.name
    if isinstance(action, RenameColumn):
        return action.old
    return action.column.name if isinstance(action, ModifyColumn) else ""


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
    stored = before.target.schema
    names = {column.name: column.name for column in before.table.columns}
    known = {name for name, _ in stored}
    moved: list[tuple[str, str]] = []
    for action in statement.actions:
        old = names.pop(_changed(action), "") if not isinstance(action, ModifyColumn) else ""
        new = action.new if isinstance(action, RenameColumn) else ""
        if old and new:
            names[new] = old
        if old in known:
            moved.append((_changed(action), new))
    added = tuple((name, sql) for name, sql in after.target.schema if names.get(name) not in known)
    lifetime_s = after.lifetime_s if after.lifetime_s != before.lifetime_s else None
    if not _needs_rewrite(before.table, after.table, names):
        return ChangeColumns(after.target, stored, tuple(moved), added, lifetime_s=lifetime_s)
    read = {name: (sql, type_) for name, sql, type_ in before.scan().columns}
    given = {
        name: Field(name, read[old][1], read[old][0]) for name, old in names.items() if old in read
    }
    columns = filled(after.table, given, planning.language, statement.span)
    return ChangeColumns(after.target, stored, rewritten=columns, lifetime_s=lifetime_s)


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
