"""Views that get what is inserted into tables at rest: ClickHouse runs them with the INSERT.

Here they read by themselves. Where it would show, `runtime.inserted` has them read first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.merge_tree import MergeTreeTable
from penstock.plan.clickhouse.stages import stages
from penstock.plan.walk import scans

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from penstock.plan.query import Query


def views_before(views: Iterable[Query], known: Collection[Query]) -> tuple[Query, ...]:
    """Of some views those that INSERT feeds, and the views of that kind whose rows they read."""
    found = {query.id: query for query in views if inserted_tables(query)}
    while more := [
        query
        for query in known
        if query.id not in found
        and inserted_tables(query)
        and any(target(query) in _read(other) for other in found.values())
    ]:
        found.update({query.id: query for query in more})
    return _in_order(found.values())


def views_behind(folder: str, known: Collection[Query]) -> tuple[Query, ...]:
    """The views that an INSERT into the table of a folder feeds, also through other tables."""
    found: dict[str, Query] = {}
    filled = {folder}
    while more := [
        query for query in known if query.id not in found and inserted_tables(query) & filled
    ]:
        found.update({query.id: query for query in more})
        filled |= {target(query) for query in more}
    return _in_order(found.values())


def inserted_tables(query: Query) -> frozenset[str]:
    """The folders of the tables that a view follows; none of one that follows messages, too."""
    sources = _sources(query, bounded=False)
    paths = [source.path for source in sources if isinstance(source, MergeTreeTable)]
    return frozenset(paths if len(paths) == len(sources) else ())


def looked_up(query: Query) -> frozenset[str]:
    """The folders of the tables at rest that a view reads as they are when rows come to it."""
    return frozenset(
        source.path
        for source in _sources(query, bounded=True)
        if isinstance(source, MergeTreeTable)
    )


def target(query: Query) -> str:
    """The folder of the table at rest that a view fills; "" if it fills another."""
    filled = query.spec.target
    return filled.path if isinstance(filled, MergeTreeTable) else ""


def _read(query: Query) -> frozenset[str]:
    return inserted_tables(query) | looked_up(query)


def _sources(query: Query, *, bounded: bool) -> list[object]:
    return [scan.spec.source for scan in scans(query.input) if scan.spec.bounded == bounded]


def _in_order(views: Iterable[Query]) -> tuple[Query, ...]:
    return tuple(query for some in stages(tuple(views)) for query in some)
