"""What a statement changed → the steps that make it so."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.connectors.merge_tree import MergeTree, MergeTreeTable
from penstock.connectors.system import SYSTEM
from penstock.plan.clickhouse.changed_rows import at_rest, changed_rows
from penstock.plan.clickhouse.inserts import looked_up, target, views_before
from penstock.plan.clickhouse.kept import (
    declared,
    names_of,
    redeclared,
    snapshot,
    view_names,
)
from penstock.plan.clickhouse.left_out import check_left_out, given_to_tables
from penstock.plan.clickhouse.lifecycle import kafka_tables
from penstock.plan.clickhouse.rename import kafka_names, moved_tables, renamed_views
from penstock.plan.steps import (
    BeginView,
    Command,
    CompactTable,
    CopyView,
    EmptyTable,
    ForgetView,
    HoldViews,
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
    StopViews,
    Tell,
    rewritten,
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

    from penstock.catalog.definitions import Definitions
    from penstock.plan.clickhouse.left_out import Given
    from penstock.plan.planning import Planning
    from penstock.plan.query import Query
    from penstock.plan.steps import Action
    from penstock.sql.statements import Statement


# What only a table at rest has done to it.
_OF_ROWS = (MakeTable, EmptyTable, CompactTable, RemoveOldFiles, MutateRows)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What there was before a statement.

    `unplanned` are views that wait where something is broken: who began to run them before that
    may run them yet.
    """

    tables: dict[str, MergeTree]
    results: int
    queries: tuple[Query, ...]
    views: frozenset[str]
    unplanned: tuple[str, ...]
    queues: frozenset[str]
    running: tuple[Query, ...]
    definitions: Definitions
    given: Given

    @classmethod
    def of(cls, planning: Planning) -> _Seen:
        return cls(
            at_rest(planning),
            len(planning.results),
            tuple(planning.queries),
            view_names(planning),
            _unplanned(planning),
            kafka_names(planning),
            own_views(planning),
            planning.steps[-1].definitions if planning.steps else snapshot(planning),
            given_to_tables(planning),
        )


@contextmanager
def recorded(planning: Planning, statement: Statement) -> Iterator[Statement]:
    """Around the handling of a statement: what it is to do, and then what it did."""
    seen = _Seen.of(planning)
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


def _take_down(planning: Planning, statement: Statement, seen: _Seen) -> None:
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


def own_views(planning: Planning) -> tuple[Query, ...]:
    """The views that this script runs; those of a table that SYSTEM stopped wait."""
    own = planning.kept.own & set(planning.views)
    return tuple(
        query
        for query in planning.queries
        if query.id in own and not _tables(query) & planning.halted
    )


def _tables(query: Query) -> set[str]:
    return {scan.table for scan in scans(query.input)}


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


def _actions(planning: Planning, statement: Statement, seen: _Seen) -> Iterator[Action]:
    """1 Views that change have read what was inserted, and stand still; 2 what is new is made, and
    filled by its own query; 3 definitions are kept, and whoever runs views learns of it; 4 what is
    gone is removed; 5 views go on; 6 rows are read and written.

    A crash before the third leaves folders that nobody knows, and so does one after it.
    """
    now = at_rest(planning)
    stopped = _changed_views(planning, seen)
    changes = [*changed_rows(planning, statement, seen.tables)]
    held = _concerned(planning, changes) if not stopped else ()
    known = _views_before(seen)
    first = views_before(stopped or held, known)
    waiting = _waiting(planning, seen, changes)
    if stopped:
        yield StopViews(stopped, known, first, waiting)
    elif held or waiting:
        yield HoldViews(held, first, waiting)
    if isinstance(statement, System):
        yield _command(planning, statement)
    if moved := moved_tables(planning, statement, seen.queues):
        yield MoveTables(moved)
    yield from (MakeTable(one.target, one.lifetime_s) for one in _tables_but(now, seen.tables))
    yield from changes
    renamed = renamed_views(planning, statement, seen.views)
    older = [id(query) for query in seen.queries]
    fresh = [q for q in planning.queries if q.id not in planning.views and id(q) not in older]
    made = made_by(statement)
    fills = isinstance(made, CreateTableAs)
    # A table that its query could not fill is not there: else nobody would fill it. What replaces
    # another is filled before it has its name: no view sees that.
    unseen = fills and made is not statement
    yield from (RunOnce(query, unseen=True) for query in (fresh if unseen else ()))
    yield from _begun(planning, seen, renamed)
    yield from map(RunOnce, fresh if fills and not unseen else ())
    yield Keep()
    yield from (RemoveTable(table.target) for table in _tables_but(seen.tables, now))
    gone, goes_on = sorted(seen.views - view_names(planning)), renamed.values()
    yield from (ForgetView(name, renamed=name in goes_on) for name in gone)
    running = own_views(planning)
    if running != seen.running:
        yield SetViews(running)
    if stopped or held or waiting:
        yield ReleaseViews()
    yield from map(RunOnce, () if fills else fresh)
    yield from (Tell(result) for result in planning.results[seen.results :])


