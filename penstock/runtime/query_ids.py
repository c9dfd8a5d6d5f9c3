"""The ids of queries over edits of a script: what a query has kept stays its own.

An id is the name of the table that a query fills, with a number where several fill it. Numbers go
by the order of the script only when a query is new: later an INSERT may come before it, or go.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, count
from typing import TYPE_CHECKING

from penstock.plan.walk import runs_once
from penstock.runtime.shape import difference, digest, kept_shape, refusal, shape_of
from penstock.runtime.status import read_status

if TYPE_CHECKING:
    from penstock.plan.query import Query, ScriptPlan
    from penstock.runtime.shape import Shape
    from penstock.runtime.state import JobFolder

_NUMBERED = re.compile(r"#\d+$")
_UNCLEAR = (
    "INSERTs into its table were added or removed and others edited at the same time, so that it "
    "is not clear which of them goes on"
)


def with_kept_ids(plan: ScriptPlan, folder: JobFolder) -> ScriptPlan:
    """The plan with the ids that earlier runs gave its queries."""
    kept = {id_: shape for id_ in folder.query_ids() if (shape := kept_shape(folder, id_))}
    status = read_status(folder.path)
    last = {one.query for one in status.queries} if status else set()
    ids: dict[str, str] = {}
    for base in {_base(query.id) for query in plan.queries}:
        queries = [query for query in plan.queries if _base(query.id) == base]
        known = {id_: shape for id_, shape in kept.items() if _base(id_) == base}
        ids |= _Matching(folder, known, last).match(queries)
    return replace(plan, queries=tuple(replace(q, id=ids[q.id]) for q in plan.queries))


class _Matching:
    """Finds for the queries of one table what each of them has kept.

    Of what is `known`, queries that were not in the `last` run are those that a script had once:
    they go on only if they come back as they were.
    """

    def __init__(self, folder: JobFolder, known: dict[str, Shape], last: set[str]) -> None:
        self._folder = folder
        self._known = known
        self._last = last
        self._left = dict(known)
        self._ids: dict[str, str] = {}

    def match(self, queries: list[Query]) -> dict[str, str]:
        """The id of each query by the one that its place in the script gives it."""
        for query in queries:
            same = [id_ for id_, kept in self._left.items() if kept["query"] == digest(query)]
            if same:
                self._take(query, query.id if query.id in same else same[0])
        if not self._last.isdisjoint(self._known):
            self._left = {id_: kept for id_, kept in self._left.items() if id_ in self._last}
        edited = [q for q in queries if q.id not in self._ids and not runs_once(q)]
        if len(edited) == len(self._left):
            for query, id_ in zip(edited, sorted(self._left, key=_number), strict=True):
                self._take(query, id_)
        elif edited and self._left:
            self._match_edited(edited)
        for query in queries:
            if query.id not in self._ids:
                self._ids[query.id] = self._unused(query)
        return self._ids

    def _match_edited(self, edited: list[Query]) -> None:
        """Of some that were edited and some that are new, or gone, only the shape can tell."""
        fitting = [(q, id_) for q in edited for id_ in self._left if self._fits(q, id_)]
        pairs = min(len(edited), len(self._left))
        queries, ids = {q.id for q, _ in fitting}, {id_ for _, id_ in fitting}
        if not len(fitting) == len(queries) == len(ids) == pairs:
            raise refusal(self._folder, min(self._left, key=_number), _UNCLEAR)
        for query, id_ in fitting:
            self._take(query, id_)

    def _fits(self, query: Query, id_: str) -> bool:
        kept = self._left[id_]
        return not difference(kept, shape_of(query, kept["clusters"]))

    def _take(self, query: Query, id_: str) -> None:
        self._ids[query.id] = id_
        del self._left[id_]

    def _unused(self, query: Query) -> str:
        base = _base(query.id)
        ids = chain((query.id, base), (f"{base}#{number}" for number in count(2)))
        taken = {*self._known, *self._ids.values()}
        return next(id_ for id_ in ids if id_ not in taken)


def _base(query_id: str) -> str:
    return _NUMBERED.sub("", query_id)


def _number(query_id: str) -> int:
    found = _NUMBERED.search(query_id)
    return int(found[0][1:]) if found else 1
