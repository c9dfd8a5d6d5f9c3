"""What ClickHouse's statements do to the catalog and to the queries of the job."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from penstock.connectors.clickhouse_kafka import ClickHouseKafka
from penstock.errors import OptionError, PlanError
from penstock.plan.clickhouse import queries
from penstock.plan.clickhouse.alter import check_alter, with_added
from penstock.plan.clickhouse.collections import (
    alter_collection,
    create_collection,
    drop_collection,
    with_collection,
)
from penstock.plan.clickhouse.expiry import check_ttl
from penstock.plan.clickhouse.filled import leaves_rows
from penstock.plan.clickhouse.folders import with_folder
from penstock.plan.clickhouse.lifecycle import attach, detach, drop, known, system
from penstock.plan.clickhouse.macros import with_macros
from penstock.plan.clickhouse.partition import check_keys
from penstock.plan.clickhouse.rename import rename_tables
from penstock.plan.clickhouse.rewrite import rewrite
from penstock.plan.clickhouse.settings import (
    check_settings,
    check_table_settings,
    check_view_settings,
    note_settings,
    with_session,
    without_session_settings,
)
from penstock.plan.clickhouse.show import describe, exists, formatted, show
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
from penstock.plan.settings import NO_CONSUMERS_LIMIT
from penstock.plan.statements import databases, tables
from penstock.sql.actions import SetTableOptions
from penstock.sql.clickhouse.statements import (
    AlterCollection,
    Attach,
    CreateCollection,
    CreateMaterializedView,
    CreateTableAs,
    Detach,
    DropCollection,
    DropPartition,
    Exists,
    Formatted,
    InsertRows,
    Mutate,
    Optimize,
    RenameTables,
    Replace,
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

    from penstock.model.table import Table
    from penstock.plan.planning import Planning


# So many consumers are allowed on any machine.
_LEAST_LIMIT = 16


def create_table(planning: Planning, statement: CreateTable) -> None:
    """A table; a column without a type has that of its DEFAULT."""
    given = with_macros(planning, with_collection(planning, statement.table))
    table = _typed(planning, without_session_settings(planning, given))
    table = with_folder(planning, table)
    is_view(planning, table.name, table.span, may_be=statement.if_not_exists)
    tables.create_table(planning, replace(statement, table=table))
    _check_consumers(planning, table, given)
    check_table_settings(planning, table.name, table.options)
    if planning.catalog.path(table.name).shown not in planning.catalog.detached:
        check_ttl(planning, table.name, table.span)
        check_keys(planning, table.name, table.span)
    refresh(planning)


def _check_consumers(planning: Planning, table: Table, given: Table) -> None:
    """ClickHouse's limit of `kafka_num_consumers`, unless it is switched off."""
    said = {option.key: option.value for option in given.options}
    said = {**planning.effective, **said}
    connector = planning.catalog.entries_at(planning.catalog.path(table.name))
    limit = max(os.cpu_count() or 1, _LEAST_LIMIT)
    if not isinstance(connector, ClickHouseKafka):
        return
    wanted = connector.settings["kafka_num_consumers"] or 0
    if wanted > limit and said.get(NO_CONSUMERS_LIMIT, "0") not in ("1", "true"):
        raise OptionError(
            "INVALID_OPTION_VALUE",
            span=table.span,
            table=table.name,
            option="kafka_num_consumers",
            value=str(wanted),
            expected=f"at most {limit} (SET {NO_CONSUMERS_LIMIT} = 1 allows more)",
        )


