"""Views whose rows others read come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.plan.walk import scans

if TYPE_CHECKING:
    from penstock.plan.query import Query


def stages(views: tuple[Query, ...]) -> list[tuple[Query, ...]]:
    """Views in the order in which rows go through them; those of a circle together."""
    left, found = list(views), []
    while left:
        written = {query.sink_table for query in left}
        free = [q for q in left if not {s.table for s in scans(q.input)} & written]
        found.append(tuple(free or left))
        left = [query for query in left if free and query not in free]
    return found
