"""What a query remembers of where it began, and where it ends, to read Kafka."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from penstock.kafka import admin
from penstock.kafka.topic import TopicPartition
from penstock.plan.walk import runs_once, scans
from penstock.runtime.offset_lookup import (
    EARLIEST,
    by_topic,
    kafka_sources,
    offset_range,
    partitions_of,
    starting_offsets,
    topics_of,
)
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from penstock.connectors.kafka_specs import KafkaSource
    from penstock.plan.query import Query
    from penstock.runtime.state import JobFolder
    from penstock.spark.sources.opening import OffsetRange, PartitionOffsets

STARTS, _BOUNDS = "starts.json", "bounds.json"


@dataclass(frozen=True, slots=True)
class QueryOffsets:
    """The offsets of one query's sources; what was found for a start or a bound is remembered.

    `clusters` are those of its Kafka tables, in reading order.
    """

    query: Query
    folder: JobFolder
    clusters: tuple[str, ...]

    def start(self, source: KafkaSource) -> dict[str, str]:
        """The options that say where a stream begins: a checkpoint wins over the table.

        A start is looked up once: what comes between a first run that broke off before its first
        batch and the next one is read, also from `latest-offset`.
        """
        if self.folder.has_progress(self.query.id):
            return {"startingOffsets": "earliest"}
        return {"startingOffsets": json.dumps(self._first_starts(source))}

    def is_of_another(self, source: KafkaSource) -> bool:
        """Whether what was read before is of other topics, a cluster or a group; if it is known."""
        kept = read_kept(self._file(STARTS))
        is_known = self._number(source) in kept and bool(self._cluster(source))
        return is_known and self._known(source) is None

    def starts_at(self, places: Mapping[TopicPartition, int]) -> dict[str, Any]:
        """What would be remembered if the group's offsets had been these at the first run."""
        return {
            self._number(source): {
                "of": self._identity(source),
                "offsets": starting_offsets(source, self._table(source), places),
            }
            for source in kafka_sources(self.query)
        }

    def begins(self) -> dict[TopicPartition, int]:
        """Where a query that has read nothing begins, as far as it was looked up."""
        kept = read_kept(self._file(STARTS)).values()
        wanted = [self._identity(source) for source in kafka_sources(self.query)]
        return {
            place: offset
            for start in kept
            if start["of"] in wanted
            for place, offset in _places(_with_numbers(start["offsets"])).items()
            if offset != EARLIEST
        }

    def note_starts(self) -> None:
        """Look up now where members of groups begin."""
        for source in kafka_sources(self.query):
            if source.reading.is_member:
                self._first_starts(source)

    def first_partitions(self, source: KafkaSource) -> dict[str, list[int]]:
        """The partitions that the first run found, and those that were read since, by topic."""
        kept = read_kept(self._file(STARTS)).get(self._number(source), {}).get("offsets")
        starts = _with_numbers(kept) if kept else self._first_starts(source)
        read = self.folder.last_partitions(self.query.id)
        return {
            topic: sorted({*partitions, *read.get(topic, ())})
            for topic, partitions in starts.items()
        }

    def range(self, source: KafkaSource) -> OffsetRange:
        """What lies between start and bound.

        A stream that continues keeps the bound it had, and so does a batch that wrote a part of
        its rows exactly once and failed, unless its table says something else by now.
        """
        from penstock.spark.sinks.exactly_once import has_unfinished_run
        from penstock.spark.sources.opening import OffsetRange

        number, kept = self._number(source), read_kept(self._file(_BOUNDS))
        start, end, of = kept.get(number, (None, None, None))
        wanted = [self._identity(source), repr(source.bound)]
        unfinished = (
            of == wanted
            and self.query.spec.target.guarantee == "exactly-once"
            and has_unfinished_run(self.folder.query(self.query.id))
        )
        if start is not None and (unfinished or self.folder.has_progress(self.query.id)):
            return OffsetRange(_with_numbers(start), _with_numbers(end))
        found = offset_range(source, self._table(source))
        keep(self._file(_BOUNDS), {**kept, number: [found.start, found.end, wanted]})
        return found

    def ends(self) -> dict[TopicPartition, int]:
        """The bounds of the query's tables that were looked up so far."""
        return {
            TopicPartition(topic, partition): offset
            for _, end, _ in read_kept(self._file(_BOUNDS)).values()
            for topic, partitions in _with_numbers(end).items()
            for partition, offset in partitions.items()
        }

    def _first_starts(self, source: KafkaSource) -> PartitionOffsets:
        number, kept = self._number(source), read_kept(self._file(STARTS))
        wanted, known = self._identity(source), self._known(source)
        if known:
            before = _with_numbers(known["offsets"])
            if source.reading.is_member:
                return self._still_there(source, before)
            now = partitions_of(topics_of(source))
            late = EARLIEST if source.reading.discovery_ms > 0 else None
            return _continued(before, now, late=late)
        if number in kept:
            # Spark, too, keeps a start before its first batch: that of another beginning.
            shutil.rmtree(self.folder.checkpoint(self.query.id), ignore_errors=True)
        found = starting_offsets(source, self._table(source))
        keep(self._file(STARTS), {**kept, number: {"of": wanted, "offsets": found}})
        return found

    def _still_there(self, source: KafkaSource, before: PartitionOffsets) -> PartitionOffsets:
        """What was looked up before; offsets that are gone give way, as those of a group do."""
        found = starting_offsets(source, self._table(source), _places(before))
        if found != before:
            kept, wanted = read_kept(self._file(STARTS)), self._identity(source)
            for start in kept.values():
                start["offsets"] = found if start["of"] == wanted else start["offsets"]
            keep(self._file(STARTS), kept)
        return found

    def _known(self, source: KafkaSource) -> dict[str, Any] | None:
        """What was looked up for a source; it may have been another table of the query then."""
        kept, wanted = read_kept(self._file(STARTS)), self._identity(source)
        return next((start for start in kept.values() if start["of"] == wanted), None)

    def _file(self, name: str) -> Path:
        return self.folder.query(self.query.id) / name

    def _number(self, source: KafkaSource) -> str:
        """Which table of the query it is, counted in reading order."""
        found = enumerate(scans(self.query.input))
        return next(str(number) for number, scan in found if scan.spec.source == source)

    def _identity(self, source: KafkaSource) -> list[Any]:
        """What a start depends on, as JSON gives it back."""
        startup = source.startup
        parts = [self._cluster(source), source.identity(), startup.mode, startup.group_id]
        parts += [startup.reset, startup.timestamp_ms, startup.offsets]
        found: list[Any] = json.loads(json.dumps(parts))
        return found

    def _cluster(self, source: KafkaSource) -> str:
        return self.clusters[kafka_sources(self.query).index(source)]

    def _table(self, source: KafkaSource) -> str:
        return next(s.table for s in scans(self.query.input) if s.spec.source == source)


