"""The embedded broker and the input of the benchmarks: 2 million JSON rows in 4 partitions."""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

from penstock.kafka import admin, broker
from penstock.kafka.record import Record
from penstock.kafka.records import produce

ROWS = int(os.environ.get("PENSTOCK_BENCH_ROWS", "2000000"))
PARTITIONS = 4
INPUT_TOPIC = "bench_events"
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


def _records() -> list[Record]:
    chance = random.Random(1)
    return (  # type: ignore[return-value]
        Record(
            json.dumps(
                {
                    "user_id": chance.randrange(100_000),
                    "item_id": chance.randrange(1_000_000),
                    "category": f"category-{chance.randrange(100)}",
                    "behavior": _BEHAVIORS[i % 4],
                    "ts": f"2024-01-01 {i // 720000:02}:{i // 12000 % 60:02}:{i // 200 % 60:02}.{i % 1000:03}",
                },
                separators=(",", ":"),
            ).encode(),
            partition=i % PARTITIONS,
        )
        for i in range(ROWS)
    )
