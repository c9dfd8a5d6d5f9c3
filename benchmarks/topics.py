"""The embedded broker and the topics of the benchmarks: their rows, and what a job made of them."""

from __future__ import annotations

import json
import os
import random
import sys
from datetime import datetime, timedelta
from itertools import chain, count
from typing import TYPE_CHECKING, Any

import confluent_kafka.admin
from confluent_kafka import Consumer, IsolationLevel, TopicPartition

from penstock.kafka import admin, broker
from penstock.kafka.record import Record
from penstock.kafka.records import produce

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

ROWS = int(os.environ.get("PENSTOCK_BENCH_ROWS", "2000000"))
PARTITIONS = 4
USERS = 100_000
CATEGORIES = 100
_ITEMS = 1_000_000
# One message of four is a purchase, which is what `filter.sql` lets through.
BEHAVIORS = ("pv", "cart", "fav", "buy")
_START = datetime(2024, 1, 1)
_TIMEOUT_S = 30.0
_BATCH = 10_000
# `consume` waits this long for a batch to be full.
_FULL_TIMEOUT_S = 0.2


def start_broker(folder: Path) -> str:
    """The address of a broker that ends with this process."""
    return broker.start(folder, owner_pid=os.getpid()).address


def fill(address: str, topic: str, *, rows: int, last: int = 0) -> None:
    """A topic with that many events, the `last` of them as `events` has them."""
    fresh_topic(address, topic)
    print(f"• writing {rows:,} rows", file=sys.stderr)
    produce({"bootstrap.servers": address}, topic, map(_placed, count(), events(rows, last=last)))


def fill_table(address: str, topic: str, rows: Iterable[dict[str, object]]) -> None:
    """A topic of upserts; the first column is the key."""
    fresh_topic(address, topic)
    print(f"• writing {topic}", file=sys.stderr)
    produce({"bootstrap.servers": address}, topic, map(_keyed, rows))


def events(rows: int, *, last: int = 0) -> Iterator[dict[str, object]]:
    """What users do with items; the `last` ones are the same however many stand before them.

    Their items have odd numbers, those before them even ones: what they are is new in either case.
    """
    chance = random.Random(1)
    for number in range(rows):
        if number == rows - last:
            chance = random.Random(5)
        seconds, fraction = divmod(number, 200)
        user, item = chance.randrange(USERS), chance.randrange(_ITEMS)
        yield {
            "user_id": user,
            "item_id": item // 2 * 2 + (number >= rows - last) if last else item,
            "category": _category(chance),
            "behavior": BEHAVIORS[number % len(BEHAVIORS)],
            "ts": f"{_START + timedelta(seconds=seconds)}.{fraction * 5:03}",
        }


def visits(rows: int) -> Iterator[dict[str, object]]:
    """Users who turn to another category and another amount again and again."""
    chance = random.Random(2)
    for _ in range(rows):
        yield {
            "user_id": chance.randrange(USERS),
            "category": _category(chance),
            "amount": chance.randrange(1_000),
        }


def people(keys: int) -> Iterator[dict[str, object]]:
    """Names by key, in no order."""
    for number in random.Random(3).sample(range(keys), keys):
        yield {"id": number, "name": f"name-{number}"}


def accounts(keys: int) -> Iterator[dict[str, object]]:
    """Amounts by key, in no order."""
    chance = random.Random(4)
    for number in chance.sample(range(keys), keys):
        yield {"id": number, "amount": chance.randrange(1_000)}


def fresh_topic(address: str, name: str, *, partitions: int = PARTITIONS) -> None:
    """An empty topic whose messages carry the time at which the broker took them."""
    admin.create_topic(
        {"bootstrap.servers": address},
        name,
        partitions=partitions,
        config={"message.timestamp.type": "LogAppendTime"},
    )


def drop(address: str, name: str) -> None:
    """The topic is done with."""
    admin.delete_topic({"bootstrap.servers": address}, name)


class Output:
    """What has arrived in a topic; of transactions, what is committed."""

    def __init__(self, address: str, topic: str) -> None:
        self._config: dict[str, str | int | float | bool] = {"bootstrap.servers": address}
        self._admin = confluent_kafka.admin.AdminClient(self._config)
        parts = self._admin.list_topics(topic, timeout=_TIMEOUT_S).topics[topic].partitions
        self._partitions = [TopicPartition(topic, number) for number in parts]

    def ends(self) -> tuple[int, ...]:
        """The offset after the last message of each partition."""
        api: Any = confluent_kafka.admin  # its types leave out what it offers
        answers = self._admin.list_offsets(
            dict.fromkeys(self._partitions, api.OffsetSpec.latest()),
            isolation_level=IsolationLevel.READ_COMMITTED,
            request_timeout=_TIMEOUT_S,
        )
        return tuple(answers[one].result().offset for one in self._partitions)

    def first_at(self) -> float:
        """When the broker took the first message, in seconds since 1970."""
        firsts = (chain.from_iterable(self._batches([one], size=1)) for one in self._partitions)
        messages = filter(None, (next(first, None) for first in firsts))
        return float(min(message.timestamp()[1] for message in messages)) / 1000

    def count(self) -> int:
        """How many messages there are; markers of transactions have offsets but are none."""
        return sum(len(messages) for messages in self._batches(self._partitions, size=_BATCH))

    def keys(self) -> int:
        """How many keys there are."""
        batches = self._batches(self._partitions, size=_BATCH)
        return len({message.key() for messages in batches for message in messages})

    def _batches(self, partitions: list[TopicPartition], *, size: int) -> Iterator[list[Any]]:
        """All messages of these partitions."""
        config = {"group.id": "bench", "enable.partition.eof": True, "enable.auto.commit": False}
        consumer = Consumer({**self._config, **config})
        consumer.assign([TopicPartition(one.topic, one.partition, 0) for one in partitions])
        pending = len(partitions)
        try:
            while pending:
                got = consumer.consume(size, timeout=_FULL_TIMEOUT_S)
                messages = [message for message in got if message.error() is None]
                pending -= len(got) - len(messages)
                yield messages
        finally:
            consumer.close()


def _category(chance: random.Random) -> str:
    return f"category-{chance.randrange(CATEGORIES)}"


def _keyed(row: dict[str, object]) -> Record:
    name, value = next(iter(row.items()))
    return Record(_json(row), key=_json({name: value}))


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _placed(number: int, event: dict[str, object]) -> Record:
    return Record(_json(event), partition=number // len(BEHAVIORS) % PARTITIONS)
