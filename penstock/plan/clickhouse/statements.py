"""What ClickHouse's statements do to the catalog and to the queries of the job."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.clickhouse_kafka import ClickHouseKafka
from penstock.errors import PlanError
from penstock.plan.clickhouse import queries
from penstock.plan.clickhouse.alter import check_alter, with_added
from penstock.plan.clickhouse.collections import (
    alter_collection,
    create_collection,
    drop_collection,
    with_collection,
)
from penstock.plan.clickhouse.folders import with_folder
from penstock.plan.clickhouse.rewrite import rewrite
from penstock.plan.clickhouse.settings import check_settings
from penstock.plan.clickhouse.show import describe, exists, show
from penstock.plan.clickhouse.views import (
    alter_view,
    create_materialized_view,
    forget,
    is_view,
    query_columns,
    refresh,
)
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.scope import Field, Scope
from penstock.plan.statements import databases, tables
from penstock.sql.clickhouse.statements import (
    AlterCollection,
    Attach,
    CreateCollection,
    CreateMaterializedView,
    CreateTableAs,
    Detach,
    DropCollection,
    Exists,
    InsertRows,
    Optimize,
    RenameTables,
    SetSettings,
    System,
    Truncate,
)
from penstock.sql.statements import (
    AlterTable,
    AlterView,
    CreateTable,
    CreateView,
    Describe,
    Drop,
    DropDatabase,
    Explain,
    Insert,
    Select,
    Show,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.span import Span
    from penstock.model.table import Table
    from penstock.plan.planning import Planning


def create_table(planning: Planning, statement: CreateTable) -> None:
    """A table; a column without a type has that of its DEFAULT."""
    table = with_folder(planning, _typed(planning, with_collection(planning, statement.table)))
    is_view(planning, table.name, table.span, may_be=statement.if_not_exists)
    tables.create_table(planning, replace(statement, table=table))
    refresh(planning)


def create_table_as(planning: Planning, statement: CreateTableAs) -> None:
    """A table like another one, or one that a query fills."""
    table, catalog = statement.table, planning.catalog
    if statement.query is None:
        other = catalog.table(statement.source, statement.span).table
        columns = tuple(column for column in other.columns if column.kind != "metadata")
        table = replace(
            table, columns=table.columns or columns, options=table.options or other.options
        )
        create_table(planning, CreateTable(table, statement.if_not_exists, statement.span))
        return
    if statement.if_not_exists and catalog.entries_at(catalog.path(table.name)) is not None:
        return
    if not table.columns:
        table = replace(table, columns=query_columns(planning, statement.query))
    create_table(planning, CreateTable(table, statement.if_not_exists, statement.span))
    insert = Insert(table.name, (), statement.query, statement.text, statement.span)
    queries.plan_insert(planning, insert)


def create_view(planning: Planning, statement: CreateView) -> None:
    """A view; its query is kept in the words of the planner."""
    query = rewrite(statement.query, planning.catalog)
    tables.create_view(planning, replace(statement, query=query))


def drop(planning: Planning, statement: Drop) -> None:
    """Forget a table, a view or a materialized view; views on a dropped table wait for it."""
    name = planning.catalog.path(statement.name, statement.span).shown
    view = forget(planning, name)
    if view is None or view.table is not None:
        kind = statement.kind if view is None else "TABLE"
        planning.catalog.drop(replace(statement, kind=kind))
    planning.stopped.discard(name)
    refresh(planning)


def drop_database(planning: Planning, statement: DropDatabase) -> None:
    """Forget a database with everything in it."""
    for name in [n for n in planning.views if n.startswith(f"{statement.name}.")]:
        forget(planning, name)
    space = planning.catalog.namespace
    if space.database == statement.name:
        space.database = space.defaults[space.catalog]
    databases.drop_database(planning, statement)
    refresh(planning)


def alter_table(planning: Planning, statement: AlterTable) -> None:
    """Change a table's columns; a Kafka table keeps those it was created with."""
    connector = planning.catalog.table(statement.name, statement.span)
    if isinstance(connector, ClickHouseKafka):
        raise PlanError(
            "INVALID_QUERY",
            span=statement.span,
            problem=f"ALTER is not supported by storage Kafka: `{statement.name}`.",
            instead="Drop the table and create it anew; its offsets stay with the group.",
        )
    if connector.AT_REST:
        statement = check_alter(planning, statement, connector.table)
    tables.alter_table(planning, statement)
    if connector.AT_REST:
        table = planning.catalog.table(statement.name, statement.span).table
        planning.catalog.replace_table(statement.name, with_added(table, statement), statement.span)
    refresh(planning)


