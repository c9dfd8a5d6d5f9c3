"""A consumer of all partitions of one topic, from given offsets.

Called by `records.consume`.
"""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING, cast

from penstock.kafka.admin import REQUEST_TIMEOUT_S, check_reachable
from penstock.kafka.client import client_config, client_logger
from penstock.kafka.failure import Doing, Fault, translate
from penstock.kafka.record import Record
from penstock.kafka.topic import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from confluent_kafka import Consumer, Message

    from penstock.kafka.client import ClientConfig

# A consumer waits in silence for a broker that is gone: after this time without a message, ask.
_CHECK_AFTER_S = 10.0

_POLL_S = 0.02
_BATCH = 1000

_CONFIG: ClientConfig = {
    "enable.auto.commit": False,
    "enable.partition.eof": True,
    "auto.offset.reset": "error",
    # By default a full queue pauses fetching for a second.
    "fetch.queue.backoff.ms": 20,
}


class Receiver:
    """Reads records; commits those its caller is done with, if it has a group."""

    def __init__(self, properties: Mapping[str, str], topic: str, *, group: str | None) -> None:
        from confluent_kafka import Consumer

        action = f"give the messages of the topic '{topic}'"
        self._doing = Doing(properties["bootstrap.servers"], action, REQUEST_TIMEOUT_S, topic)
        self._properties = properties
        self._group = group
        self._done: dict[TopicPartition, int] = {}
        self._heard_at = time.monotonic()
        config = {**client_config(properties), **_CONFIG, "group.id": group or "penstock"}
        if "isolation.level" in properties:
            config["isolation.level"] = properties["isolation.level"]
        self._consumer: Consumer = Consumer(config, logger=client_logger())

    def records(
        self, starts: Mapping[TopicPartition, int], *, ends: Mapping[TopicPartition, int] | None
    ) -> Iterator[Record | None]:
        """The records between the offsets, without `ends` all to come; None: nothing new yet."""
        self._assign(starts)
        limits = dict.fromkeys(starts, math.inf) if ends is None else ends
        pending = {where for where in starts if starts[where] < limits[where]}
        while pending:
            yield None
            for message in self._batch():
                where = _place(message)
                at_end = message.error() is not None
                passed = sys.maxsize if at_end else cast("int", message.offset()) + 1
                if not at_end and passed <= limits[where]:
                    yield _record(message)
                if passed >= limits[where]:
                    pending.discard(where)
            self._commit()

    def done(self, record: Record) -> None:
        """The caller has dealt with this record."""
        if self._group is not None:
            where = TopicPartition(record.topic, cast("int", record.partition))
            self._done[where] = cast("int", record.offset) + 1

    def close(self) -> None:
        """Commit and leave."""
        try:
            self._commit()
        finally:
            self._consumer.close()

    def _assign(self, starts: Mapping[TopicPartition, int]) -> None:
        from confluent_kafka import TopicPartition as ClientPartition

        self._consumer.assign(
            [ClientPartition(w.topic, w.partition, offset) for w, offset in starts.items()]
        )

    def _batch(self) -> list[Message]:
        """Messages, and marks of the end of a partition; any other error is raised."""
        from confluent_kafka import KafkaError as ClientError

        messages = self._consumer.consume(_BATCH, timeout=_POLL_S)
        for message in messages:
            error = message.error()
            if error is not None and error.code() != ClientError._PARTITION_EOF:
                raise translate(Fault.of(error), self._doing)
        if messages:
            self._heard_at = time.monotonic()
        elif time.monotonic() - self._heard_at > _CHECK_AFTER_S:
            check_reachable(self._properties)
            self._heard_at = time.monotonic()
        return messages

    def _commit(self) -> None:
        from confluent_kafka import KafkaException
        from confluent_kafka import TopicPartition as ClientPartition

        if not self._done:
            return
        offsets = [ClientPartition(w.topic, w.partition, at) for w, at in self._done.items()]
        try:
            self._consumer.commit(offsets=offsets, asynchronous=False)
        except KafkaException as error:
            raise translate(Fault.of(error.args[0]), self._doing) from error
        self._done.clear()


def _place(message: Message) -> TopicPartition:
    return TopicPartition(cast("str", message.topic()), cast("int", message.partition()))


def _record(message: Message) -> Record:
    from confluent_kafka import TIMESTAMP_NOT_AVAILABLE

    kind, timestamp = message.timestamp()
    headers = cast("list[tuple[str, bytes | None]]", message.headers() or [])
    return Record(
        value=message.value(),
        key=message.key(),
        headers=tuple(headers),
        partition=message.partition(),
        timestamp=None if kind == TIMESTAMP_NOT_AVAILABLE else timestamp,
        topic=cast("str", message.topic()),
        offset=message.offset(),
    )
