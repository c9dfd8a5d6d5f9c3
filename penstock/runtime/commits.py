"""Offsets of finished batches → the consumer groups of the tables, where lag is watched.

A job continues from its checkpoint; only what somebody else has set is followed, in `moved`, which
knows by the note of a commit whose it is. So a commit that fails is a warning, and is tried again
with the next batch.
"""

from __future__ import annotations

import logging
import re
import threading
from collections import defaultdict
from contextlib import ExitStack
from typing import TYPE_CHECKING

from penstock.errors import PenstockError
from penstock.kafka import admin
from penstock.plan.walk import broken_off, runs_once
from penstock.runtime.offset_lookup import kafka_sources

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from penstock.connectors.kafka_specs import KafkaSource
    from penstock.kafka.topic import TopicPartition
    from penstock.plan.query import Query

# The note of what streams commit; what a query that ends by itself has read, others are to follow.
OWN_NOTE = "penstock"
# Brokers, and a name.
_Group = tuple[str, str]
_SWITCH = "commit.offsets.on.checkpoint"
# What a last commit may take when the job ends; the broker is there, or it is not.
_LAST_COMMIT_S = 5.0

_log = logging.getLogger("penstock.job")


class SharedGroups:
    """How far the queries of a job are in the topics of a group: the slowest of them counts.

    Each view of a table reads it by itself; what the group has, all of them have read, also those
    that fail.
    """

    def __init__(self) -> None:
        # Held while offsets of a group are committed: an older answer may not overtake a newer one.
        # Each group has its own: brokers that do not answer hold up nobody else.
        self._committing: dict[_Group, threading.Lock] = defaultdict(threading.Lock)
        self._lock = threading.Lock()
        self._told: dict[tuple[_Group, TopicPartition], dict[str, int]] = defaultdict(dict)
        self._expected: dict[str, list[KafkaSource]] = {}
        # Their last commit may still be under way.
        self._forgotten: set[str] = set()

    def expect(self, query: Query, offsets: Mapping[TopicPartition, int] | None = None) -> None:
        """A query is going to read: from these offsets on, or nobody knows yet from where.

        What is being committed for its groups is so before it looks there.
        """
        sources = kafka_sources(query)
        with ExitStack() as held:
            for group in sorted(set(map(_group, sources))):
                held.enter_context(self.committing(group))
            held.enter_context(self._lock)
            self._expected[query.id] = sources
            self._forgotten.discard(query.id)
            for source in sources:
                for place, offset in (offsets or {}).items():
                    if _reads(source, place.topic):
                        self._told[_group(source), place][query.id] = offset

    def committing(self, group: _Group) -> threading.Lock:
        """What is held while the offsets of a group are committed."""
        with self._lock:
            return self._committing[group]

    def expects(self, query: str) -> bool:
        """Whether a query was said to read."""
        return query in self._expected

    def least(
        self, query: str, source: KafkaSource, offsets: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, int]:
        """What all queries that read these partitions for the source's group have read."""
        found: dict[TopicPartition, int] = {}
        with self._lock:
            for place, offset in offsets.items() if query not in self._forgotten else ():
                told = self._told[_group(source), place]
                told[query] = offset
                if self._readers(source, place) <= told.keys():
                    found[place] = min(told.values())
        return found

    def forget(self, query: str) -> None:
        """A query that has stopped for good holds nobody back."""
        with self._lock:
            self._forgotten.add(query)
            self._expected.pop(query, None)
            for told in self._told.values():
                told.pop(query, None)

    def forget_but(self, queries: Collection[str]) -> None:
        """Others than these are gone."""
        for query in set(self._expected) - set(queries):
            self.forget(query)

    def _readers(self, source: KafkaSource, place: TopicPartition) -> set[str]:
        return {
            query
            for query, sources in self._expected.items()
            if any(_group(one) == _group(source) and _reads(one, place.topic) for one in sources)
        }


