"""The embedded broker and the input of the benchmarks: 2 million JSON rows in 4 partitions."""

from __future__ import annotations

import json
import os
import random
import sys
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from penstock.kafka import admin, broker
from penstock.kafka.record import Record
from penstock.kafka.records import produce

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROWS = int(os.environ.get("PENSTOCK_BENCH_ROWS", "2000000"))
PARTITIONS = 4
INPUT_TOPIC = "bench_events"
_START = datetime(2024, 1, 1)
_BEHAVIORS = ("pv", "cart", "fav", "buy")


def start_broker(folder: Path) -> str:
    """The address of a broker that ends with this process."""
    return broker.start(folder, owner_pid=os.getpid()).address


def fill(address: str) -> None:
    """Write the input rows."""
    properties = {"bootstrap.servers": address}
    admin.create_topic(properties, INPUT_TOPIC, partitions=PARTITIONS)
    print(f"• writing {ROWS:,} rows", file=sys.stderr)
    produce(properties, INPUT_TOPIC, _records())


def fresh_topic(address: str, name: str) -> None:
    """An empty output topic."""
    admin.create_topic({"bootstrap.servers": address}, name, partitions=PARTITIONS)


def count(address: str, name: str) -> int:
    """How many messages a topic has."""
    properties = {"bootstrap.servers": address}
    begin = admin.beginning_offsets(properties, [name])
    return sum(end - begin[place] for place, end in admin.end_offsets(properties, [name]).items())


def _records() -> Iterator[Record]:
    chance = random.Random(1)
    for number in range(ROWS):
        seconds, fraction = divmod(number, 200)
        event = {
            "user_id": chance.randrange(100_000),
            "item_id": chance.randrange(1_000_000),
            "category": f"category-{chance.randrange(100)}",
            "behavior": _BEHAVIORS[number % 4],
            "ts": f"{_START + timedelta(seconds=seconds)}.{fraction * 5:03}",
        }
        value = json.dumps(event, separators=(",", ":")).encode()
        yield Record(value, partition=number // 4 % PARTITIONS)
