"""What is done once a second beside a running query: count its traffic, tell its groups."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from penstock.runtime.traffic import TrafficMeter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.kafka.topic import TopicPartition
    from penstock.plan.query import Query
    from penstock.runtime.commits import GroupCommits
    from penstock.runtime.progress import Progress
    from penstock.runtime.traffic import TableTraffic
    from penstock.spark.counters import Counters

_log = logging.getLogger("penstock.job")


@dataclass(slots=True)
class Watch:
    """Follows one query; `look` asks Java, `complete` only remembers what was seen."""

    query: Query
    counters: Counters
    commits: GroupCommits
    _meter: TrafficMeter = field(default_factory=TrafficMeter)
    _tables: tuple[TableTraffic, ...] = ()
    _held_by: tuple[tuple[str, str], ...] = ()
    _lost: dict[str, int] = field(default_factory=dict)

    def look(self) -> None:
        """Count now, and warn of messages that were gone before they were read."""
        self._tables = self._meter.update(self.counters.tables())
        self._held_by = tuple(sorted(self.counters.holding().items()))
        for table in self._tables:
            if table.rows_lost > self._lost.get(table.table, 0):
                self._lost[table.table] = table.rows_lost
                _log.warning(
                    "%s: %s messages of table `%s` were gone before they were read.",
                    self.query.id,
                    f"{table.rows_lost:,}",
                    table.table,
                )

    def commit(self, offsets: Mapping[TopicPartition, int], *, last: bool) -> None:
        """Tell the groups of the tables what finished batches have read."""
        self.commits.offer(offsets)
        if last:
            self.commits.finish()

    def complete(self, progress: Progress) -> Progress:
        """The progress of the query with what was counted."""
        return replace(progress, tables=self._tables, held_by=self._held_by)
