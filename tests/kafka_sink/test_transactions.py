"""Exactly-once: streams over the real broker, broken off, replayed, and laid out anew."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from penstock import Session
from penstock.errors import PenstockError
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.helpers import last_commit, take_back, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus
    from penstock.runtime.job import Job

pytestmark = pytest.mark.kafka

WAIT_S = 120
PARTITIONS = 4
# The task that gets the number 37 waits for a file, and fails.
HOLDING = """
import pathlib, time

def partition(key, value, topic, partitions):
    if value == b'{"n":37}':
        while not pathlib.Path(r"%s").exists():
            time.sleep(0.02)
        raise ValueError("released")
    return 0
"""


class Stream:
    """Numbers from one topic to another, exactly once."""

    def __init__(
        self, spark: SparkSession, address: str, topic: Callable[..., str], folder: Path
    ) -> None:
        self.spark = spark
        self.properties = {"bootstrap.servers": address}
        self.folder = folder
        self.numbers = topic("numbers", partitions=PARTITIONS)
        self.result = topic("result", partitions=2)
        self.sent = 0
        self.session = Session(spark, bootstrap=address, state_dir=folder)

    def send(self, count: int) -> None:
        numbers = range(self.sent, self.sent + count)
        records = [Record(json.dumps({"n": n}).encode(), partition=n % PARTITIONS) for n in numbers]
        produce(self.properties, self.numbers, records)
        self.sent += count

    def start(
        self, *, drain: bool = True, query: str = "", bounded: str = "unbounded", **options: str
    ) -> Job:
        kafka = "'connector' = 'kafka', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json'"
        given = "".join(f", '{key}' = '{value}'" for key, value in options.items())
        return self.session.execute(
            f"CREATE TABLE numbers (n INT) WITH ({kafka}, 'topic' = '{self.numbers}', "
            f"'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = '{bounded}');"
            f"CREATE TABLE result (n INT) WITH ({kafka}, 'topic' = '{self.result}', "
            "'sink.delivery-guarantee' = 'exactly-once', "
            f"'sink.transactional-id-prefix' = '{self.result}'{given});"
            f"INSERT INTO result {query or 'SELECT n FROM numbers'};",
            name=self.numbers,
            drain=drain,
        )

    def fail_in_one_task(self, patch: pytest.MonkeyPatch, **options: str) -> None:
        """Every task but one commits its rows."""
        module, release = f"holding_{self.numbers}", self.folder / "release"
        (self.folder / f"{module}.py").write_text(HOLDING % release)
        patch.syspath_prepend(self.folder)
        job = self.start(**{**options, "sink.partitioner": f"{module}.partition"})
        wait_until(lambda: len(self.found()) >= 10, timeout_s=WAIT_S)
        release.touch()
        with pytest.raises(PenstockError, match="ValueError: released") as told:
            job.wait(WAIT_S)
        assert told.value.code == "PARTITIONER_FAILED"
        assert 37 not in self.found()

    def run(self, **options: Any) -> None:
        assert self.start(**options).wait(WAIT_S)

    def found(self, isolation: str = "read_committed") -> list[int]:
        properties = {**self.properties, "isolation.level": isolation}
        records = consume(properties, self.result, from_beginning=True, until_end=True)
        return sorted(json.loads(record.value or b"")["n"] for record in records)

    def take_back_last_commit(self) -> None:
        """What a crash between the last write and Spark's own commit leaves behind."""
        take_back(last_commit(self.folder))

    def task_id(self, task: int) -> str:
        (checkpoint,) = self.folder.rglob("checkpoint")
        return f"{self.result}-{self.numbers}/{checkpoint.parent.name}-{task}"


