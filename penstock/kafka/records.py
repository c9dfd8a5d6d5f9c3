"""Messages into and out of topics, one by one: what `penstock produce` and `consume` are made of.

Called by the command line and by tests; jobs move their rows inside Spark.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from penstock.kafka.admin import (
    beginning_offsets,
    check_reachable,
    committed_offsets,
    end_offsets,
)
from penstock.kafka.receiver import Receiver
from penstock.kafka.sender import Sender

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from penstock.kafka.record import Record
    from penstock.kafka.topic import TopicPartition


def produce(properties: Mapping[str, str], topic: str, records: Iterable[Record]) -> int:
    """Send the records and return their number once the broker has all of them."""
    check_reachable(properties)
    sender = Sender(properties, topic)
    sent = 0
    try:
        for record in records:
            sender.send(record)
            sent += 1
    finally:
        sender.flush()
    return sent


def consume(
    properties: Mapping[str, str],
    topic: str,
    *,
    from_beginning: bool = False,
    limit: int | None = None,
    until_end: bool = False,
    idle_s: float | None = None,
    group: str | None = None,
) -> Iterator[Record]:
    """The messages of a topic; of transactions only what was committed.

    Without `limit`, `until_end` (what is the end now) and `idle_s` (seconds without a message) it
    never stops. A `group` starts where it has committed, and commits what was read.
    """
    ends = end_offsets(properties, [topic])
    starts = _starts(properties, topic, ends=ends, from_beginning=from_beginning, group=group)
    receiver = Receiver(properties, topic, group=group)
    count, heard_at = 0, time.monotonic()
    try:
        for record in receiver.records(starts, ends=ends if until_end else None):
            if record is not None:
                yield record
                receiver.done(record)
                count, heard_at = count + 1, time.monotonic()
            if count == limit or (idle_s is not None and time.monotonic() - heard_at > idle_s):
                return
    finally:
        receiver.close()


def _starts(
    properties: Mapping[str, str],
    topic: str,
    *,
    ends: Mapping[TopicPartition, int],
    from_beginning: bool,
    group: str | None,
) -> dict[TopicPartition, int]:
    beginnings = beginning_offsets(properties, [topic])
    starts = dict(beginnings if from_beginning else ends)
    committed = committed_offsets(properties, group) if group else {}
    for where, offset in committed.items():
        # What a group committed may be deleted by now, or be of an older topic of that name.
        if where in starts and beginnings[where] <= offset <= ends[where]:
            starts[where] = offset
    return starts