def detach(planning: Planning, statement: Detach) -> None:
    """Stop what reads from or writes to a table, or a view."""
    name = _known(planning, statement.name, statement.span, if_exists=statement.if_exists)
    if name:
        planning.stopped.add(name)
        refresh(planning)


def attach(planning: Planning, statement: Attach) -> None:
    """Go on where DETACH stopped."""
    name = planning.catalog.path(statement.name, statement.span).shown
    if name not in planning.stopped and not statement.if_not_exists:
        raise PlanError(
            "INVALID_QUERY",
            span=statement.span,
            problem=f"`{name}` is not detached.",
            instead="",
        )
    planning.stopped.discard(name)
    refresh(planning)


def system(planning: Planning, statement: System) -> None:
    """STOP and PAUSE detach a Kafka table, START attaches it."""
    catalog = planning.catalog
    every = [c.table.name for c in catalog.tables if isinstance(c, ClickHouseKafka)]
    chosen = every
    if statement.name:
        known = _known(planning, statement.name, statement.span)
        chosen = [known] if known else []
    if statement.verb in ("STOP", "PAUSE"):
        planning.stopped.update(chosen)
    elif statement.verb == "START":
        planning.stopped.difference_update(chosen)
    else:
        planning.note(f"SYSTEM {statement.verb} has no effect here.", statement.span)
    refresh(planning)


def rename_tables(planning: Planning, statement: RenameTables) -> None:
    """`RENAME TABLE a TO b`."""
    for old, new in statement.pairs:
        planning.catalog.table(old, statement.span)
        planning.catalog.rename(old, new, statement.span)
    refresh(planning)


def upkeep(planning: Planning, statement: Optimize | Truncate) -> None:
    """Work on a table at rest, which `record` takes down."""
    if_exists = isinstance(statement, Truncate) and statement.if_exists
    name = _known(planning, statement.name, statement.span, if_exists=if_exists)
    if name and not planning.catalog.table(name, statement.span).AT_REST:
        raise PlanError(
            "INVALID_QUERY",
            span=statement.span,
            problem=f"`{name}` is no table at rest.",
            instead="",
        )


def set_settings(planning: Planning, statement: SetSettings) -> None:
    """`SET a = 1`."""
    check_settings(statement.values)
    planning.settings.update({value.key: value.value for value in statement.values})


def _known(
    planning: Planning, name: str, span: Span | None, *, if_exists: bool = False
) -> str | None:
    """The full name of a table or materialized view, which must be there."""
    path = planning.catalog.path(name, span)
    if path.shown in planning.views or planning.catalog.entries_at(path) is not None:
        return path.shown
    if if_exists:
        return None
    raise planning.catalog.unknown(path, span)


def _typed(planning: Planning, table: Table) -> Table:
    """The table with the types of columns that only have a DEFAULT."""
    if all(column.type or column.kind == "computed" for column in table.columns):
        return table
    known = tuple(Field(c.name, c.type, c.name) for c in table.columns if c.type)
    compiler = ExpressionCompiler(Scope((("", known),)), planning.language)
    columns = tuple(
        replace(c, type=compiler.compile(c.default).type) if c.default and not c.type else c
        for c in table.columns
    )
    return replace(table, columns=columns)


HANDLERS: dict[type, Callable[..., None]] = {
    AlterCollection: alter_collection,
    AlterTable: alter_table,
    AlterView: alter_view,
    Attach: attach,
    CreateCollection: create_collection,
    CreateMaterializedView: create_materialized_view,
    CreateTable: create_table,
    CreateTableAs: create_table_as,
    CreateView: create_view,
    Describe: describe,
    Detach: detach,
    Drop: drop,
    DropCollection: drop_collection,
    DropDatabase: drop_database,
    Exists: exists,
    Explain: queries.explain,
    Insert: queries.plan_insert,
    InsertRows: queries.plan_rows,
    Optimize: upkeep,
    RenameTables: rename_tables,
    Select: queries.plan_select,
    Show: show,
    SetSettings: set_settings,
    System: system,
    Truncate: upkeep,
}
