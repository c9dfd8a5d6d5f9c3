"""What materialized views need: the tables that they read and fill, and why one waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.connectors.clickhouse_kafka import ClickHouseKafka
from penstock.plan.clickhouse.rewrite import with_databases
from penstock.sql.ddl import table_name
from penstock.sql.statements import CreateView

if TYPE_CHECKING:
    from penstock.catalog.paths import Path
    from penstock.plan.planning import Planning
    from penstock.sql.clickhouse.statements import CreateMaterializedView


def reasons(planning: Planning, name: str) -> tuple[str, ...]:
    """Why a view waits: for what it needs itself, or for a view beside it.

    Nobody reads a Kafka table while one of its views lacks the table that it fills, or cannot be
    planned: the group would be told of rows which that view has not had.
    """
    attached = (other for other in planning.views if other not in planning.catalog.detached)
    return _lacks(planning, name) or tuple(
        f"`{other}`, which reads `{queue}` too, {held}"
        for other in attached
        if other != name and (held := _held(planning, other))
        for queue in sorted(_queues(planning, name) & _queues(planning, other))
    )


def _held(planning: Planning, name: str) -> str:
    """Why nobody may read what a view reads."""
    if missing_target(planning, name):
        return "waits for its table"
    return "cannot be planned" if planning.kept.unplanned.get(name) else ""


def _lacks(planning: Planning, name: str) -> tuple[str, ...]:
    """What of its own a view lacks: itself or a table is detached, or not there."""
    catalog, view = planning.catalog, planning.views[name]
    named = [*tables_read(view), view.target or view.name]
    paths = [catalog.path(one) for one in dict.fromkeys(named)]
    gone = [p.shown for p in paths if catalog.entry(p) is None]
    detached = [p for p in (name, *(p.shown for p in paths)) if p in catalog.detached]
    return (
        *(f"`{one}` is detached" for one in dict.fromkeys(detached)),
        *(_gone(planning, one) for one in gone),
        *([why.rstrip(".")] if (why := planning.kept.unplanned.get(name)) else []),
    )


def _gone(planning: Planning, name: str) -> str:
    why = planning.catalog.unusable.get(name, "").rstrip(".")
    return f"`{name}` cannot be used: {why}" if why else f"`{name}` is not there"


def missing_target(planning: Planning, name: str) -> Path | None:
    """The table that a view is to fill, if it is not there."""
    view = planning.views[name]
    path = planning.catalog.path(view.target or view.name)
    return path if planning.catalog.entry(path) is None else None


def _queues(planning: Planning, name: str) -> set[str]:
    """The Kafka tables that a view reads."""
    paths = (planning.catalog.path(one) for one in tables_read(planning.views[name]))
    entries = ((path, planning.catalog.entry(path)) for path in paths)
    return {path.shown for path, entry in entries if isinstance(entry, ClickHouseKafka)}


def tables_read(view: CreateMaterializedView | CreateView) -> list[str]:
    """The tables and views that the query of a view names."""
    withs = {cte.alias for cte in view.query.find_all(exp.CTE)}
    read = (table_name(table) for table in with_databases(view.query).find_all(exp.Table))
    return [name for name in read if name not in withs]


def read_by(planning: Planning, name: str) -> set[str]:
    """The tables that a materialized view reads, or would if it ran; also through other views."""
    found: set[str] = set()
    left: list[CreateMaterializedView | CreateView] = [planning.views[name]]
    while left:
        for path in map(planning.catalog.path, tables_read(left.pop())):
            entry = planning.catalog.entry(path)
            if path.shown not in found and isinstance(entry, CreateView):
                left.append(entry)
            found.add(path.shown)
    return found
