"""Materialized views: their queries are planned anew whenever a table changes.

A view stands in `planning.views`. One whose tables are missing or detached waits and has no query.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.catalog.qualify import qualify
from penstock.connectors.clickhouse_kafka import ClickHouseKafka
from penstock.errors import PlanError
from penstock.model.table import Column
from penstock.plan.build import build
from penstock.plan.clickhouse import queries
from penstock.plan.clickhouse.collections import with_collection
from penstock.plan.clickhouse.expiry import check_ttl
from penstock.plan.clickhouse.folders import with_folder
from penstock.plan.clickhouse.partition import check_keys
from penstock.plan.clickhouse.rewrite import rewrite, with_databases
from penstock.plan.clickhouse.settings import check_table_settings
from penstock.plan.clickhouse.view_text import view_text
from penstock.plan.statements import tables
from penstock.sql.clickhouse.numbers import UINT8
from penstock.sql.ddl import table_name
from penstock.sql.statements import CreateTable, CreateView

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.plan.planning import Planning
    from penstock.sql.clickhouse.statements import CreateMaterializedView
    from penstock.sql.statements import AlterView


def create_materialized_view(planning: Planning, statement: CreateMaterializedView) -> None:
    """A view that fills a table, its own or another."""
    catalog = planning.catalog
    name = catalog.path(statement.name, statement.span).shown
    if is_view(planning, name, statement.span, may_be=statement.if_not_exists):
        return
    statement = qualified(planning, statement)
    if statement.table is not None:
        columns = statement.table.columns or query_columns(planning, statement.query)
        own = with_collection(planning, replace(statement.table, columns=columns))
        own = with_folder(planning, own)
        tables.create_table(planning, CreateTable(own, statement.if_not_exists, statement.span))
        check_ttl(planning, own.name, statement.span)
        check_keys(planning, own.name, statement.span)
        check_table_settings(planning, own.name, own.options)
    if statement.populate:
        planning.note("POPULATE: the view is filled as rows arrive.", statement.span)
    with catalog.namespace.using():
        if _waits_for_target(planning, statement):
            query_columns(planning, statement.query)
            note = f"The view `{name}` waits: its table `{statement.target}` is not there."
            planning.note(note, statement.span)
        else:
            queries.plan_view(planning, statement)
    planning.views[name] = statement
    refresh(planning)


def _waits_for_target(planning: Planning, view: CreateMaterializedView) -> bool:
    """Whether the table behind TO may be made later, as it may where others run the view."""
    there = not view.target or planning.catalog.entries_at(planning.catalog.path(view.target))
    return planning.kept.by_itself and not there


def qualified(planning: Planning, view: CreateMaterializedView) -> CreateMaterializedView:
    """The view with every name in full, so that a later USE does not change it."""
    catalog = planning.catalog
    target = catalog.path(view.target).shown if view.target else ""
    name, query = catalog.path(view.name).shown, qualify(view.query, catalog.namespace)
    return replace(view, name=name, target=target, query=query)


def alter_view(planning: Planning, statement: AlterView) -> None:
    """`ALTER TABLE view MODIFY QUERY`."""
    path = planning.catalog.path(statement.name, statement.span)
    name, view = path.shown, planning.views.get(path.shown)
    if name in planning.catalog.detached:
        raise planning.catalog.unknown(path, statement.span)
    if view is None or statement.query is None:
        raise PlanError(
            "INVALID_QUERY",
            span=statement.span,
            problem=f"`{statement.name}` is no materialized view.",
            instead="",
        )
    query = qualify(statement.query, planning.catalog.namespace)
    changed = replace(view, query=query, written=statement.written)
    with planning.catalog.namespace.using():
        queries.plan_view(planning, changed)
    planning.kept.databases[name] = planning.catalog.namespace.database
    planning.views[name] = replace(changed, text=view_text(planning, changed, secrets=True))
    refresh(planning)


def forget(planning: Planning, name: str) -> CreateMaterializedView | None:
    """Drop a view by its full name; None if there is none."""
    view = planning.views.pop(name, None)
    if view is not None:
        planning.queries[:] = [query for query in planning.queries if query.id != name]
    return view


def refresh(planning: Planning) -> None:
    """Plan the queries of all views whose tables are there and not stopped."""
    active = [query for query in planning.queries if query.id not in planning.views]
    with planning.catalog.namespace.using():
        for name, view in planning.views.items():
            if not reasons(planning, name):
                active.append(queries.plan_view(planning, view))
    planning.queries[:] = active


def is_view(planning: Planning, name: str, span: Span | None, *, may_be: bool) -> bool:
    """Whether a materialized view of this name is there; an error if it must not be."""
    if planning.catalog.path(name).shown not in planning.views:
        return False
    if may_be:
        return True
    raise PlanError("TABLE_EXISTS", span=span, table=name)


def query_columns(planning: Planning, query: exp.Query) -> tuple[Column, ...]:
    """The columns of a table that a query fills."""
    node = build(rewrite(query, planning.catalog), planning.catalog, planning.language)
    # What a comparison gives is kept as UInt8.
    types = (
        UINT8 if field.type.root == "BOOLEAN" and field.type.precision else field.type
        for field in node.fields
    )
    pairs = zip(node.fields, types, strict=True)
    return tuple(Column(field.name, "physical", type_) for field, type_ in pairs)


def reasons(planning: Planning, name: str) -> tuple[str, ...]:
    """Why a view waits: for what it needs itself, or for a view beside it.

    Nobody reads a Kafka table while one of its views lacks the table that it fills: the group would
    be told of rows which that view has not had.
    """
    attached = (other for other in planning.views if other not in planning.catalog.detached)
    return _lacks(planning, name) or tuple(
        f"`{other}`, which reads `{queue}` too, waits for its table"
        for other in attached
        if other != name and _lacks_target(planning, other)
        for queue in sorted(_queues(planning, name) & _queues(planning, other))
    )


def _lacks(planning: Planning, name: str) -> tuple[str, ...]:
    """What of its own a view lacks: itself or a table is detached, or not there."""
    catalog, view = planning.catalog, planning.views[name]
    named = [*_read(view), view.target or view.name]
    paths = [catalog.path(one) for one in dict.fromkeys(named)]
    gone = [p.shown for p in paths if catalog.entry(p) is None]
    detached = [p for p in (name, *(p.shown for p in paths)) if p in catalog.detached]
    return (
        *(f"`{one}` is detached" for one in dict.fromkeys(detached)),
        *(f"`{one}` is not there" for one in gone),
    )


def _lacks_target(planning: Planning, name: str) -> bool:
    view = planning.views[name]
    return planning.catalog.entry(planning.catalog.path(view.target or view.name)) is None


def _queues(planning: Planning, name: str) -> set[str]:
    """The Kafka tables that a view reads."""
    paths = (planning.catalog.path(one) for one in _read(planning.views[name]))
    entries = ((path, planning.catalog.entry(path)) for path in paths)
    return {path.shown for path, entry in entries if isinstance(entry, ClickHouseKafka)}


def _read(view: CreateMaterializedView | CreateView) -> list[str]:
    withs = {cte.alias for cte in view.query.find_all(exp.CTE)}
    read = (table_name(table) for table in with_databases(view.query).find_all(exp.Table))
    return [name for name in read if name not in withs]


def read_by(planning: Planning, name: str) -> set[str]:
    """The tables that a materialized view reads, or would if it ran; also through other views."""
    found: set[str] = set()
    left: list[CreateMaterializedView | CreateView] = [planning.views[name]]
    while left:
        for path in map(planning.catalog.path, _read(left.pop())):
            entry = planning.catalog.entry(path)
            if path.shown not in found and isinstance(entry, CreateView):
                left.append(entry)
            found.add(path.shown)
    return found
