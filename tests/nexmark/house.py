"""The Nexmark scripts on the real broker, over the events of their generator."""

from __future__ import annotations

import csv
import json
import random
import re
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from penstock import Session
from penstock.kafka import admin
from penstock.kafka.lines import with_key_field
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.case_files import with_topics
from tests.nexmark.answers import Events, number, to_ms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

    from tests.nexmark.answers import Row

NEXMARK = Path(__file__).parents[2] / "examples" / "nexmark"
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?")
_LIMIT_S = 300
_DELAY_MS = 4000
_KEYS = {"person": "id", "auction": "id", "bid": "auction"}


class House:
    """Events in topics of their own; runs queries over them, and reads what they wrote."""

    def __init__(
        self, folder: Path, spark: SparkSession, address: str, *, events: int, partitions: int
    ) -> None:
        self.folder, self.spark, self.address = folder, spark, address
        self.prefix = f"house_{random.randrange(16**8):08x}_"
        self.properties = {"bootstrap.servers": address}
        self.batch = events // 3
        # Midnight is in it, and more than a minute.
        command = [sys.executable, NEXMARK / "generate.py", folder, "--events", str(events)]
        span = ["--rate", str(events / 75), "--start", "2026-01-31 23:59:30"]
        subprocess.run([*command, *span], check=True)
        self.events = Events(folder)
        for name, key in _KEYS.items():
            self.make_topic(f"nexmark_{name}", partitions)
            lines = (folder / f"{name}.jsonl").read_bytes().splitlines()
            parse = with_key_field(key) if partitions > 1 else Record
            produce(self.properties, f"{self.prefix}nexmark_{name}", map(parse, lines))

    def make_topic(self, name: str, partitions: int) -> None:
        admin.create_topic(self.properties, self.prefix + name, partitions=partitions)

    def watermark(self, *tables: str) -> int:
        """What a query over these tables has reached in the end: the slowest partition counts."""
        reached: dict[tuple[str, int], int] = {}
        for table in tables:
            for record in self.records(f"nexmark_{table}"):
                place = table, record.partition or 0
                at = to_ms(json.loads(record.value or b"{}")["dateTime"])
                reached[place] = max(at, reached.get(place, 0))
        return min(reached.values()) - _DELAY_MS

    def run(self, number: int, *, bounded: bool = False) -> None:
        """Run a script over all that is there; as a stream it takes several batches."""
        sink = self.sink(number, bounded=bounded)
        self.session().execute(
            self.script(number, bounded=bounded),
            name=sink,
            settings={"penstock.max-offsets-per-batch": str(self.batch)},
            drain=True,
        ).wait(_LIMIT_S)

    def session(self) -> Session:
        state = self.folder / "state"
        return Session(self.spark, bootstrap=self.address, state_dir=state)

    def script(self, number: int, *, bounded: bool) -> str:
        """The script with topics and files of this house."""
        text = (NEXMARK / f"q{number}.sql").read_text()
        sink = self.sink(number, bounded=bounded)
        text = text.replace("'nexmark/side_input", f"'{self.folder}/side_input")
        text = text.replace(f"'nexmark/q{number}'", f"'{self.folder}/{sink}'")
        text = with_topics(text.replace(f"'nexmark_q{number}'", f"'{sink}'"), self.prefix)
        if bounded:
            text = text.replace(
                "'scan.startup", "'scan.bounded.mode' = 'latest-offset', 'scan.startup"
            )
        return text

    def sink(self, number: int, *, bounded: bool) -> str:
        return f"{'at_rest' if bounded else 'stream'}_q{number}"

    def table(self, number: int, *, bounded: bool = False) -> Counter[Row]:
        """The table that a query's output makes."""
        sink = self.sink(number, bounded=bounded)
        if number == 10:
            return Counter(_rows_of_files(self.folder / sink))
        rows: Counter[Row] = Counter()
        by_key: dict[bytes, Row] = {}
        for record in self.records(sink):
            if record.key is None:
                rows[_row(record.value or b"")] += 1
            elif record.value is None:
                del by_key[record.key]
            else:
                by_key[record.key] = _row(record.value)
        return rows + Counter(by_key.values())

    def records(self, topic: str) -> Iterator[Record]:
        name = self.prefix + topic
        return consume(self.properties, name, from_beginning=True, until_end=True)


def _row(value: bytes) -> Row:
    named = json.loads(value, parse_float=lambda text: number(Decimal(text)))
    return tuple(_padded(value) for value in named.values())


def _padded(value: object) -> object:
    """A time to the millisecond."""
    if isinstance(value, str) and (time := _TIME.fullmatch(value)):
        return value.ljust(23, "0") if time[1] else f"{value}.000"
    return value


def _rows_of_files(folder: Path) -> list[Row]:
    rows = []
    for file in sorted(folder.glob("dt=*/hm=*/part-*")):
        place = [unquote(part.name.partition("=")[2]) for part in (file.parents[1], file.parent)]
        with file.open() as lines:
            for auction, bidder, price, time, extra in csv.reader(lines):
                numbers = int(auction), int(bidder), int(price)
                rows.append((*numbers, _padded(time), extra, *place))
    return rows
