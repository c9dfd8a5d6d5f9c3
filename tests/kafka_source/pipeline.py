"""Scripts over topics whose partitions a test fills one by one."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions

from penstock import Session
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from penstock.runtime.state import JobFolder
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.runtime.job import Job

# Long enough for a machine that does much else.
WAIT_S = 300


class Pipeline:
    """Input topics, an output topic `out`, and jobs of one name between them."""

    def __init__(self, spark: SparkSession, address: str, folder: Path) -> None:
        self.properties = {"bootstrap.servers": address}
        self.prefix = f"t{uuid.uuid4().hex[:8]}_"
        self.state_dir = folder
        self.java: Any = spark.sparkContext._jvm
        self._session = Session(spark, bootstrap=address, state_dir=folder)
        self._admin = AdminClient(self.properties)
        self._ddl: list[str] = []
        self._jobs: list[Job] = []
        self._written: list[list[Any]] = []
        self._out = TopicPartition(self.prefix + "out", 0, 0)
        admin.create_topic(self.properties, self._out.topic)
        self._consumer = Consumer({**self.properties, "group.id": self.prefix})
        self._consumer.assign([self._out])

    def close(self) -> None:
        for job in self._jobs:
            job.stop(grace_s=0)
        self._consumer.close()

    def table(self, name: str, columns: str, *, partitions: int = 1, options: str = "") -> None:
        """A JSON table over a new topic of its name, read from the earliest offset."""
        admin.create_topic(self.properties, self.prefix + name, partitions=partitions)
        start = "" if "startup" in options else ", 'scan.startup.mode' = 'earliest-offset'"
        self.declare(name, columns, f"'topic' = '{self.prefix}{name}'{start}{options}")

    def declare(self, name: str, columns: str, options: str) -> None:
        self._ddl.append(
            f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'kafka', 'format' = 'json', "
            f"'properties.bootstrap.servers' = 'x:1', {options});"
        )

    def view(self, name: str, query: str) -> None:
        self._ddl.append(f"CREATE VIEW {name} AS {query};")

    def send(self, name: str, rows: Iterable[tuple[int, dict[str, object]]]) -> None:
        """Rows, each with the partition it goes to."""
        records = [Record(value=json.dumps(row).encode(), partition=at) for at, row in rows]
        produce(self.properties, self.prefix + name, records)

    def add_partitions(self, name: str, total: int) -> None:
        topic = self.prefix + name
        for future in self._admin.create_partitions([NewPartitions(topic, total)]).values():
            future.result()

    def delete_before(self, name: str, partition: int, offset: int) -> None:
        place = TopicPartition(self.prefix + name, partition, offset)
        for future in self._admin.delete_records([place]).values():
            future.result()

    def start(self, columns: str, select: str, *, drain: bool = False, **settings: str) -> Job:
        """Start `INSERT INTO out <select>`."""
        self_named = {key.replace("__", "-").replace("_", "."): v for key, v in settings.items()}
        out = f"'topic' = '{self.prefix}out'"
        text = "".join(self._ddl) + (
            f"CREATE TABLE out_t ({columns}) WITH ('connector' = 'kafka', 'format' = 'json', "
            f"'properties.bootstrap.servers' = 'x:1', {out}); INSERT INTO out_t {select};"
        )
        job = self._session.execute(text, name=self.prefix, settings=self_named, drain=drain)
        self._jobs.append(job)
        return job

    def drain(self, columns: str, select: str, **settings: str) -> list[list[Any]]:
        """Run it until all is read; everything written so far, as sorted lists of values."""
        assert self.start(columns, select, drain=True, **settings).wait(WAIT_S)
        return self.out()

    def out(self) -> list[list[Any]]:
        _, end = self._consumer.get_watermark_offsets(self._out)
        while len(self._written) < end:
            if message := self._consumer.poll(1):
                self._written.append(list(json.loads(message.value() or b"{}").values()))
        return sorted(self._written, key=str)

    def wait_for(self, rows: list[list[Any]]) -> None:
        """Until exactly these were written; fails at once if a job has failed."""

        def done() -> bool:
            for job in self._jobs:
                job.raise_failure()
            return self.out() == rows

        wait_until(done, timeout_s=WAIT_S)

    def _key(self) -> str:
        return str(JobFolder.of(self.prefix, self.state_dir.absolute()).query("out_t"))

    def holding(self) -> dict[str, str]:
        """Table → the partition that holds its watermark, and its time; without the prefix."""
        found = str(self.java.penstock.watermark.PartitionWatermarks.holding(self._key()))
        held = dict(line.split("\t") for line in found.splitlines())
        return {table: text.removeprefix(self.prefix) for table, text in held.items()}

    def traffic(self, table: str) -> list[int]:
        """Rows in, bytes in, rows out, bytes out, rows lost."""
        counts = self.java.penstock.kafka.Traffic.report(self._key())[table]
        return [int(count) for count in counts[:5]]

    def commits(self) -> list[Path]:
        files = self.state_dir.rglob("checkpoint/commits/[0-9]*")
        return sorted(files, key=lambda file: int(file.name))