@pytest.fixture
def stream(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> Stream:
    return Stream(spark, broker.address, topic, tmp_path)


def test_rows_come_once_over_several_batches(stream: Stream) -> None:
    for _ in range(3):
        stream.send(40)
        job = stream.start()
        assert job.wait(WAIT_S)
        (progress,) = job.progress()
        assert (progress.rows_in, progress.rows_out) == (40, 40)
    assert stream.found() == list(range(120))


def test_a_replayed_batch_is_not_written_again(stream: Stream) -> None:
    stream.send(40)
    stream.run()
    stream.take_back_last_commit()
    stream.send(20)
    stream.run()
    assert stream.found("read_uncommitted") == list(range(60))
    assert stream.found() == list(range(60))


def test_a_batch_that_was_written_in_part_is_completed(
    stream: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream.send(40)
    stream.fail_in_one_task(monkeypatch)
    stream.run()
    assert stream.found() == list(range(40))


@pytest.mark.parametrize(("before", "after"), [("", "1"), ("2", "3")])
def test_another_parallelism_after_a_crash(
    before: str, after: str, stream: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream.send(40)
    stream.fail_in_one_task(monkeypatch, **({"sink.parallelism": before} if before else {}))
    stream.send(40)
    stream.run(**{"sink.parallelism": after})
    assert stream.found() == list(range(80))


@pytest.mark.parametrize("bounded", ["unbounded", "latest-offset"])
def test_another_prefix_after_a_crash(
    bounded: str, stream: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is half written is found by its former ids."""
    stream.send(40)
    stream.fail_in_one_task(monkeypatch, bounded=bounded)
    stream.run(bounded=bounded, **{"sink.transactional-id-prefix": f"{stream.result}-new"})
    assert stream.found() == list(range(40))
    if bounded == "unbounded":
        stream.send(10)
        stream.run(**{"sink.transactional-id-prefix": f"{stream.result}-new"})
        assert stream.found() == list(range(50))


def test_tasks_that_cannot_be_had_again_are_told_of(
    stream: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the note of the former parallelism is lost."""
    stream.send(40)
    stream.fail_in_one_task(monkeypatch)
    (note,) = stream.folder.rglob("kafka-sink.json")
    note.unlink()
    with pytest.raises(PenstockError) as told:
        stream.run(**{"sink.parallelism": "1"})
    assert told.value.code == "WRITE_FAILED"
    assert "written in part by 4 tasks" in str(told.value)
    note.write_text('{"parallelism": null}')
    stream.run(**{"sink.parallelism": "1"})
    assert stream.found() == list(range(40))


def test_the_markers_of_a_job_that_was_reset_skip_nothing(stream: Stream) -> None:
    stream.send(40)
    stream.run()
    (checkpoint,) = stream.folder.rglob("checkpoint")
    shutil.rmtree(checkpoint)
    stream.run()
    assert stream.found() == sorted([*range(40), *range(40)])


def test_what_hangs_is_aborted_when_the_job_starts(stream: Stream, broker: BrokerStatus) -> None:
    """A transaction of a task that there is none of any more would hide what follows it."""
    from confluent_kafka import Producer

    stream.send(40)
    stream.run()
    dangling = Producer(
        {"bootstrap.servers": broker.address, "transactional.id": stream.task_id(3)}
    )
    dangling.init_transactions(30)
    dangling.begin_transaction()
    for partition in range(2):
        dangling.produce(stream.result, b'{"n": -1}', partition=partition)
    dangling.flush()
    stream.send(20)
    stream.run(**{"sink.parallelism": "1"})
    assert stream.found() == list(range(60))
    with pytest.raises(Exception, match=r"fenced|newer"):
        dangling.commit_transaction(10)


def test_a_second_writer_is_told_of(stream: Stream, broker: BrokerStatus) -> None:
    from confluent_kafka import Producer

    stream.send(4)
    job = stream.start(drain=False)
    wait_until(lambda: stream.found() == list(range(4)), timeout_s=WAIT_S)
    for task in range(PARTITIONS):
        other = Producer(
            {"bootstrap.servers": broker.address, "transactional.id": stream.task_id(task)}
        )
        other.init_transactions(30)
    stream.send(4)
    with pytest.raises(PenstockError) as told:
        job.wait(WAIT_S)
    assert told.value.code == "WRITE_FAILED"
    assert "another producer took over its transactional id" in str(told.value)
    stream.run()
    assert stream.found() == list(range(8))


def test_a_timeout_that_the_broker_refuses(stream: Stream) -> None:
    stream.send(4)
    with pytest.raises(PenstockError) as told:
        stream.run(**{"properties.transaction.timeout.ms": "7200000"})
    assert "'properties.transaction.timeout.ms' = '7200000' is more than" in str(told.value)


@pytest.mark.parametrize("after", ["", "3"])
def test_a_bounded_query_that_failed_goes_on(
    after: str, stream: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream.send(40)
    stream.fail_in_one_task(monkeypatch, bounded="latest-offset")
    stream.send(20)
    options = {"sink.parallelism": after} if after else {}
    stream.run(bounded="latest-offset", **options)
    assert stream.found() == list(range(40)), "the run that failed ends where it would have ended"
    stream.run(bounded="latest-offset", **options)
    assert stream.found() == sorted([*range(40), *range(60)])
