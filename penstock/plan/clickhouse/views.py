"""Materialized views: their queries are planned anew whenever a table changes.

A view stands in `planning.views`. One whose tables are missing or detached waits and has no query.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.catalog.qualify import qualify
from penstock.errors import PenstockError, PlanError
from penstock.model.table import Column
from penstock.plan.build import build
from penstock.plan.clickhouse import queries
from penstock.plan.clickhouse.collections import with_collection
from penstock.plan.clickhouse.expiry import check_ttl
from penstock.plan.clickhouse.filled import filled_views
from penstock.plan.clickhouse.folders import with_folder
from penstock.plan.clickhouse.macros import with_macros
from penstock.plan.clickhouse.needs import reasons
from penstock.plan.clickhouse.partition import check_keys
from penstock.plan.clickhouse.refusals import invalid
from penstock.plan.clickhouse.rewrite import rewrite
from penstock.plan.clickhouse.settings import check_table_settings, check_view_settings
from penstock.plan.clickhouse.view_text import view_text
from penstock.plan.statements import tables
from penstock.sql.clickhouse.numbers import UINT8
from penstock.sql.statements import CreateTable

if TYPE_CHECKING:
    from sqlglot import exp

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
    if statement.target and _is_table(planning, statement):
        return
    check_view_settings(planning, statement.query, statement.span)
    statement = qualified(planning, statement)
    check_target(planning, statement, statement.span)
    if statement.table is not None:
        columns = statement.table.columns or query_columns(planning, statement.query)
        own = with_collection(planning, replace(statement.table, columns=columns))
        own = with_folder(planning, with_macros(planning, own))
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


def _is_table(planning: Planning, view: CreateMaterializedView) -> bool:
    """Whether something else has the name already, and may have it."""
    path = planning.catalog.path(view.name)
    if planning.catalog.entry(path) is None:
        return False
    if view.if_not_exists:
        return True
    raise PlanError("TABLE_EXISTS", span=view.span, table=path.shown)


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


def check_target(planning: Planning, view: CreateMaterializedView, span: Span | None) -> None:
    """A view waits for the table that it fills: for itself it would do so for ever."""
    if view.target and planning.catalog.path(view.target) == planning.catalog.path(view.name):
        problem = f"A materialized view cannot point to itself: `{view.name}`."
        raise invalid(problem, span)


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
    check_view_settings(planning, statement.query, statement.span)
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
    planning.kept.unplanned.pop(name, None)
    if view is not None:
        planning.queries[:] = [query for query in planning.queries if query.id != name]
    return view


def refresh(planning: Planning, *, loading: bool = False) -> None:
    """Plan the queries of all views whose tables are there and not stopped.

    One that could not be planned when the warehouse was loaded waits until it can.
    """
    active = [query for query in planning.queries if query.id not in planning.views]
    unplanned, planned = planning.kept.unplanned, []
    with planning.catalog.namespace.using():
        for name, view in planning.views.items():
            failed = unplanned.pop(name, None) is not None
            try:
                if not reasons(planning, name):
                    planned.append(queries.plan_view(planning, view, is_there=True))
                elif failed:
                    unplanned[name] = ""
            except PenstockError as error:
                if not (failed or loading):
                    raise
                unplanned[name] = error.text
        # Only now it is known which of them wait for another.
        active += [query for query in planned if not reasons(planning, query.id)]
    planning.queries[:] = active
    planning.catalog.filled = filled_views(planning, planned)


def is_view(planning: Planning, name: str, span: Span | None, *, may_be: bool) -> bool:
    """Whether a materialized view of this name is there; an error if it must not be.

    What cannot be understood may be one.
    """
    if planning.catalog.path(name).shown not in planning.views.keys() | planning.catalog.unusable:
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
