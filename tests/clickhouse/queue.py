"""A Kafka table of ClickHouse, the tables that its views fill, and jobs between their topics."""

from __future__ import annotations

import json
import threading
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from penstock import Session
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.topic import TopicPartition
    from penstock.runtime.job import Job
    from penstock.runtime.traffic import TableTraffic

WAIT_S = 120
VIEW = "CREATE MATERIALIZED VIEW v TO copies AS SELECT n FROM queue;"


@dataclass
class Queue:
    """`queue (n Int64)` over a topic of two partitions, and `copies (n Int64)`."""

    spark: SparkSession
    address: str
    folder: Path
    topic: Callable[..., str]
    jobs: list[Job] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.properties = {"bootstrap.servers": self.address}
        self.source, self.sink = self.topic("queue", partitions=2), self.topic("copies")
        self.group = f"g-{uuid.uuid4().hex[:8]}"
        self.session = Session(self.spark, bootstrap=self.address, state_dir=self.folder)

    def send(self, values: Iterable[int | bytes]) -> None:
        """Numbers as rows, bytes as they are, to the partitions in turn."""
        texts = (v if isinstance(v, bytes) else b'{"n": %d}' % v for v in values)
        records = [Record(text, partition=at % 2) for at, text in enumerate(texts)]
        produce(self.properties, self.source, records)

    @contextmanager
    def sending(self, every_s: float, *, each: int = 1) -> Iterator[None]:
        """Meanwhile messages come to the first partition, so many at once."""
        ended = threading.Event()

        def send_on() -> None:
            while not ended.wait(every_s):
                produce(self.properties, self.source, [Record(b'{"n": 1}', partition=0)] * each)

        thread = threading.Thread(target=send_on)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def table(self, name: str, topic: str, columns: str = "n Int64", **settings: object) -> str:
        added = "".join(f", {key} = '{value}'" for key, value in settings.items())
        return (
            f"CREATE TABLE {name} ({columns}) ENGINE = Kafka SETTINGS kafka_broker_list = 'x:1',"
            f" kafka_topic_list = '{topic}', kafka_group_name = '{self.group}',"
            f" kafka_format = 'JSONEachRow'{added};\n"
        )

    def script(self, body: str = VIEW, **settings: object) -> str:
        tables = self.table("queue", self.source, **settings) + self.table("copies", self.sink)
        return tables + body

    def start(self, script: str, *, drain: bool = True, **settings: str) -> Job:
        job = self.session.execute(script, name="queue", drain=drain, settings=settings)
        self.jobs.append(job)
        return job

    def run(self, script: str, **settings: str) -> dict[str, TableTraffic]:
        """Drain it; what was counted of each table of the first query."""
        job = self.start(script, **settings)
        assert job.wait(WAIT_S)
        return {table.table: table for table in job.progress()[0].tables}

    def messages(self, topic: str) -> list[Record]:
        return list(consume(self.properties, topic, from_beginning=True, until_end=True))

    def rows(self, topic: str | None = None) -> list[Any]:
        found = self.messages(topic or self.sink)
        return [json.loads(record.value or b"null") for record in found]

    def copies(self) -> list[int]:
        return sorted(row["n"] for row in self.rows())

    def committed(self) -> dict[TopicPartition, int]:
        return admin.committed_offsets(self.properties, self.group)

    def close(self) -> None:
        for job in self.jobs:
            job.stop(grace_s=0)