def clusters_of(query: Query) -> tuple[str, ...]:
    """The ids of the clusters a query reads: offsets mean nothing in another one."""
    return tuple(
        admin.cluster_id(dict(source.properties), timeout_s=admin.REQUEST_TIMEOUT_S) or ""
        for source in kafka_sources(query)
    )


def note_starts(folder: JobFolder, query: Query) -> None:
    """Remember where a view begins that has read nothing, before any other can tell its group."""
    if not runs_once(query) and not folder.has_progress(query.id):
        QueryOffsets(query, folder, clusters_of(query)).note_starts()


def _continued(
    before: PartitionOffsets, now: Iterable[TopicPartition], *, late: int | None
) -> PartitionOffsets:
    """What was looked up before, for the partitions that are there now."""
    found: dict[TopicPartition, int] = {}
    for place in now:
        offset = before.get(place.topic, {}).get(place.partition, late)
        if offset is not None:
            found[place] = offset
    return by_topic(found)


def _places(topics: PartitionOffsets) -> dict[TopicPartition, int]:
    return {
        TopicPartition(t, p): offset for t, parts in topics.items() for p, offset in parts.items()
    }


def _with_numbers(topics: dict[str, dict[str, int]]) -> PartitionOffsets:
    """What JSON kept: it knows texts only as keys."""
    return {t: {int(p): offset for p, offset in parts.items()} for t, parts in topics.items()}
