"""What a statement asks of views: which stand still for it, and which begin; for `record`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.merge_tree import MergeTreeTable
from penstock.plan.clickhouse.inserts import inserted_tables, looked_up, target, views_before
from penstock.plan.clickhouse.kept import snapshot
from penstock.plan.steps import (
    BeginView,
    CloseTables,
    CopyView,
    ForgetView,
    HoldViews,
    StopViews,
    rewritten,
)
from penstock.plan.walk import scans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.connectors.merge_tree import MergeTree
    from penstock.plan.clickhouse.seen import Seen
    from penstock.plan.planning import Planning
    from penstock.plan.query import Query
    from penstock.plan.steps import Action

    _Stop = tuple[StopViews | HoldViews, ...]


def stopped(planning: Planning, seen: Seen, changes: list[Action]) -> _Stop:
    """The views that change, or else those that are not to write meanwhile; one step or none."""
    known, waiting = seen.planned_views, _waiting(planning, seen, changes)
    now = {query.id: query for query in planning.queries}
    if other := tuple(query for query in known if now.get(query.id) != query):
        return (StopViews(other, known, views_before(other, known), waiting),)
    if (held := _concerned(planning, changes)) or waiting:
        return (HoldViews(held, views_before(held, known), waiting),)
    return ()


def closed_tables(now: dict[str, MergeTree], seen: Seen, stop: _Stop) -> tuple[Action, ...]:
    """The tables that lose their names, and are followed by views that read before it."""
    folders = {name: table.target.path for name, table in now.items()}
    before = {name: table.target.path for name, table in seen.tables.items()}
    left = {path for name, path in before.items() if folders.get(name) != path}
    followed = {path for one in stop for query in one.inserted for path in inserted_tables(query)}
    return (CloseTables(tuple(sorted(left & followed))),) if left & followed else ()


def _waiting(planning: Planning, seen: Seen, changes: list[Action]) -> tuple[str, ...]:
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


def begun(planning: Planning, seen: Seen, renamed: dict[str, str]) -> Iterator[Action]:
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
