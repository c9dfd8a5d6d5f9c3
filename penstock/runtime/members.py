"""Kafka tables of one consumer group share its messages: one of them reads, the others stand by.

In Kafka a message goes to one member of a group. Here all partitions of a topic go to one table,
whose place another one takes when it is gone: that goes on where the group is.

<warehouse>/members.json    group and topic → the table that read it last
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaSource
from penstock.plan.walk import scans
from penstock.runtime.anew import forget_progress, tell_groups
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import SparkSession

    from penstock.plan.query import Query
    from penstock.runtime.state import JobFolder


def readers(queries: Iterable[Query]) -> tuple[list[Query], dict[str, str]]:
    """The views whose tables read, and for others the table that does so in their stead."""
    reads: dict[str, str] = {}
    running, standing_by = [], {}
    for query in queries:
        own = dict(_shares(query))
        first = [reads[share] for share, table in own.items() if reads.get(share, table) != table]
        if first:
            standing_by[query.id] = first[0]
        else:
            reads |= own
            running.append(query)
    return running, standing_by


def take_over(
    folder: JobFolder, query: Query, others: Iterable[Query], session: SparkSession
) -> None:
    """Let the views of a table go on where their group is, if another table has read meanwhile.

    1 the group is told what views of that table have read; 2 those of this one forget where they
    were; 3 it is noted who reads. A crash before that leaves all of it to the next start.
    """
    file = folder.path / "members.json"
    before, own = read_kept(file), dict(_shares(query))
    from_ = {before[share] for share, table in own.items() if before.get(share, table) != table}
    known = list(others)
    for other in known if from_ else ():
        if from_ & set(dict(_shares(other)).values()):
            tell_groups(folder, other, session)
    for other in (query, *known) if from_ else ():
        if set(dict(_shares(other)).values()) & set(own.values()):
            forget_progress(folder.query(other.id))
    if any(before.get(share) != table for share, table in own.items()):
        keep(file, {**before, **own})


def _shares(query: Query) -> Iterator[tuple[str, str]]:
    """What a view reads as a member of groups: brokers, group and topic; the table."""
    for scan in scans(query.input):
        source = scan.spec.source
        if isinstance(source, KafkaSource) and source.startup.group_id:
            brokers = dict(source.properties)["bootstrap.servers"]
            for topic in source.topics:
                yield f"{brokers} {source.startup.group_id} {topic}", scan.table
