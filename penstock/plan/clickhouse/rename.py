"""RENAME TABLE, which is for views, too: a materialized one goes on under its new name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.catalog.paths import DEFAULT_DATABASE
from penstock.connectors.clickhouse_kafka import ClickHouseKafka
from penstock.errors import PlanError
from penstock.plan.clickhouse.lifecycle import known
from penstock.plan.clickhouse.view_text import view_text
from penstock.plan.clickhouse.views import check_target, forget, is_view, refresh
from penstock.sql.clickhouse.statements import RenameTables, Replace

if TYPE_CHECKING:
    from penstock.plan.planning import Planning
    from penstock.sql.statements import Statement


def rename_tables(planning: Planning, statement: RenameTables) -> None:
    """`RENAME TABLE a TO b, …`."""
    before = frozenset(planning.views)
    for old, new in statement.pairs:
        name = known(planning, old, statement.span) or ""
        if name in planning.catalog.unusable:
            raise planning.catalog.unknown(planning.catalog.path(name), statement.span)
        target = planning.catalog.path(new, statement.span).shown
        is_view(planning, new, statement.span, may_be=False)
        if name not in planning.views:
            planning.catalog.rename(old, new, statement.span)
            _move_database(planning, name, target)
        elif target in before:
            raise _swapped(statement, name, target)
        else:
            with planning.catalog.namespace.using():
                _rename_view(planning, statement, name, target)
        if name in planning.halted:
            planning.halted.remove(name)
            planning.halted.add(target)
    refresh(planning)


def _rename_view(planning: Planning, statement: RenameTables, name: str, target: str) -> None:
    """A view of a table of its own has that under its name."""
    catalog = planning.catalog
    if planning.views[name].table is not None:
        catalog.rename(name, target, statement.span)
    else:
        path = catalog.path(target)
        catalog.namespace.require(path.catalog, path.database, statement.span)
        if catalog.entry(path) is not None:
            raise PlanError("TABLE_EXISTS", span=statement.span, table=target)
    view = forget(planning, name)
    assert view  # noqa: S101 — whoever calls knows it
    _move_database(planning, name, target)
    renamed = replace(view, name=target)
    check_target(planning, renamed, statement.span)
    text = view_text(planning, renamed, secrets=True)
    planning.views[target] = replace(renamed, text=text)


def _move_database(planning: Planning, name: str, target: str) -> None:
    """Short names in the query of a view stay those of the database it was written in."""
    databases = planning.kept.databases
    databases[target] = databases.pop(name, DEFAULT_DATABASE)


def _swapped(statement: RenameTables, name: str, target: str) -> PlanError:
    return PlanError(
        "INVALID_QUERY",
        span=statement.span,
        problem=f"`{target}` was a materialized view when the statement began, and `{name}` is "
        "to have its name.",
        instead="Write a RENAME TABLE of its own for each view.",
    )


def renamed_views(
    planning: Planning, statement: Statement, before: frozenset[str]
) -> dict[str, str]:
    """Views that have another name since a statement, with the one they had `before` it."""
    names = _names(planning, statement)
    return {new: old for new, old in names.items() if new in planning.views and old in before}


def moved_tables(
    planning: Planning, statement: Statement, before: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    """Kafka tables that there were `before` a statement, with the names they have now, if any."""
    names = {old: new for new, old in _names(planning, statement).items()}
    now = kafka_names(planning)
    if isinstance(statement, Replace):
        name = planning.catalog.path(statement.name).shown
        return ((name, ""),) if name in before else ()
    found = ((old, names.get(old, old)) for old in sorted(before))
    moved = ((old, new if new in now else "") for old, new in found)
    return tuple((old, new) for old, new in moved if old != new)


def kafka_names(planning: Planning) -> frozenset[str]:
    """The Kafka tables that there are, also those that are detached."""
    entries = planning.catalog.entries.items()
    return frozenset(path.shown for path, one in entries if isinstance(one, ClickHouseKafka))


def _names(planning: Planning, statement: Statement) -> dict[str, str]:
    """What a statement gives another name: the new one, and the old one."""
    if not isinstance(statement, RenameTables):
        return {}
    found: dict[str, str] = {}
    for old, new in statement.pairs:
        name = planning.catalog.path(old).shown
        found[planning.catalog.path(new).shown] = found.pop(name, name)
    return found
