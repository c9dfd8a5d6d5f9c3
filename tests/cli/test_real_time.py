"""`SET 'penstock.latency' = 'real-time'`: rows come out while the batch that reads them is open."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

PARTITIONS = 5
_LIMIT_S = 240
SCRIPT = """
SET 'penstock.latency' = 'real-time';
SET 'penstock.real-time.commit-interval' = '5 s';
CREATE TABLE numbers (n BIGINT, word STRING) WITH (
  'connector' = 'kafka', 'topic' = '{source}', 'properties.bootstrap.servers' = 'x:1',
  'properties.group.id' = '{source}', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE copies (n BIGINT, word STRING) WITH (
  'connector' = 'kafka', 'topic' = '{sink}', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
INSERT INTO copies SELECT n, UPPER(word) FROM numbers WHERE n >= 0;
"""


class Pipeline:
    """A real-time script between a topic of more partitions than cores and one of one."""

    def __init__(self, folder: Path, address: str, source: str, sink: str) -> None:
        self.script = folder / "prompt.sql"
        self.script.write_text(SCRIPT.format(source=source, sink=sink))
        self.source, self.sink, self.address = source, sink, address
        self.properties = {"bootstrap.servers": address}
        self.processes: list[subprocess.Popen[str]] = []

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "penstock", "run", str(self.script), *arguments]
        process = subprocess.Popen(
            [*command, "--bootstrap", self.address],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def send(self, numbers: range) -> None:
        records = [
            Record(json.dumps({"n": n, "word": f"w{n}"}).encode(), partition=n % PARTITIONS)
            for n in numbers
        ]
        produce(self.properties, self.source, records)

    def written(self) -> int:
        return sum(admin.end_offsets(self.properties, [self.sink]).values())

    def output(self) -> list[int]:
        records = consume(self.properties, self.sink, from_beginning=True, until_end=True)
        return sorted(json.loads(record.value or b"")["n"] for record in records)

    def status(self) -> dict[str, Any]:
        file = self.script.parent / ".penstock" / "prompt" / "status.json"
        found: dict[str, Any] = json.loads(file.read_text())
        return found

    def batches(self) -> int:
        return int(self.status()["queries"][0]["batches"])


@pytest.fixture
def pipeline(broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path) -> Iterator[Pipeline]:
    names = topic("numbers", partitions=PARTITIONS), topic("copies")
    made = Pipeline(tmp_path, broker.address, *names)
    yield made
    for process in made.processes:
        process.kill()
        process.communicate()


def test_rows_come_out_while_their_batch_is_open(pipeline: Pipeline) -> None:
    pipeline.send(range(PARTITIONS))
    running = pipeline.start()
    wait_until(lambda: pipeline.written() == PARTITIONS, timeout_s=_LIMIT_S)
    assert pipeline.batches() == 0
    # Each row is sent when the one before is out: one batch at a time would be a batch each.
    for n in range(PARTITIONS, 5 * PARTITIONS):
        pipeline.send(range(n, n + 1))
        wait_until(lambda n=n: pipeline.written() > n)  # type: ignore[misc]
    assert pipeline.batches() < 2 * PARTITIONS
    # What Spark reports of a batch comes when it ends: all its rows, and then the group knows.
    wait_until(lambda: pipeline.status()["queries"][0]["rows_in"] == 25, timeout_s=_LIMIT_S)
    [query] = pipeline.status()["queries"]
    assert (query["rows_out"], query["lag"], query["runs_as"]) == (25, 0, "real-time")
    ends = admin.end_offsets(pipeline.properties, [pipeline.source])
    wait_until(lambda: admin.committed_offsets(pipeline.properties, pipeline.source) == ends)
    running.send_signal(signal.SIGTERM)
    _, said = running.communicate(timeout=_LIMIT_S)
    assert running.returncode == 0, said
    assert pipeline.output() == list(range(25))


def test_after_kill_9_nothing_is_lost(pipeline: Pipeline) -> None:
    running = pipeline.start()
    pipeline.send(range(50))
    wait_until(lambda: pipeline.written() >= 50, timeout_s=_LIMIT_S)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    pipeline.send(range(50, 100))
    again = pipeline.start()
    wait_until(lambda: set(pipeline.output()) == set(range(100)), timeout_s=_LIMIT_S)
    again.send_signal(signal.SIGTERM)
    again.communicate(timeout=_LIMIT_S)
    # One batch at most is sent again.
    assert len(pipeline.output()) <= 150


def test_too_few_slots_are_named(pipeline: Pipeline) -> None:
    running = pipeline.start("--master", "local-cluster[1,2,1024]")
    _, said = running.communicate(timeout=_LIMIT_S)
    assert running.returncode == 1
    assert "error[TOO_FEW_SLOTS]" in said
