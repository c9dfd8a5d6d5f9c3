"""Where a query begins and ends to read Kafka: `scan.startup.mode` and `scan.bounded.mode`."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaSource
from penstock.errors import RunError
from penstock.kafka import admin
from penstock.kafka.topic import TopicPartition
from penstock.plan.nodes import scans

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.connectors.kafka_specs import Startup
    from penstock.kafka.topic import Topic
    from penstock.plan.nodes import Query
    from penstock.runtime.state import JobFolder
    from penstock.spark.sources.opening import OffsetRange, PartitionOffsets

_EARLIEST, _LATEST, _COMMITTED = -2, -1, -3
_Places = dict[TopicPartition, int]


@dataclass(frozen=True, slots=True)
class QueryOffsets:
    """The offsets of one query's sources; what was found for a bound is remembered."""

    query: Query
    folder: JobFolder

    def start(self, source: KafkaSource) -> dict[str, str]:
        """The options that say where a stream begins: a checkpoint wins over the table."""
        if self.folder.has_progress(self.query.id):
            return {"startingOffsets": "earliest"}
        return starting_offsets(source, self._table(source))

    def range(self, source: KafkaSource) -> OffsetRange:
        """What lies between start and bound; a stream that continues keeps the bound it had."""
        from penstock.spark.sources.opening import OffsetRange

        all_scans = scans(self.query.input)
        place = next(str(n) for n, scan in enumerate(all_scans) if scan.spec.source == source)
        file = self.folder.query(self.query.id) / "bounds.json"
        kept = json.loads(file.read_text()) if file.exists() else {}
        if place in kept and self.folder.has_progress(self.query.id):
            return OffsetRange(*(_with_numbers(side) for side in kept[place]))
        found = offset_range(source, self._table(source))
        file.parent.mkdir(parents=True, exist_ok=True)
        staged = file.with_suffix(".tmp")
        staged.write_text(json.dumps({**kept, place: [found.start, found.end]}))
        staged.replace(file)
        return found

    def _table(self, source: KafkaSource) -> str:
        return next(s.table for s in scans(self.query.input) if s.spec.source == source)


def starting_offsets(source: KafkaSource, table: str) -> dict[str, str]:
    """The options of Spark's Kafka source that say where to begin."""
    startup = source.startup
    match startup.mode:
        case "earliest-offset":
            return {"startingOffsets": "earliest"}
        case "latest-offset":
            return {"startingOffsets": "latest"}
        case "timestamp":
            return {
                "startingTimestamp": str(startup.timestamp_ms),
                "startingOffsetsByTimestampStrategy": "latest",
            }
    return {"startingOffsets": json.dumps(_by_topic(_chosen_starts(source, table)))}


def offset_range(source: KafkaSource, table: str) -> OffsetRange:
    """Start and end of every partition as numbers, looked up now; the end is exclusive."""
    from penstock.spark.sources.opening import OffsetRange

    properties, topics = dict(source.properties), [t.name for t in _topics(source)]
    first = admin.beginning_offsets(properties, topics)
    last = admin.end_offsets(properties, topics)
    starts = _starts(source, table, first, last)
    ends = _ends(source, table, first, last)
    for place, end in ends.items():
        if end > last[place]:
            raise RunError(
                "BOUND_NOT_REACHED",
                table=table,
                topic=place.topic,
                partition=place.partition,
                end=end,
                last=last[place],
            )
    # A start that lies behind the bound leaves nothing to read.
    bounded = {place: max(starts[place], end) for place, end in ends.items()}
    return OffsetRange(_by_topic(starts), _by_topic(bounded))


def clusters_of(query: Query) -> tuple[str, ...]:
    """The ids of the clusters a query reads: offsets mean nothing in another one."""
    sources = (scan.spec.source for scan in scans(query.input))
    return tuple(
        admin.cluster_id(dict(source.properties), timeout_s=admin.REQUEST_TIMEOUT_S) or ""
        for source in sources
        if isinstance(source, KafkaSource)
    )


def _starts(source: KafkaSource, table: str, first: _Places, last: _Places) -> _Places:
    match source.startup.mode:
        case "earliest-offset":
            return first
        case "latest-offset":
            return last
        case "timestamp":
            return _at_time(source, last, source.startup.timestamp_ms or 0)
    found = {}
    for place, offset in _chosen_starts(source, table).items():
        named = {_EARLIEST: first[place], _LATEST: last[place]}.get(offset, offset)
        in_log = first[place] <= named <= last[place]
        found[place] = named if in_log else first[place]
    return found


def _ends(source: KafkaSource, table: str, first: _Places, last: _Places) -> _Places:
    bound = source.bound
    if bound is None or bound.mode == "latest-offset":
        return last
    if bound.mode == "timestamp":
        return _at_time(source, last, bound.timestamp_ms or 0)
    listed, committed = dict(bound.offsets), _committed(source)
    ends = {}
    for place in last:
        end = listed.get(place.partition, committed.get(place))
        if end is None and bound.mode == "group-offsets":
            raise RunError(
                "NO_COMMITTED_END",
                table=table,
                group=source.startup.group_id or "",
                topic=place.topic,
                partition=place.partition,
            )
        named = {_EARLIEST: first[place], _LATEST: last[place], _COMMITTED: committed.get(place)}
        ends[place] = named.get(end, end) if end is not None else first[place]
    return {place: first[place] if end is None else end for place, end in ends.items()}


def _chosen_starts(source: KafkaSource, table: str) -> _Places:
    """Listed offsets, else the group's, else what the reset policy says."""
    committed, listed = _committed(source), dict(source.startup.offsets)
    chosen = {}
    for topic in _topics(source):
        for partition in range(topic.partitions):
            place = TopicPartition(topic.name, partition)
            offset = listed.get(partition, committed.get(place))
            if offset == _COMMITTED:
                offset = committed.get(place)
            if offset is None:
                offset = _EARLIEST if listed else _reset(source.startup, table, topic.name)
            chosen[place] = offset
    return chosen


def _at_time(source: KafkaSource, places: _Places, timestamp_ms: int) -> _Places:
    topics = sorted({place.topic for place in places})
    found = admin.offsets_for_timestamp(dict(source.properties), topics, timestamp_ms=timestamp_ms)
    return {place: min(found[place], last) for place, last in places.items()}


def _with_numbers(topics: dict[str, dict[str, int]]) -> PartitionOffsets:
    """What JSON kept: it knows texts only as keys."""
    return {t: {int(p): offset for p, offset in parts.items()} for t, parts in topics.items()}


def _by_topic(places: Mapping[TopicPartition, int]) -> PartitionOffsets:
    chosen: PartitionOffsets = defaultdict(dict)
    for place, offset in places.items():
        chosen[place.topic][place.partition] = offset
    return dict(chosen)


def _committed(source: KafkaSource) -> _Places:
    if not source.startup.group_id:
        return {}
    return admin.committed_offsets(dict(source.properties), source.startup.group_id)


def _topics(source: KafkaSource) -> tuple[Topic, ...]:
    properties = dict(source.properties)
    if source.topics:
        return admin.describe(properties, source.topics)
    pattern = re.compile(source.pattern or "")
    return tuple(t for t in admin.list_topics(properties) if pattern.fullmatch(t.name))


def _reset(startup: Startup, table: str, topic: str) -> int:
    choice = (startup.reset or "").lower()
    if choice in ("earliest", "latest"):
        return _EARLIEST if choice == "earliest" else _LATEST
    group = f"group '{startup.group_id}'" if startup.group_id else "a group, but names no group"
    raise RunError("NO_COMMITTED_OFFSET", table=table, group=group, topic=topic)