def create_table_as(
    planning: Planning, statement: CreateTableAs, replaced: Replace | None = None
) -> None:
    """A table like another one, or one that a query fills: also like the one `replaced` by it."""
    table, catalog = statement.table, planning.catalog
    if statement.query is None:
        other = catalog.table(statement.source, statement.span).table
        columns = tuple(column for column in other.columns if column.kind != "metadata")
        table = replace(
            table, columns=table.columns or columns, options=table.options or other.options
        )
        _take_away(planning, replaced)
        create_table(planning, CreateTable(table, statement.if_not_exists, statement.span))
        return
    if statement.if_not_exists and catalog.entry(catalog.path(table.name)) is not None:
        return
    if not table.columns:
        query = with_session(planning, statement.query)
        table = replace(table, columns=query_columns(planning, query))
    asked = queries.asked(planning, statement.query, statement.span)
    _take_away(planning, replaced)
    create_table(planning, CreateTable(table, statement.if_not_exists, statement.span))
    if statement.empty:
        return
    insert = Insert(table.name, (), statement.query, statement.text, statement.span)
    queries.plan_insert(planning, insert, asked)


def replace_created(planning: Planning, statement: Replace) -> None:
    """What is created in the place of what is there; a view that was there goes on as the new one.

    Nobody sees it gone: what changes is kept at once.
    """
    made = statement.made
    if isinstance(made, CreateTableAs):
        create_table_as(planning, made, statement)
    else:
        _take_away(planning, statement)
        HANDLERS[type(made)](planning, made)
    refresh(planning)


def _take_away(planning: Planning, replaced: Replace | None) -> None:
    if replaced is None:
        return
    name, span = replaced.name, replaced.span
    if known(planning, name, span, if_exists=not replaced.must_exist) is None:
        return
    entry = planning.catalog.entries_at(planning.catalog.path(name))
    kind: Literal["TABLE", "VIEW"] = "VIEW" if isinstance(entry, CreateView) else "TABLE"
    drop(planning, Drop(name, True, span, kind=kind))


def create_view(planning: Planning, statement: CreateView) -> None:
    """A view; its query is kept in the words of the planner."""
    if is_view(planning, statement.name, statement.span, may_be=statement.if_not_exists):
        return
    check_view_settings(planning, statement.query, statement.span)
    query = rewrite(statement.query, planning.catalog)
    tables.create_view(planning, replace(statement, query=query))


def drop_database(planning: Planning, statement: DropDatabase) -> None:
    """Forget a database with everything in it."""
    for name in [n for n in planning.views if n.startswith(f"{statement.name}.")]:
        forget(planning, name)
    detached = planning.catalog.detached
    detached -= {name for name in detached if name.startswith(f"{statement.name}.")}
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
        check_ttl(planning, statement.name, statement.span)
        for action in statement.actions:
            if isinstance(action, SetTableOptions):
                check_table_settings(planning, statement.name, action.options)
    refresh(planning)


def upkeep(planning: Planning, statement: DropPartition | Mutate | Optimize | Truncate) -> None:
    """Work on a table at rest, which `record` takes down."""
    if isinstance(statement, Mutate):
        check_settings(statement.settings)
        note_settings(planning, statement.settings)
    if_exists = isinstance(statement, Truncate) and statement.if_exists
    name = known(planning, statement.name, statement.span, if_exists=if_exists)
    if name and leaves_rows(planning, statement):
        return
    if name and not planning.catalog.table(statement.name, statement.span).AT_REST:
        raise PlanError(
            "INVALID_QUERY",
            span=statement.span,
            problem=f"`{name}` is no table at rest.",
            instead="",
        )


def set_settings(planning: Planning, statement: SetSettings) -> None:
    """`SET a = 1`."""
    check_settings(statement.values)
    note_settings(planning, statement.values)
    planning.settings.update({value.key: value.value for value in statement.values})


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
    DropPartition: upkeep,
    Exists: exists,
    Explain: queries.explain,
    Formatted: formatted,
    Insert: queries.plan_insert,
    InsertRows: queries.plan_rows,
    Mutate: upkeep,
    Optimize: upkeep,
    RenameTables: rename_tables,
    Replace: replace_created,
    Select: queries.plan_select,
    Show: show,
    SetSettings: set_settings,
    System: system,
    Truncate: upkeep,
}
