"""A producer that loses nothing silently.

Called by `records.produce`. A new producer has its first message under way half a second later: all
senders of a process to one cluster share one, until something cannot be delivered.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from penstock.errors import DataError
from penstock.kafka.client import client_config, client_logger
from penstock.kafka.failure import Doing, Fault, translate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from confluent_kafka import KafkaError as ClientError
    from confluent_kafka import Message, Producer

    from penstock.errors import KafkaError
    from penstock.kafka.client import ClientConfig
    from penstock.kafka.record import Record

# Time for a broker to come back or a leader to be chosen; after it a message counts as not sent.
_DELIVERY_TIMEOUT_S = 30.0

# How long to wait for room in the queue, or for deliveries, before looking for failures.
_POLL_S = 0.01

_CONFIG: ClientConfig = {
    "enable.idempotence": True,
    "delivery.timeout.ms": int(_DELIVERY_TIMEOUT_S * 1000),
    "delivery.report.only.error": True,
    # As Java's clients do it, so that equal keys share a partition whoever wrote them.
    "partitioner": "murmur2_random",
}


_producers: dict[tuple[object, ...], Producer] = {}


class Sender:
    """Sends records to one topic; the first failure is kept and raised at the next chance."""

    def __init__(self, properties: Mapping[str, str], topic: str) -> None:
        action = f"take a message for the topic '{topic}'"
        self._doing = Doing(properties["bootstrap.servers"], action, _DELIVERY_TIMEOUT_S, topic)
        self._failure: KafkaError | None = None
        config = {**client_config(properties), **_CONFIG}
        # A client does not survive a fork: the process is part of the key.
        self._key = (os.getpid(), *sorted(config.items()))
        self._producer = self._shared(config)

    def _shared(self, config: ClientConfig) -> Producer:
        from confluent_kafka import KafkaException, Producer

        producer = _producers.get(self._key)
        if producer is None:
            producer = Producer(config, logger=client_logger())
            return _producers.setdefault(self._key, producer)
        try:
            # Since it was last sent to, the topic may have been given partitions.
            producer.list_topics(self._doing.topic, timeout=self._doing.timeout_s)
        except KafkaException as error:
            raise self._failed(error.args[0]) from error
        return producer

    def send(self, record: Record) -> None:
        """Hand a record over; it is delivered in the background."""
        from confluent_kafka import KafkaException

        while True:
            self._raise_failure()
            try:
                self._enqueue(record)
                self._producer.poll(0)
                return
            except BufferError:
                self._producer.poll(_POLL_S)
            except KafkaException as error:
                raise self._failed(error.args[0]) from error

    def flush(self) -> None:
        """Return once everything is delivered; raise once anything is known not to be."""
        while self._failure is None and self._producer.flush(_POLL_S):
            pass
        self._raise_failure()

    def _enqueue(self, record: Record) -> None:
        # To librdkafka a timestamp of 0 means now.
        if record.timestamp is not None and record.timestamp <= 0:
            problem = f"its timestamp, {record.timestamp}, is not after 1970-01-01"
            raise DataError("UNSENDABLE_RECORD", topic=self._doing.topic, problem=problem)
        self._producer.produce(
            self._doing.topic,
            value=record.value,
            key=record.key,
            headers=list(record.headers),
            partition=-1 if record.partition is None else record.partition,
            timestamp=record.timestamp or 0,
            on_delivery=self._on_delivery,
        )

    def _on_delivery(self, error: ClientError | None, _message: Message) -> None:
        if error is not None and self._failure is None:
            self._failure = self._failed(error)

    def _failed(self, error: ClientError) -> KafkaError:
        """What is raised; the next sender has a producer of its own."""
        _producers.pop(self._key, None)
        return translate(Fault.of(error), self._doing)

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure
