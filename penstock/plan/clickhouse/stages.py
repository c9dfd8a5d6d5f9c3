"""Views whose rows others read come first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from penstock.plan.walk import scans

if TYPE_CHECKING:
    from penstock.plan.query import Query


def stages(views: tuple[Query, ...]) -> list[tuple[Query, ...]]:
    """Views in the order in which rows go through them; those of a circle together.

    What is only looked up comes first, too, unless that would be a circle.
    """
    left, found = list(views), []
    while left:
        free = _free(left, looked_up=True) or _free(left, looked_up=False)
        found.append(tuple(free or left))
        left = [query for query in left if free and query not in free]
    return found


def _free(views: list[Query], *, looked_up: bool) -> list[Query]:
    """The views that read nothing of what others of them write."""
    written = Counter(query.sink_table for query in views)
    read = {
        query.id: {s.table for s in scans(query.input) if looked_up or not s.spec.bounded}
        for query in views
    }
    return [q for q in views if not read[q.id] & (written - Counter([q.sink_table])).keys()]
