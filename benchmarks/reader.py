"""The messages of an output topic the moment they come: for latencies and first rows."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from confluent_kafka import Consumer, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.peers import Running

# The broker answers as soon as there is a message; silence is looked into this often.
_POLL_S = 0.5
_CONFIG = {"group.id": "bench", "enable.auto.commit": False, "fetch.wait.max.ms": 20}


class Reader:
    """Reads a topic from its beginning."""

    def __init__(self, consumer: Consumer) -> None:
        self._consumer = consumer

    def next(self, job: Running, *, timeout_s: float) -> bytes:
        """The next message of a job; the benchmark fails if none comes in time."""
        until = time.monotonic() + timeout_s
        while time.monotonic() < until:
            message = self._consumer.poll(_POLL_S)
            if message is not None and message.error() is None:
                return message.value() or b""
            if job.has_ended():
                raise job.failure("has ended and should go on")
        raise job.failure(f"wrote no message for {timeout_s:.0f} s")


@contextmanager
def reading(address: str, topic: str, *, partitions: int) -> Iterator[Reader]:
    """A reader of all partitions of a topic."""
    consumer = Consumer({**_CONFIG, "bootstrap.servers": address})
    consumer.assign([TopicPartition(topic, number, 0) for number in range(partitions)])
    try:
        yield Reader(consumer)
    finally:
        consumer.close()
