"""What a statement changed → the steps that make it so."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from penstock.connectors.system import SYSTEM
from penstock.plan.clickhouse.changed_rows import at_rest, changed_rows
from penstock.plan.clickhouse.kept import (
    declared,
    names_of,
    redeclared,
    snapshot,
    view_names,
)
from penstock.plan.clickhouse.left_out import check_left_out
from penstock.plan.clickhouse.lifecycle import kafka_tables
from penstock.plan.clickhouse.rename import moved_tables, renamed_views
from penstock.plan.clickhouse.seen import Seen, own_views, tables_of
from penstock.plan.clickhouse.standing import begun, closed_tables, stopped
from penstock.plan.steps import (
    Command,
    CompactTable,
    EmptyTable,
    ForgetView,
    Keep,
    MakeTable,
    MoveTables,
    MutateRows,
    ReleaseViews,
    RemoveOldFiles,
    RemoveTable,
    RunOnce,
    SetViews,
    Step,
    Tell,
)
from penstock.plan.walk import scans
from penstock.sql.clickhouse.statements import (
    CreateMaterializedView,
    CreateTableAs,
    System,
    made_by,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.connectors.merge_tree import MergeTree
    from penstock.plan.planning import Planning
    from penstock.plan.query import Query
    from penstock.plan.steps import Action
    from penstock.sql.statements import Statement


# What only a table at rest has done to it.
_OF_ROWS = (MakeTable, EmptyTable, CompactTable, RemoveOldFiles, MutateRows)


@contextmanager
def recorded(planning: Planning, statement: Statement) -> Iterator[Statement]:
    """Around the handling of a statement: what it is to do, and then what it did."""
    seen = Seen.of(planning)
    made = made_by(statement)
    created = declared(planning, made)
    yield redeclared(planning, statement)
    check_left_out(planning, seen.given, getattr(statement, "span", None))
    if created and made is not statement:
        planning.kept.declared.pop(created[0], None)
        planning.kept.known.discard(created[0])
    names = names_of(planning)
    for gone in planning.kept.declared.keys() - names:
        del planning.kept.declared[gone]
    if created and created[0] not in planning.kept.declared:
        planning.kept.declared[created[0]] = created[1]
        planning.kept.databases[created[0]] = planning.catalog.namespace.database
    if isinstance(made, CreateMaterializedView):
        planning.kept.own.add(planning.catalog.path(made.name).shown)
    before = {query.id for query in seen.queries}
    planning.kept.own |= {q.id for q in planning.queries if q.id in planning.views} - before
    _take_down(planning, statement, seen)


def _take_down(planning: Planning, statement: Statement, seen: Seen) -> None:
    """The steps; what the warehouse knows is another thing from `Keep` on."""
    now, known = snapshot(planning), seen.definitions
    for action in _actions(planning, statement, seen):
        if not isinstance(action, Keep):
            planning.steps.append(Step(action, known))
        elif now != known:
            planning.steps.append(Step(action, now))
            known = now


def steps_of(planning: Planning) -> tuple[Step, ...]:
    """All of a script's; it has one, too, if it only declares again what is there and waits."""
    return tuple(planning.steps) or (Step(Keep(), snapshot(planning)),)


def is_at_rest(planning: Planning) -> bool:
    """Whether a script has to do with tables at rest, or with what a warehouse keeps."""
    if planning.kept.warehouse is None:
        return False
    if any(isinstance(step.action, _OF_ROWS) for step in planning.steps):
        return True
    loaded = {one.name: one for one in planning.kept.warehouse.read().objects}
    now = {one.name: one for one in snapshot(planning).objects}
    asked = [q for q in planning.queries if q.id not in planning.views]
    asked += own_views(planning)
    named = {scan.table for query in asked for scan in scans(query.input)}
    named |= {query.sink_table for query in asked} | (planning.kept.own & set(loaded))
    changed = any(now.get(name) != one for name, one in loaded.items())
    tells = bool(loaded) and any(name.startswith(SYSTEM) for name in named)
    return changed or tells or bool(named & set(loaded))


def _actions(planning: Planning, statement: Statement, seen: Seen) -> Iterator[Action]:
    """1 Views that change have read what was inserted, and stand still; 2 what is new is made, and
    filled by its own query; 3 definitions are kept, and whoever runs views learns of it; 4 what is
    gone is removed; 5 views go on; 6 rows are read and written.

    Into a table that views leave nothing is inserted from the first on, or once the new one is
    filled: then they read what came meanwhile. A crash before the third leaves folders that nobody
    knows, and so does one after it.
    """
    now = at_rest(planning)
    changes = [*changed_rows(planning, statement, seen.tables)]
    stop = stopped(planning, seen, changes)
    closed = closed_tables(now, seen, stop)
    unseen, filling, later = _queries(planning, statement, seen)
    yield from () if unseen else closed
    yield from stop
    if isinstance(statement, System):
        yield _command(planning, statement)
    if moved := moved_tables(planning, statement, seen.queues):
        yield MoveTables(moved)
    yield from (MakeTable(one.target, one.lifetime_s) for one in _tables_but(now, seen.tables))
    yield from changes
    renamed = renamed_views(planning, statement, seen.views)
    yield from (RunOnce(query, unseen=True) for query in unseen)
    yield from (*closed, *stop) if unseen and closed else ()
    yield from begun(planning, seen, renamed)
    yield from map(RunOnce, filling)
    yield Keep()
    yield from (RemoveTable(table.target) for table in _tables_but(seen.tables, now))
    gone = sorted(seen.views - view_names(planning))
    yield from (ForgetView(name, renamed=name in renamed.values()) for name in gone)
    running = own_views(planning)
    if running != seen.running:
        yield SetViews(running)
    yield from (ReleaseViews() for _ in stop)
    yield from map(RunOnce, later)
    yield from (Tell(result) for result in planning.results[seen.results :])


def _queries(
    planning: Planning, statement: Statement, seen: Seen
) -> tuple[list[Query], list[Query], list[Query]]:
    """What runs once: before a table has its name, before anybody knows it, and after that.

    A table that its query could not fill is not there: else nobody would fill it. What replaces
    another is filled before it has its name: no view sees that.
    """
    older, made = [id(query) for query in seen.queries], made_by(statement)
    fresh = [q for q in planning.queries if q.id not in planning.views and id(q) not in older]
    if not isinstance(made, CreateTableAs):
        return [], [], fresh
    return ([], fresh, []) if made is statement else (fresh, [], [])


def _tables_but(some: dict[str, MergeTree], others: dict[str, MergeTree]) -> list[MergeTree]:
    """The tables at rest whose folders are not among those of others, whatever they are called."""
    folders = {table.target.path for table in others.values()}
    return [table for table in some.values() if table.target.path not in folders]


def _command(planning: Planning, statement: System) -> Command:
    tables = kafka_tables(planning, statement)
    views = (query for query in planning.queries if query.id in planning.views)
    return Command(statement.verb, tables, tuple(q for q in views if tables_of(q) & set(tables)))
