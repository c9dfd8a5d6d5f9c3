"""Kafka tables of one consumer group share its messages: one of them reads, the others stand by.

In Kafka a message goes to one member of a group. Here all partitions of a topic go to one table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaSource
from penstock.plan.walk import runs_once, scans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from penstock.plan.query import Query


def readers(queries: Iterable[Query]) -> tuple[list[Query], dict[str, str]]:
    """The queries whose tables read, and for others the table that does so in their stead."""
    reads: dict[str, str] = {}
    running, standing_by = [], {}
    for query in queries:
        own = dict(shares(query))
        first = [reads[share] for share, table in own.items() if reads.get(share, table) != table]
        if first:
            standing_by[query.id] = first[0]
        else:
            reads |= own
            running.append(query)
    return running, standing_by


def shares(query: Query) -> Iterator[tuple[str, str]]:
    """What a view reads as a member of groups: brokers, group and topic; the table."""
    for scan in () if runs_once(query) else scans(query.input):
        source = scan.spec.source
        if isinstance(source, KafkaSource) and source.reading.is_member:
            brokers = dict(source.properties)["bootstrap.servers"]
            for topic in source.topics:
                yield f"{brokers} {source.startup.group_id} {topic}", scan.table
