"""CREATE, ALTER and DROP of tables and views."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.catalog.alter import alter
from penstock.catalog.like import like
from penstock.errors import PlanError
from penstock.model.table import Column
from penstock.plan.build import build
from penstock.plan.scan import scan
from penstock.plan.statements.queries import plan_insert
from penstock.sql.actions import RenameTo
from penstock.sql.statements import Insert

if TYPE_CHECKING:
    from penstock.connectors.base import Connector
    from penstock.model.table import Table
    from penstock.plan.planning import Planning
    from penstock.sql.statements import AlterTable, AlterView, CreateTable, CreateView, Drop


def create_table(planning: Planning, statement: CreateTable) -> None:
    """A table; with AS its columns come from the query, which then fills it."""
    names: tuple[str, ...] = ()
    table = statement.table
    if statement.like:
        base = planning.catalog.table(statement.like.table, statement.like.span).table
        table = like(table, base, statement.like)
    if statement.query is not None:
        table, names = _columns_of_query(planning, statement)
    if not table.columns:
        raise PlanError(
            "INVALID_QUERY",
            span=table.span,
            problem=f"Table `{table.name}` has no column.",
            instead="List the columns: CREATE TABLE t (a INT, …) WITH (…).",
        )
    connector = planning.catalog.create_table(
        table, if_not_exists=statement.if_not_exists, temporary=statement.temporary
    )
    if connector is None:
        return
    _check(planning, connector)
    if statement.query is not None:
        filled = Insert(table.name, names, statement.query, statement.text, statement.span)  # type: ignore[arg-type]
        plan_insert(planning, filled)


def _check(planning: Planning, connector: Connector) -> None:
    """Planned once for its mistakes: columns, metadata keys, the watermark."""
    for text, span in connector.notes:
        planning.note(f"table `{connector.table.name}`: {text}", span)
    if connector.IS_SOURCE:
        scan(connector, planning.language)


def _columns_of_query(planning: Planning, statement: CreateTable) -> tuple[Table, tuple[str, ...]]:
    """Declared columns that the query does not give, then the query's; a declared type wins."""
    table = statement.table
    given = build(statement.query, planning.catalog, planning.language).fields  # type: ignore[arg-type]
    own = {column.name: column for column in table.columns}
    names = [field.name for field in given]
    if statement.column_names and sorted(statement.column_names) != sorted(names):
        raise PlanError(
            "INVALID_QUERY",
            span=table.span,
            problem=f"The columns ({', '.join(statement.column_names)}) are not those of the query "
            f"({', '.join(names)}).",
            instead="Name each column of the query once.",
        )
    columns = {
        field.name: own.get(field.name) or Column(field.name, "physical", field.type, table.span)
        for field in given
    }
    order = statement.column_names or tuple(columns)
    added = tuple(column for column in table.columns if column.name not in columns)
    return replace(table, columns=(*added, *(columns[name] for name in order))), tuple(names)


def create_view(planning: Planning, statement: CreateView) -> None:
    """A view; planned once for its mistakes."""
    node = build(statement.query, planning.catalog, planning.language)
    if statement.columns and len(statement.columns) != len(node.fields):
        raise PlanError(
            "INVALID_QUERY",
            span=statement.span,
            problem=f"View `{statement.name}` names {len(statement.columns)} columns, its query "
            f"gives {len(node.fields)}.",
            instead="",
        )
    planning.catalog.create_view(statement)


def drop(planning: Planning, statement: Drop) -> None:
    """Forget a table or view."""
    planning.catalog.drop(statement)


def alter_table(planning: Planning, statement: AlterTable) -> None:
    """Change what a table declares; statements before it keep what they saw."""
    catalog, name = planning.catalog, statement.name
    if statement.if_exists and catalog.entries_at(catalog.path(name)) is None:
        return
    table = catalog.table(name, statement.span).table
    for action in statement.actions:
        if isinstance(action, RenameTo):
            catalog.rename(name, action.name, statement.span)
            return
        table = alter(table, action)
    connector = catalog.replace_table(name, table, statement.span)
    _check(planning, connector)


def alter_view(planning: Planning, statement: AlterView) -> None:
    """Give a view another name or another query."""
    view = planning.catalog.view(statement.name)
    if view is None:
        table = planning.catalog.table(statement.name, statement.span).table
        raise PlanError(
            "INVALID_QUERY",
            span=statement.span,
            problem=f"`{table.name}` is a table, not a view.",
            instead="Write ALTER TABLE.",
        )
    if statement.query is None:
        planning.catalog.rename(statement.name, statement.rename, statement.span)
        return
    build(statement.query, planning.catalog, planning.language)
    changed = replace(view, query=statement.query, columns=())
    planning.catalog.replace_view(statement.name, changed, statement.span)