class GroupCommits:
    """Commits what one query has read, in a thread of its own, for each group its tables name.

    `limits` gives the ends of bounded tables: what a batch has read behind them is not the table's.
    `clusters` are those of the Kafka tables: Spark tells offsets by topic, so that a topic of the
    same name in two of them is committed in neither. `shared` is what the queries of a job share.
    """

    def __init__(
        self,
        query: Query,
        limits: Callable[[], Mapping[TopicPartition, int]],
        clusters: Sequence[str],
        shared: SharedGroups | None = None,
    ) -> None:
        self._query = query.id
        self._shared = shared or SharedGroups()
        self._note = "" if runs_once(query) else OWN_NOTE
        tables = list(zip(kafka_sources(query), clusters, strict=True))
        # What a LIMIT left in a topic is for others to read.
        left = [scan.spec.source for scan in broken_off(query.input) if runs_once(query)]
        self._sources = [
            source
            for source, cluster in tables
            if commits(source, bounded=runs_once(query))
            and source not in left
            and not any(_overlap(source, other) for other, its in tables if its != cluster)
        ]
        self._limits = limits
        self._wanted: dict[TopicPartition, int] = {}
        self._tried: dict[TopicPartition, int] = {}
        self._done: dict[TopicPartition, int] = {}
        self._reached: dict[TopicPartition, int] = {}
        self._warned = False
        self._thread: threading.Thread | None = None

    @property
    def groups(self) -> tuple[str, ...]:
        """The consumer groups, by name."""
        return tuple(sorted({source.startup.group_id or "" for source in self._sources}))

    def offer(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Commit in the background what finished batches have read, unless it was tried before."""
        further = {place: max(at, self._reached.get(place, at)) for place, at in offsets.items()}
        self._wanted = {**self._wanted, **further}
        if self._sources and self._wanted != self._tried and not self._is_busy:
            self._begin()

    def reach(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Commit at once what is written, of which Spark may not have told yet."""
        self._reached = {**self._reached, **offsets}
        self._wanted = {**self._wanted, **offsets}
        self.finish()

    def finish(self) -> None:
        """The last commit; it is given up where Kafka does not answer."""
        if self._is_busy and self._thread:
            self._thread.join(_LAST_COMMIT_S)
        if self._sources and self._wanted != self._done and not self._is_busy:
            self._begin()
            assert self._thread  # noqa: S101 — it was just begun
            self._thread.join(_LAST_COMMIT_S)

    @property
    def _is_busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _begin(self) -> None:
        self._tried = self._wanted
        self._thread = threading.Thread(target=self._commit, name="group-commits", daemon=True)
        self._thread.start()

    def _commit(self) -> None:
        wanted = self._tried
        try:
            for source in self._sources:
                limits = self._limits() if source.bound else {}
                own = {
                    place: min(offset, limits.get(place, offset))
                    for place, offset in wanted.items()
                    if _reads(source, place.topic)
                }
                if own:
                    self._commit_group(source, own)
            self._done, self._warned = wanted, False
        except PenstockError as error:
            if not self._warned:
                _log.warning("%s Tried again with the next batch; no row is lost.", error.text)
            self._warned = True

    def _commit_group(self, source: KafkaSource, own: Mapping[TopicPartition, int]) -> None:
        with self._shared.committing(_group(source)):
            offsets = self._shared.least(self._query, source, own)
            if offsets:
                group, properties = source.startup.group_id or "", dict(source.properties)
                admin.commit_offsets(properties, group, offsets=offsets, note=self._note)


def commits(source: KafkaSource, *, bounded: bool) -> bool:
    """Whether the group of a table is told what is read of it."""
    switched_off = dict(source.properties).get(_SWITCH, "true").lower() == "false"
    only_looks = bounded and not source.reading.commits_bounded
    return bool(source.startup.group_id) and not switched_off and not only_looks


def _group(source: KafkaSource) -> _Group:
    return dict(source.properties)["bootstrap.servers"], source.startup.group_id or ""


def _overlap(one: KafkaSource, other: KafkaSource) -> bool:
    """Whether both may read a topic of the same name; of two patterns nobody knows."""
    if one.pattern and other.pattern:
        return True
    named, by_pattern = (other, one) if one.pattern else (one, other)
    return any(_reads(by_pattern, topic) for topic in named.topics)


def _reads(source: KafkaSource, topic: str) -> bool:
    if source.pattern:
        return re.fullmatch(source.pattern, topic) is not None
    return topic in source.topics
