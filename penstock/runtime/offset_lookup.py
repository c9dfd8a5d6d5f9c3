"""Where tables begin and end in the cluster now: `scan.startup.mode` and `scan.bounded.mode`."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaSource
from penstock.errors import RunError
from penstock.kafka import admin
from penstock.kafka.topic import TopicPartition
from penstock.plan.walk import scans

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from penstock.connectors.kafka_specs import Startup
    from penstock.kafka.topic import Topic
    from penstock.plan.query import Query
    from penstock.spark.sources.opening import OffsetRange, PartitionOffsets

# As Kafka's protocol and Spark's options number them.
EARLIEST, _LATEST, _COMMITTED = -2, -1, -3
_Places = dict[TopicPartition, int]

_log = logging.getLogger("penstock.job")


def kafka_sources(query: Query) -> list[KafkaSource]:
    """The topics that a query reads, in reading order."""
    sources = (scan.spec.source for scan in scans(query.input))
    return [source for source in sources if isinstance(source, KafkaSource)]


def starting_offsets(
    source: KafkaSource, table: str, committed: Mapping[TopicPartition, int] | None = None
) -> PartitionOffsets:
    """Where a first run begins each partition; -2 stands for its earliest message.

    With `committed` that is taken for what the group has committed.
    """
    if source.startup.mode == "earliest-offset":
        return by_topic(dict.fromkeys(partitions_of(topics_of(source)), EARLIEST))
    first, last = _log_range(source)
    return by_topic(_starts(source, table, first, last, committed))


def offset_range(source: KafkaSource, table: str) -> OffsetRange:
    """Start and end of every partition as numbers, looked up now; the end is exclusive."""
    from penstock.spark.sources.opening import OffsetRange

    first, last = _log_range(source)
    starts = {
        place: first[place] if offset == EARLIEST else offset
        for place, offset in _starts(source, table, first, last).items()
    }
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
    return OffsetRange(by_topic(starts), by_topic(bounded))


def _log_range(source: KafkaSource) -> tuple[_Places, _Places]:
    """The first offset of every partition, and the one after its last message."""
    properties, topics = dict(source.properties), [t.name for t in topics_of(source)]
    return admin.beginning_offsets(properties, topics), admin.end_offsets(properties, topics)


def _starts(
    source: KafkaSource,
    table: str,
    first: _Places,
    last: _Places,
    committed: Mapping[TopicPartition, int] | None = None,
) -> _Places:
    """Where the table's mode says, inside what is there."""
    match source.startup.mode:
        case "earliest-offset":
            return dict.fromkeys(first, EARLIEST)
        case "latest-offset":
            return last
        case "timestamp":
            return _at_time(source, last, source.startup.timestamp_ms or 0)
    found = {}
    group = _committed(source) if committed is None else committed
    for place, offset in _chosen_starts(source, table, group).items():
        if offset >= 0 and not first[place] <= offset <= last[place]:
            offset = _out_of_range(source.startup, table, place, offset=offset, first=first[place])
        found[place] = last[place] if offset == _LATEST else offset
    return found


def _out_of_range(
    startup: Startup, table: str, place: TopicPartition, *, offset: int, first: int
) -> int:
    """What Kafka's consumers do with such an offset: what the reset policy says.

    Without one, a listed offset gives way to the earliest; a committed one does not.
    """
    reset = _policy(startup)
    if not reset and startup.mode == "specific-offsets" and not _forbids(startup):
        reset = EARLIEST
    if reset:
        _log.warning(
            "Table `%s` was to begin at offset %s of partition %s of topic '%s', which is not "
            "there: it begins at the %s one.",
            table,
            offset,
            place.partition,
            place.topic,
            "earliest" if reset == EARLIEST else "latest",
        )
        return reset
    raise RunError(
        "COMMITTED_OFFSET_GONE",
        table=table,
        offset=offset,
        group=startup.group_id or "",
        topic=place.topic,
        partition=place.partition,
        first=first,
    )


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
        named = {EARLIEST: first[place], _LATEST: last[place], _COMMITTED: committed.get(place)}
        ends[place] = named.get(end, end) if end is not None else first[place]
    return {place: first[place] if end is None else end for place, end in ends.items()}


def _chosen_starts(
    source: KafkaSource, table: str, committed: Mapping[TopicPartition, int]
) -> _Places:
    """Listed offsets, else the group's, else what the reset policy says."""
    listed, chosen = dict(source.startup.offsets), {}
    for place in partitions_of(topics_of(source)):
        offset = listed.get(place.partition, committed.get(place))
        if offset == _COMMITTED:
            offset = committed.get(place)
        chosen[place] = _reset(source.startup, table, place) if offset is None else offset
    return chosen


def _at_time(source: KafkaSource, places: _Places, timestamp_ms: int) -> _Places:
    topics = sorted({place.topic for place in places})
    found = admin.offsets_for_timestamp(dict(source.properties), topics, timestamp_ms=timestamp_ms)
    return {place: min(found[place], last) for place, last in places.items()}


def by_topic(places: Mapping[TopicPartition, int]) -> PartitionOffsets:
    """Offsets as Spark's options have them."""
    chosen: PartitionOffsets = defaultdict(dict)
    for place, offset in places.items():
        chosen[place.topic][place.partition] = offset
    return dict(chosen)


def _committed(source: KafkaSource) -> _Places:
    if not source.startup.group_id:
        return {}
    return admin.committed_offsets(dict(source.properties), source.startup.group_id)


def topics_of(source: KafkaSource) -> tuple[Topic, ...]:
    """The topics of a table that are there now."""
    properties = dict(source.properties)
    if source.topics:
        return admin.describe(properties, source.topics)
    pattern = re.compile(source.pattern or "")
    return tuple(t for t in admin.list_topics(properties) if pattern.fullmatch(t.name))


def partitions_of(topics: Iterable[Topic]) -> list[TopicPartition]:
    """Every partition of the topics."""
    return [TopicPartition(t.name, partition) for t in topics for partition in range(t.partitions)]


def _policy(startup: Startup) -> int | None:
    return {"earliest": EARLIEST, "latest": _LATEST}.get((startup.reset or "").lower())


def _forbids(startup: Startup) -> bool:
    return (startup.reset or "").lower() == "none"


def _reset(startup: Startup, table: str, place: TopicPartition) -> int:
    """Where a partition begins for which neither an offset is listed nor one is committed."""
    if startup.mode == "specific-offsets":
        return EARLIEST
    if policy := _policy(startup):
        return policy
    group = f"group '{startup.group_id}'" if startup.group_id else "a group, but names no group"
    raise RunError(
        "NO_COMMITTED_OFFSET",
        table=table,
        group=group,
        topic=place.topic,
        partition=place.partition,
    )
