"""What there was before a statement, for `record`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.plan.clickhouse.changed_rows import at_rest
from penstock.plan.clickhouse.kept import snapshot, view_names
from penstock.plan.clickhouse.left_out import given_to_tables
from penstock.plan.clickhouse.rename import kafka_names
from penstock.plan.walk import scans

if TYPE_CHECKING:
    from penstock.catalog.definitions import Definitions
    from penstock.connectors.merge_tree import MergeTree
    from penstock.plan.clickhouse.left_out import Given
    from penstock.plan.planning import Planning
    from penstock.plan.query import Query


@dataclass(frozen=True, slots=True)
class Seen:
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
    def of(cls, planning: Planning) -> Seen:
        """What there is now."""
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

    @property
    def planned_views(self) -> tuple[Query, ...]:
        """The views that could run."""
        return tuple(query for query in self.queries if query.id in self.views)


def _unplanned(planning: Planning) -> tuple[str, ...]:
    """The views without a plan; none if a statement said so of each, and had it stopped."""
    if not planning.catalog.unusable and not any(planning.kept.unplanned.values()):
        return ()
    planned = {query.id for query in planning.queries}
    return tuple(sorted(view_names(planning) - planned - planning.catalog.detached))


def own_views(planning: Planning) -> tuple[Query, ...]:
    """The views that this script runs; those of a table that SYSTEM stopped wait."""
    own = planning.kept.own & set(planning.views)
    return tuple(
        query
        for query in planning.queries
        if query.id in own and not tables_of(query) & planning.halted
    )


def tables_of(query: Query) -> set[str]:
    """The names of the tables that a query reads."""
    return {scan.table for scan in scans(query.input)}
