"""Where the first run of a query begins to read: `scan.startup.mode` as Spark's options."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from penstock.connectors.base import KafkaSource
from penstock.errors import RunError
from penstock.kafka import admin
from penstock.plan.nodes import scans

if TYPE_CHECKING:
    from penstock.connectors.base import Startup
    from penstock.kafka.topic import Topic
    from penstock.plan.nodes import Query

_EARLIEST, _LATEST = -2, -1


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
    committed = _committed(source)
    listed = dict(startup.offsets)
    chosen: dict[str, dict[str, int]] = defaultdict(dict)
    for topic in _topics(source):
        for partition in range(topic.partitions):
            offset = listed.get(partition, committed.get((topic.name, partition)))
            if offset is None:
                offset = _EARLIEST if listed else _reset(startup, table, topic.name)
            chosen[topic.name][str(partition)] = offset
    return {"startingOffsets": json.dumps(chosen)}


def clusters_of(query: Query) -> tuple[str, ...]:
    """The ids of the clusters a query reads: offsets mean nothing in another one."""
    sources = (scan.spec.source for scan in scans(query.input))
    return tuple(
        admin.cluster_id(dict(source.properties), timeout_s=admin.REQUEST_TIMEOUT_S) or ""
        for source in sources
        if isinstance(source, KafkaSource)
    )


def _committed(source: KafkaSource) -> dict[tuple[str, int], int]:
    if not source.startup.group_id:
        return {}
    offsets = admin.committed_offsets(dict(source.properties), source.startup.group_id)
    return {(place.topic, place.partition): offset for place, offset in offsets.items()}


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
