"""Lets views read what is there, those first whose rows others read; called by `steps`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.plan.clickhouse.members import readers
from penstock.plan.clickhouse.stages import stages
from penstock.plan.engine import require_runnable
from penstock.runtime.anew import begin_anew_if_other
from penstock.runtime.preflight import preflight

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.query import Query
    from penstock.runtime.commits import SharedGroups
    from penstock.runtime.together import Together


def drain_views(
    views: tuple[Query, ...],
    known: tuple[Query, ...],
    *,
    together: Together,
    finish: Callable[[tuple[Query, ...], SharedGroups], bool],
) -> bool:
    """Stage by stage with `finish`, which says whether they ended by themselves.

    Groups wait for the views of all stages: those of a later one begin where they are now, too.
    """
    _, standing_by = readers(known)
    reading = tuple(query for query in views if query.id not in standing_by)
    require_runnable(reading)
    preflight(reading)
    for query in reading:
        begin_anew_if_other(together.folder, query, together.session)
    together.expect(reading, known)
    for query in reading:
        together.begin(query, known)
    return all(finish(some, together.groups) for some in stages(reading))