def _tables_but(some: dict[str, MergeTree], others: dict[str, MergeTree]) -> list[MergeTree]:
    """The tables at rest whose folders are not among those of others, whatever they are called."""
    folders = {table.target.path for table in others.values()}
    return [table for table in some.values() if table.target.path not in folders]


def _changed_views(planning: Planning, seen: _Seen) -> tuple[Query, ...]:
    """The views that ran as they will not any more."""
    now = {query.id: query for query in planning.queries}
    return tuple(query for query in _views_before(seen) if now.get(query.id) != query)


def _views_before(seen: _Seen) -> tuple[Query, ...]:
    return tuple(query for query in seen.queries if query.id in seen.views)


def _unplanned(planning: Planning) -> tuple[str, ...]:
    """The views without a plan; none if a statement said so of each, and had it stopped."""
    if not planning.catalog.unusable and not any(planning.kept.unplanned.values()):
        return ()
    planned = {query.id for query in planning.queries}
    return tuple(sorted(view_names(planning) - planned - planning.catalog.detached))


def _waiting(planning: Planning, seen: _Seen, changes: list[Action]) -> tuple[str, ...]:
    """The views without a plan, if something is changed that may be a matter of theirs."""
    if not seen.unplanned or any(map(rewritten, changes)):
        return seen.unplanned
    now = set(snapshot(planning).objects)
    return seen.unplanned if set(seen.definitions.objects) - now else ()


def _concerned(planning: Planning, changes: list[Action]) -> tuple[Query, ...]:
    """The views that would write among the rows that are written anew or taken out, or look up."""
    folders = set(map(rewritten, changes)) - {""}
    views = (query for query in planning.queries if query.id in planning.views)
    return tuple(query for query in views if ({target(query)} | looked_up(query)) & folders)


def _command(planning: Planning, statement: System) -> Command:
    tables = kafka_tables(planning, statement)
    views = (query for query in planning.queries if query.id in planning.views)
    return Command(statement.verb, tables, tuple(q for q in views if _tables(q) & set(tables)))


def _begun(planning: Planning, seen: _Seen, renamed: dict[str, str]) -> Iterator[Action]:
    """Views that are new, or that read a table at rest which they did not read before."""
    # A new one begins with nothing, also where a DROP broke off before it had cleared up.
    fresh = sorted(set(planning.views) - seen.views - renamed.keys())
    yield from (ForgetView(name) for name in fresh)
    yield from (CopyView(old, new) for new, old in renamed.items())
    before = {query.id: _sources(query) for query in seen.queries}
    before.update({new: before[old] for new, old in renamed.items() if old in before})
    for query in planning.queries:
        sources = _sources(query) if query.id in planning.views else {}
        read, waited = before.get(query.id, {}), query.id not in before
        if new := tuple(table for path, table in sources.items() if path not in read):
            yield BeginView(query.id, new, waited)


def _sources(query: Query) -> dict[str, MergeTreeTable]:
    """The tables at rest that a view follows, by their folders."""
    sources = (scan.spec.source for scan in scans(query.input) if not scan.spec.bounded)
    return {one.path: one for one in sources if isinstance(one, MergeTreeTable)}
