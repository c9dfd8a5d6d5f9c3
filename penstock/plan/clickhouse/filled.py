"""Materialized views that fill a table of another name: who asks them asks that table.

As in ClickHouse they have the columns of their query, whatever else the table has.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from penstock.catalog.qualify import qualify
from penstock.errors import PlanError
from penstock.plan.clickhouse.refusals import invalid
from penstock.plan.clickhouse.rewrite import with_databases
from penstock.sql.clickhouse.grammar import statements
from penstock.sql.clickhouse.quoting import back_quoted, full_name
from penstock.sql.clickhouse.statements import InsertRows, Truncate
from penstock.sql.names import joined
from penstock.sql.statements import CreateView, Insert

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.catalog.paths import Path
    from penstock.plan.planning import Planning
    from penstock.plan.query import Query
    from penstock.sql.clickhouse.statements import (
        CreateMaterializedView,
        DropPartition,
        Mutate,
        Optimize,
    )

_Into = TypeVar("_Into", Insert, InsertRows)


def filled_views(planning: Planning, planned: Iterable[Query]) -> dict[str, CreateView]:
    """Each of them as a query of its table; one that waits shows all of the table's columns."""
    names = {query.id: _filled(query) for query in planned}
    with planning.catalog.namespace.using():
        return {
            name: _reading(planning, view, names.get(name, []))
            for name, view in planning.views.items()
            if view.target
        }


def _filled(query: Query) -> list[str]:
    """The columns of a view's query that its table has."""
    known = {name for name, _ in query.columns}
    return [field.name for field in query.input.fields if field.name in known]


def _reading(planning: Planning, view: CreateMaterializedView, names: list[str]) -> CreateView:
    columns = ", ".join(map(back_quoted, names)) or "*"
    query = f"SELECT {columns} FROM {full_name(view.target)}"  # noqa: S608 — names are quoted
    text = f"CREATE VIEW {full_name(view.name)} AS {query}"
    made = next(iter(statements(text)))
    assert isinstance(made, CreateView)  # noqa: S101 — the text says so
    reading = qualify(with_databases(made.query), planning.catalog.namespace)
    return replace(made, name=view.name, query=reading, span=view.span)


def target_of(planning: Planning, name: str) -> Path | None:
    """The table that an attached view fills under another name, if it is such a view."""
    shown = planning.catalog.path(name).shown
    view = planning.views.get(shown)
    if view is None or not view.target or shown in planning.catalog.detached:
        return None
    with planning.catalog.namespace.using():
        return planning.catalog.path(view.target)


def own_columns(planning: Planning, name: str) -> tuple[str, ...]:
    """The columns that such a view has of its table; none if it shows all of them."""
    reading = planning.catalog.filled.get(planning.catalog.path(name).shown)
    items = reading.query.selects if reading else ()
    return tuple(item.alias_or_name for item in items if not item.is_star)


def into_target(planning: Planning, statement: _Into) -> _Into:
    """An INSERT into such a view is one into its table."""
    target = target_of(planning, statement.table)
    if target is None:
        return statement
    if planning.catalog.entries_at(target) is None:
        raise planning.catalog.unknown(target, statement.span)
    columns = statement.columns or own_columns(planning, statement.table)
    return replace(statement, table=joined((target.database, target.name)), columns=columns)


def leaves_rows(
    planning: Planning, statement: DropPartition | Mutate | Optimize | Truncate
) -> bool:
    """Whether a statement means such a view: TRUNCATE does nothing then, others are refused."""
    target = target_of(planning, statement.name)
    if target is None:
        return False
    if not isinstance(statement, Truncate):
        problem = f"MATERIALIZED VIEW targets existing table `{target.shown}`."
        instead = "Execute the statement directly on it."
        raise PlanError("INVALID_QUERY", span=statement.span, problem=problem, instead=instead)
    note = f"TRUNCATE of a view leaves the rows of `{target.shown}`, which it fills."
    planning.note(note, statement.span)
    return True


def check_read(planning: Planning, view: CreateMaterializedView, read: Iterable[str]) -> None:
    """A view follows what is inserted, and nothing is into a view: ClickHouse's never has a row."""
    for name in read:
        if target := target_of(planning, name):
            problem = f"`{name}` is a view of rows that come to `{target.shown}`: read that."
            raise invalid(problem, view.span)
