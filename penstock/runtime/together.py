"""Queries that start together: none reads before it is known of all of them where they begin.

Else a group could be told of the first block of one before another has looked there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from penstock.runtime.anew import read_offsets
from penstock.runtime.commits import SharedGroups
from penstock.runtime.members import take_over
from penstock.runtime.moved import follow_groups
from penstock.runtime.offset_lookup import kafka_sources
from penstock.runtime.offsets import note_starts

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pyspark.sql import SparkSession

    from penstock.plan.query import Query
    from penstock.runtime.running import Running
    from penstock.runtime.state import JobFolder


@dataclass(frozen=True, slots=True)
class Together:
    """Called first for all queries, then for each; after that they may start.

    `known` are those too that do not start now.
    """

    folder: JobFolder
    session: SparkSession
    groups: SharedGroups = field(default_factory=SharedGroups)

    def expect(
        self,
        queries: Collection[Query],
        known: Collection[Query],
        running: Sequence[Running] = (),
    ) -> None:
        """Let groups wait for queries from here on.

        1 views go where others have set their groups; 2 of those that are new beside running ones
        the groups are told what these have written; 3 groups are told what all have read.
        """
        reading = [one.query for one in running]
        follow_groups(self.folder, known, self.session, starting=queries, running=reading)
        for query in queries:
            if not self.groups.expects(query.id) and not self.folder.has_progress(query.id):
                self._tell_group_of(query, running)
        for query in queries:
            self.groups.expect(query)

    def begin(self, query: Query, known: Collection[Query]) -> None:
        """Find and note where a query begins."""
        take_over(self.folder, query, known, self.session)
        note_starts(self.folder, query)
        self.groups.expect(query, read_offsets(self.folder, query, self.session))

    def _tell_group_of(self, query: Query, running: Sequence[Running]) -> None:
        """A view that is new begins behind the blocks that others of its group have written."""
        groups = {source.startup.group_id for source in kafka_sources(query)}
        for one in running:
            if groups & {*one.groups}:
                one.reach(read_offsets(self.folder, one.query, self.session))
