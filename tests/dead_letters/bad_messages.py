"""A table whose messages are not all readable, read by one query."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from penstock import Session
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from penstock.kafka.topic import TopicPartition
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.runtime.job import Job
    from penstock.runtime.traffic import TableTraffic

WAIT_S = 300
PARTITIONS = 2
# One message in so many cannot be read.
EVERY = 1000
SCRIPT = """
CREATE TABLE numbers ({columns}) WITH ('connector' = 'kafka', 'topic' = '{source}',
  'properties.bootstrap.servers' = 'x:1', 'format' = 'json',
  'scan.startup.mode' = 'earliest-offset'{options});
CREATE TABLE copies (n BIGINT) WITH ('connector' = 'kafka', 'topic' = '{sink}',
  'properties.bootstrap.servers' = 'x:1', 'format' = 'json'{sink_options});
INSERT INTO copies SELECT n FROM numbers;
"""
EXACTLY_ONCE = (
    ", 'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = 'bad'"
)


def letters_to(topic: str) -> str:
    """The options of a table that sends its bad messages to a topic."""
    return f", 'scan.deser.failure-handler' = 'kafka', 'scan.deser.failure-topic' = '{topic}'"


def bad(number: int) -> bool:
    """In turn of each partition."""
    return number % EVERY == EVERY // 2 + number // EVERY % PARTITIONS


def message(number: int) -> Record:
    """Broken off in the middle where it is bad; its key and its header name it in any case."""
    text = f'{{"n": {number}' if bad(number) else f'{{"n": {number}}}'
    return Record(
        text.encode(),
        key=b'{"id": %d}' % number,
        headers=(("from", b"test"), ("number", b"%d" % number)),
        partition=number % PARTITIONS,
        timestamp=1_700_000_000_000 + number,
    )


@dataclass
class BadMessages:
    """Topics of one test, and the jobs between them."""

    spark: SparkSession
    address: str
    folder: Path
    topic: Callable[..., str]
    jobs: list[Job] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.properties = {"bootstrap.servers": self.address}
        self.source = self.topic("numbers", partitions=PARTITIONS)
        self.sink = self.topic("copies")
        self.letters_topic = self.topic("letters", partitions=PARTITIONS)
        self.session = Session(self.spark, bootstrap=self.address, state_dir=self.folder)

    def send(self, numbers: Iterable[int]) -> None:
        produce(self.properties, self.source, map(message, numbers))

    def script(self, options: str = "", *, columns: str = "n BIGINT", sink: str = "") -> str:
        return SCRIPT.format(
            source=self.source, sink=self.sink, options=options, columns=columns, sink_options=sink
        )

    def start(self, script: str, *, drain: bool = True, **settings: str) -> Job:
        job = self.session.execute(script, name="bad", drain=drain, settings=settings)
        self.jobs.append(job)
        return job

    def run(self, script: str, **settings: str) -> TableTraffic:
        """Drain it; what was counted of the table that is read."""
        job = self.start(script, **settings)
        assert job.wait(WAIT_S)
        (query,) = job.progress()
        return next(table for table in query.tables if table.table == "numbers")

    def copies(self) -> Counter[int]:
        return Counter(json.loads(record.value or b"")["n"] for record in self.all_of(self.sink))

    def letters(self) -> list[Record]:
        return sorted(self.all_of(self.letters_topic), key=number_of)

    def all_of(self, topic: str) -> list[Record]:
        return list(consume(self.properties, topic, from_beginning=True, until_end=True))

    def wait_for_letters(self, count: int) -> None:
        wait_until(lambda: len(self.letters()) >= count, timeout_s=WAIT_S)

    def close(self) -> None:
        for job in self.jobs:
            job.stop(grace_s=0)


def number_of(letter: Record) -> int:
    return int(dict(letter.headers)["number"] or b"")


def place_of(letter: Record) -> tuple[TopicPartition, int]:
    """Where its headers say that the message stood."""
    headers = {name: (value or b"").decode() for name, value in letter.headers}
    partition = TopicPartition(headers["penstock.topic"], int(headers["penstock.partition"]))
    return partition, int(headers["penstock.offset"])
