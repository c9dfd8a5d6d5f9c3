"""What comes and goes: DROP, DETACH and ATTACH, and SYSTEM, which stops and starts Kafka tables.

A detached table or view is as if it were not there, but keeps its definition, its rows and what it
has read. SYSTEM only speaks to whoever runs the views: it changes no definition.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.clickhouse_kafka import ClickHouseKafka
from penstock.errors import PlanError
from penstock.plan.clickhouse.views import forget, refresh

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.plan.planning import Planning
    from penstock.sql.clickhouse.statements import Attach, Detach, System
    from penstock.sql.statements import Drop


def drop(planning: Planning, statement: Drop) -> None:
    """Forget a table, a view or a materialized view; views on a dropped table wait for it."""
    name = known(planning, statement.name, statement.span, if_exists=statement.if_exists)
    if name is None:
        return
    view = forget(planning, name)
    if planning.catalog.unusable.pop(name, None):
        planning.catalog.detached.discard(name)
        # What the table of its own is to a view that cannot be understood.
        if planning.catalog.entry(planning.catalog.path(name)) is not None:
            planning.catalog.drop(replace(statement, kind="TABLE"))
    elif view is None or view.table is not None:
        kind = statement.kind if view is None else "TABLE"
        planning.catalog.drop(replace(statement, kind=kind))
    planning.halted.discard(name)
    refresh(planning)


def detach(planning: Planning, statement: Detach) -> None:
    """Stop what reads from or writes to a table, or a view."""
    name = known(planning, statement.name, statement.span, if_exists=statement.if_exists)
    if name:
        planning.catalog.detached.add(name)
        refresh(planning)


def attach(planning: Planning, statement: Attach) -> None:
    """Go on where DETACH stopped."""
    detached = planning.catalog.detached
    name = planning.catalog.path(statement.name, statement.span).shown
    if name not in detached:
        known(planning, statement.name, statement.span)
        if not statement.if_not_exists:
            raise PlanError("NOT_DETACHED", span=statement.span, table=name)
    detached.discard(name)
    refresh(planning)


def system(planning: Planning, statement: System) -> None:
    """STOP and PAUSE until START; what a script runs itself waits for it, too."""
    tables = kafka_tables(planning, statement)
    if statement.verb in ("STOP", "PAUSE"):
        planning.halted.update(tables)
    elif statement.verb == "START":
        planning.halted.difference_update(tables)
    elif not planning.kept.by_itself:
        planning.note(f"SYSTEM {statement.verb} is for views that `serve` runs.", statement.span)
    refresh(planning)


def kafka_tables(planning: Planning, statement: System) -> tuple[str, ...]:
    """The Kafka tables that a SYSTEM statement means."""
    tables = [c.table.name for c in planning.catalog.tables if isinstance(c, ClickHouseKafka)]
    if not statement.name:
        return tuple(tables)
    name = known(planning, statement.name, statement.span) or ""
    if name not in tables:
        raise PlanError(
            "INVALID_QUERY",
            span=statement.span,
            problem=f"SYSTEM {statement.verb} is for Kafka tables, and `{name}` is none.",
            instead="Name the Kafka table that the view reads.",
        )
    return (name,)


def known(
    planning: Planning, name: str, span: Span | None, *, if_exists: bool = False
) -> str | None:
    """The full name of a table or materialized view, which must be there."""
    path = planning.catalog.path(name, span)
    named = path.shown in planning.views or path.shown in planning.catalog.unusable
    attached = named and path.shown not in planning.catalog.detached
    if attached or planning.catalog.entries_at(path) is not None:
        return path.shown
    if if_exists:
        return None
    raise planning.catalog.unknown(path, span)
