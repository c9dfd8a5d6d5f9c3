"""Of the Kafka tables of one group one reads; when it is gone, the next goes on where the group is.

<job folder or warehouse>/members.json    group and topic → the table that read it last
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.kafka import admin
from penstock.plan.clickhouse.members import shares
from penstock.runtime.anew import go_to, read_offsets, tell_groups
from penstock.runtime.offset_lookup import kafka_sources
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import SparkSession

    from penstock.plan.query import Query
    from penstock.runtime.state import JobFolder


def take_over(
    folder: JobFolder, query: Query, others: Iterable[Query], session: SparkSession
) -> None:
    """Let the views of a table go on where their group is, if another table has read meanwhile.

    1 the group is told what views of that table have read; 2 those of this one that are not as far
    go there; 3 it is noted who reads. A crash before that leaves all of it to the next start.
    """
    file = folder.path / "members.json"
    before, own = read_kept(file), dict(shares(query))
    from_ = {before[share] for share, table in own.items() if before.get(share, table) != table}
    known = list(others) if from_ else []
    left = [other for other in known if from_ & _tables(other)]
    for other in left:
        tell_groups(folder, other, left, session)
    for other in {one.id: one for one in (query, *known)}.values() if from_ else ():
        if _tables(other) & _tables(query):
            _catch_up(folder, other, session)
    if any(before.get(share) != table for share, table in own.items()):
        keep(file, {**before, **own})


def _catch_up(folder: JobFolder, query: Query, session: SparkSession) -> None:
    """Send a view where its groups are; what it has read beyond that it does not read again."""
    read = read_offsets(folder, query, session)
    places = dict(read)
    for source in kafka_sources(query) if read else ():
        group = admin.committed_offsets(dict(source.properties), source.startup.group_id or "")
        for place in (one for one in group if one.topic in source.topics):
            places[place] = max(group[place], places.get(place, 0))
    if places != read:
        go_to(folder, query, places, session)


def _tables(query: Query) -> set[str]:
    return set(dict(shares(query)).values())
