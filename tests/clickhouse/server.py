"""A warehouse whose views are served, and statements from elsewhere that change it meanwhile."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from penstock.catalog.catalog import Overrides
from penstock.catalog.warehouse import Warehouse
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from penstock.plan.clickhouse.serve import plan_views
from penstock.plan.script import plan_script
from penstock.runtime.job import Job
from penstock.runtime.start_steps import start_steps
from penstock.runtime.state import JobFolder
from penstock.runtime.steps import How
from penstock.sql.parse import parse
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import pytest
    from pyspark.sql import SparkSession

    from penstock.plan.query import ScriptPlan

WAIT_S = 300


@dataclass
class Server:
    """`serve` and `sql` as the commands do it, in one process; each test has a warehouse."""

    spark: SparkSession
    address: str
    folder: Path
    topic: Callable[..., str]
    capsys: pytest.CaptureFixture[str]
    jobs: list[Job] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.warehouse = Warehouse(self.folder / "w")
        self.overrides = Overrides(self.address, {}, warehouse=str(self.warehouse.path))
        self.properties = {"bootstrap.servers": self.address}
        self.source = self.topic("queue", partitions=2)
        self.group = f"g-{uuid.uuid4().hex[:8]}"

    def send(self, values: Iterable[int | bytes | None], topic: str | None = None) -> None:
        """Numbers as rows, bytes and nothing as they are, to the partitions in turn."""
        texts = (b'{"n": %d}' % v if isinstance(v, int) else v for v in values)
        records = [Record(text, partition=at % 2) for at, text in enumerate(texts)]
        produce(self.properties, topic or self.source, records)

    def queue(self, name: str = "queue", columns: str = "n Int64", **settings: object) -> str:
        given = {
            "kafka_broker_list": "x:1",
            "kafka_topic_list": self.source,
            "kafka_group_name": self.group,
            "kafka_format": "JSONEachRow",
            **settings,
        }
        listed = ", ".join(f"{key} = '{value}'" for key, value in given.items())
        return f"CREATE TABLE {name} ({columns}) ENGINE = Kafka SETTINGS {listed};\n"

    def sql(self, text: str) -> list[Any]:
        """What `penstock sql` does; the lines that it shows, which are JSON."""

        def planned() -> ScriptPlan:
            parsed = parse(text, "clickhouse")
            return plan_script(parsed, name="sql", overrides=self.overrides, keeps=True)

        self.capsys.readouterr()
        how = How(False, Job.wait, lambda result: None, "none")
        job = self._start(planned, how)
        assert job.wait(WAIT_S)
        return [json.loads(line) for line in self.capsys.readouterr().out.splitlines()]

    def serve(self, *, drain: bool = False) -> Job:
        """What `penstock serve` does; it goes on by itself."""
        how = How(drain, lambda job: job.wait(WAIT_S), lambda result: None, "all")
        job = self._start(lambda: plan_views(self.warehouse, self.overrides, ()), how)
        self.jobs.append(job)
        if drain:
            assert job.wait(WAIT_S)
        else:
            job.look_after()
        return job

    def _start(self, planned: Callable[[], ScriptPlan], how: How) -> Job:
        from penstock.spark.session import prepare

        plan = planned()
        session = prepare(self.spark, dict(plan.settings))
        folder = JobFolder(plan.name, self.folder / uuid.uuid4().hex)
        job = start_steps(plan, session, folder=folder, how=how, replan=planned)
        assert job
        return job

    def numbers(self, table: str = "kept") -> list[int]:
        """The column `n` of a table at rest, in order."""
        return [
            row[0]
            for row in self.sql(f"SELECT n FROM {table} ORDER BY n FORMAT JSONCompactEachRow")
        ]

    def await_numbers(self, expected: Iterable[int], table: str = "kept") -> None:
        """Wait until they are there; one more would stay, and is looked for once all are."""
        wanted = sorted(expected)
        found: list[int] = []

        def complete() -> bool:
            found[:] = self.numbers(table)
            return len(found) >= len(wanted)

        wait_until(complete, timeout_s=WAIT_S)
        assert found == wanted

    def states(self) -> dict[str, tuple[str, str]]:
        """The views of the server: state and note."""
        return {one.query: (one.state, one.note) for one in self.jobs[-1].status().queries}

    def await_state(self, view: str, state: str) -> str:
        """Wait for the state of a view; what is noted of it."""
        wait_until(lambda: self.states().get(view, ("", ""))[0] == state, timeout_s=WAIT_S)
        return self.states()[view][1]

    def problems(self, table: str) -> str:
        """What `system.kafka_consumers` says of a table's messages and views."""
        select = f"SELECT exceptions.text FROM system.kafka_consumers WHERE table = '{table}'"
        found = self.sql(f"{select} FORMAT JSONCompactEachRow")
        return "\n".join(text for (texts,) in found for text in texts)

    def committed(self) -> int:
        """How many messages the group has read."""
        return sum(admin.committed_offsets(self.properties, self.group).values())

    def close(self) -> None:
        for job in self.jobs:
            job.stop(grace_s=0)
