"""Topics and offsets of a Kafka cluster: plain questions and small changes, without Spark.

`properties` are Kafka's Java client properties (`bootstrap.servers`, `security.protocol`, …); what
comes back are frozen dataclasses and numbers. No question here ever creates a topic.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.errors import KafkaError
from penstock.kafka.connection import check, connect, open_connection
from penstock.kafka.failure import Doing, missing, refused
from penstock.kafka.topic import Committed, Topic, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

REQUEST_TIMEOUT_S = 10.0

# Times before 1970 that ask for the ends of a partition, as Kafka's protocol has it.
_EARLIEST = -2
_LATEST = -1

# A new or deleted topic is known to every broker within milliseconds, on a busy cluster seconds.
_PROPAGATION_TIMEOUT_S = 15.0
_POLL_S = 0.02


def check_reachable(
    properties: Mapping[str, str], *, timeout_s: float = REQUEST_TIMEOUT_S, table_note: str = ""
) -> None:
    """Raise unless the cluster answers and can be used from here."""
    check(properties, _doing(properties, "answer", timeout_s=timeout_s, table_note=table_note))


def cluster_id(properties: Mapping[str, str], *, timeout_s: float) -> str | None:
    """The id of the cluster if a broker of it answers in time."""
    doing = _doing(properties, "tell its cluster id", timeout_s=timeout_s)
    try:
        cluster = open_connection(properties, doing).cluster(doing)
    except KafkaError:
        return None
    return cluster.id if cluster.brokers else None


def list_topics(properties: Mapping[str, str]) -> tuple[Topic, ...]:
    """All topics, by name."""
    return _topics(properties, _doing(properties, "list its topics"))


def describe(
    properties: Mapping[str, str], topics: Iterable[str], *, table_note: str = ""
) -> tuple[Topic, ...]:
    """These topics, in this order; a topic that does not exist is an error."""
    doing = _doing(properties, "describe its topics", table_note=table_note)
    known = {topic.name: topic for topic in _topics(properties, doing)}
    described = []
    for name in topics:
        if name not in known:
            raise _absent(properties, replace(doing, topic=name), existing=known)
        described.append(known[name])
    return tuple(described)


def check_rights(
    properties: Mapping[str, str], topics: Iterable[str], operation: str, *, table_note: str = ""
) -> None:
    """Raise unless the user may `READ` or `WRITE` each of these topics that exists."""
    verb = operation.lower()
    for topic in topics:
        action = f"let the user {verb} the topic '{topic}'"
        doing = _doing(properties, action, topic=topic, table_note=table_note)
        try:
            allowed = connect(properties, doing).rights(topic, doing)
        except KafkaError as error:
            if error.code == "TOPIC_MISSING":
                continue
            raise
        if allowed and operation not in allowed:
            raise refused(doing, f"the user has no right to {verb} it")


def topic_settings(properties: Mapping[str, str], topic: str) -> dict[str, str]:
    """How a topic is configured; nothing where the user may not know."""
    doing = _doing(properties, f"tell the settings of the topic '{topic}'", topic=topic)
    return _unless_refused(lambda: connect(properties, doing).topic_settings(topic, doing))


def broker_settings(properties: Mapping[str, str]) -> dict[str, str]:
    """How a broker of the cluster is configured; nothing where the user may not know."""
    doing = _doing(properties, "tell the settings of a broker")
    return _unless_refused(lambda: connect(properties, doing).broker_settings(doing))


def topic_exists(properties: Mapping[str, str], topic: str) -> bool:
    """Whether there is a topic of that name."""
    return any(known.name == topic for known in list_topics(properties))


def create_topic(
    properties: Mapping[str, str],
    topic: str,
    *,
    partitions: int = 1,
    config: Mapping[str, str] | None = None,
    if_not_exists: bool = False,
) -> bool:
    """Create a topic and return once it can be used; False if it was there and may be."""
    doing = _doing(properties, f"create the topic '{topic}'", topic=topic)
    connection = connect(properties, doing)
    try:
        connection.create_topic(topic, doing, partitions=partitions, config=config or {})
    except KafkaError as error:
        if error.code == "TOPIC_EXISTS" and if_not_exists:
            return False
        raise
    _await(lambda: _is_usable(properties, topic))
    return True


def delete_topic(properties: Mapping[str, str], topic: str, *, if_exists: bool = False) -> bool:
    """Delete a topic and return once it is gone; False if it was not there and need not be."""
    if not topic_exists(properties, topic):
        if if_exists:
            return False
        describe(properties, [topic])
    doing = _doing(properties, f"delete the topic '{topic}'", topic=topic)
    connect(properties, doing).delete_topic(topic, doing)
    _await(lambda: not topic_exists(properties, topic))
    return True


def beginning_offsets(
    properties: Mapping[str, str], topics: Iterable[str]
) -> dict[TopicPartition, int]:
    """The first offset of every partition of these topics."""
    return _offsets(properties, topics, at=_EARLIEST)


def end_offsets(properties: Mapping[str, str], topics: Iterable[str]) -> dict[TopicPartition, int]:
    """The offset after the last message of every partition of these topics."""
    return _offsets(properties, topics, at=_LATEST)


def offsets_for_timestamp(
    properties: Mapping[str, str], topics: Iterable[str], *, timestamp_ms: int
) -> dict[TopicPartition, int]:
    """The first offset at or after that time; the end of a partition that has none."""
    names = tuple(topics)
    ends = end_offsets(properties, names)
    found = _offsets(properties, names, at=max(timestamp_ms, 0))
    return {where: offset if offset >= 0 else ends[where] for where, offset in found.items()}


def committed_offsets(
    properties: Mapping[str, str], group: str, *, table_note: str = ""
) -> dict[TopicPartition, int]:
    """What the consumer group has committed, by partition; nothing for an unknown group."""
    found = committed(properties, group, table_note=table_note)
    return {where: one.offset for where, one in found.items()}


def committed(
    properties: Mapping[str, str], group: str, *, table_note: str = ""
) -> dict[TopicPartition, Committed]:
    """The same, with the notes of whoever committed it."""
    action = f"tell the offsets of the group '{group}'"
    doing = _doing(properties, action, table_note=table_note)
    return connect(properties, doing).committed(group, doing)


def commit_offsets(
    properties: Mapping[str, str],
    group: str,
    *,
    offsets: Mapping[TopicPartition, int],
    note: str = "",
) -> None:
    """Set the committed offsets of a consumer group that has no member at the moment."""
    doing = _doing(properties, f"commit the offsets of the group '{group}'")
    connect(properties, doing).commit(group, doing, offsets=offsets, note=note)


def _doing(
    properties: Mapping[str, str],
    action: str,
    *,
    topic: str = "",
    timeout_s: float = REQUEST_TIMEOUT_S,
    table_note: str = "",
) -> Doing:
    return Doing(properties["bootstrap.servers"], action, timeout_s, topic, table_note)


def _topics(properties: Mapping[str, str], doing: Doing) -> tuple[Topic, ...]:
    return connect(properties, doing).cluster(doing).topics


def _absent(properties: Mapping[str, str], doing: Doing, existing: Iterable[str]) -> KafkaError:
    """There is no such topic, or there is one that the user must not see."""
    seeing = replace(doing, action=f"show the topic '{doing.topic}'")
    try:
        connect(properties, seeing).rights(doing.topic, seeing)
    except KafkaError as error:
        if error.code == "KAFKA_REFUSED":
            return error
    return missing(doing, existing=existing)


def _offsets(
    properties: Mapping[str, str], topics: Iterable[str], *, at: int
) -> dict[TopicPartition, int]:
    described = describe(properties, topics)
    doing = _doing(properties, f"tell the offsets of {', '.join(t.name for t in described)}")
    wanted = [
        TopicPartition(topic.name, partition)
        for topic in described
        for partition in range(topic.partitions)
    ]
    return connect(properties, doing).offsets(wanted, doing, at=at) if wanted else {}


def _unless_refused(ask: Callable[[], dict[str, str]]) -> dict[str, str]:
    try:
        return ask()
    except KafkaError as error:
        if error.code == "KAFKA_REFUSED":
            return {}
        raise


def _is_usable(properties: Mapping[str, str], topic: str) -> bool:
    try:
        return bool(end_offsets(properties, [topic]))
    except KafkaError:
        return False


def _await(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PROPAGATION_TIMEOUT_S
    while not condition() and time.monotonic() < deadline:
        time.sleep(_POLL_S)
