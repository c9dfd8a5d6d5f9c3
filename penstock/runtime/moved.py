"""Consumer groups whose offsets somebody has set while nobody read: their views go on there.

`kafka-consumer-groups --reset-offsets` does so, and ClickHouse with the same group. What Penstock
commits for a view has its note; a commit without it is another's. It is taken over under our note
once all views are where it says, so that what a view reads from there on is not taken for its past.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from typing import TYPE_CHECKING

from penstock.errors import PenstockError
from penstock.kafka import admin
from penstock.plan.walk import runs_once
from penstock.runtime.anew import finish_going, go_to, read_offsets
from penstock.runtime.commits import OWN_NOTE, commits
from penstock.runtime.offset_lookup import kafka_sources
from penstock.runtime.offsets import STARTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import SparkSession

    from penstock.connectors.kafka_specs import KafkaSource
    from penstock.kafka.topic import TopicPartition
    from penstock.plan.query import Query
    from penstock.runtime.state import JobFolder

_log = logging.getLogger("penstock.job")


def follow_groups(
    folder: JobFolder,
    queries: Iterable[Query],
    session: SparkSession,
    *,
    starting: Iterable[Query],
    running: Iterable[Query] = (),
) -> None:
    """Send views where their groups were set, before any of them starts.

    1 what an earlier move left undone is done; 2 all views of a group that nobody reads, and that
    one of those `starting` is to read, are sent where it was set; 3 the group is ours. A crash
    before that leaves all of it to the next start.
    """
    members = _members(queries)
    asked = _members(starting).keys() - _members(running).keys()
    for query in {q.id: q for some in members.values() for q, _ in some}.values():
        finish_going(folder, query)
    for group in members.keys() & asked:
        try:
            _follow(folder, members[group], session)
        except PenstockError as error:
            # Whoever starts a view is told in any case why it cannot read.
            _log.debug("The offsets of a group are not known: %s", error)


def _follow(
    folder: JobFolder, members: list[tuple[Query, KafkaSource]], session: SparkSession
) -> None:
    source = members[0][1]
    properties, group = dict(source.properties), source.startup.group_id or ""
    topics = {topic for _, one in members for topic in one.topics}
    found = admin.committed(properties, group).items()
    set_ = {p: c.offset for p, c in found if p.topic in topics and c.note != OWN_NOTE}
    if not set_:
        return
    for query, _ in members:
        _send(folder, query, set_, session)
    admin.commit_offsets(properties, group, offsets=set_, note=OWN_NOTE)


def _send(
    folder: JobFolder, query: Query, set_: dict[TopicPartition, int], session: SparkSession
) -> None:
    """Send a view to those offsets of its topics where it is not yet."""
    own = {topic for source in kafka_sources(query) for topic in source.topics}
    if not folder.has_progress(query.id):
        if own & {place.topic for place in set_}:
            # It does not begin where an earlier one of its name was.
            (folder.query(query.id) / STARTS).unlink(missing_ok=True)
        return
    read = read_offsets(folder, query, session)
    moved = {p: at for p, at in set_.items() if p.topic in own and read.get(p) != at}
    if moved:
        places = ", ".join(f"{p.topic}/{p.partition}: {at}" for p, at in sorted(moved.items()))
        _log.warning("%s: goes on where its group was set: %s.", query.id, places)
        go_to(folder, query, {**read, **moved}, session)


def _members(queries: Iterable[Query]) -> dict[tuple[str, str], list[tuple[Query, KafkaSource]]]:
    """Brokers and group → the views that read as its members."""
    found = defaultdict(list)
    for query in queries:
        for source in () if runs_once(query) else kafka_sources(query):
            if source.reading.is_member and commits(source, bounded=False):
                brokers = dict(source.properties)["bootstrap.servers"]
                found[brokers, source.startup.group_id or ""].append((query, source))
    return dict(found)
