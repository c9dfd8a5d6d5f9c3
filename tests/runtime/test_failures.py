"""What goes wrong in Kafka while a job runs: each has an error of its own, or is survived."""

from __future__ import annotations

import json
import os
import signal
import socket
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError, Session
from penstock.kafka import admin
from penstock.kafka import broker as embedded
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.helpers import last_commit, take_back, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus
    from penstock.runtime.job import Job

pytestmark = pytest.mark.kafka

_WAIT_S = 120
CONTINUE = {"penstock.on-data-loss": "continue"}
SCRIPT = """
CREATE TABLE numbers (n INT) WITH ('connector' = 'kafka', 'topic' = '{source}',
  'properties.bootstrap.servers' = 'x:1', 'format' = 'json',
  'scan.startup.mode' = 'earliest-offset');
CREATE TABLE copies (n INT) WITH ('connector' = 'kafka', 'topic' = '{sink}',
  'properties.bootstrap.servers' = 'x:1', 'format' = 'json');
INSERT INTO copies SELECT n FROM numbers;
"""


class Pipeline:
    """Numbers from one topic to another."""

    def __init__(self, spark: SparkSession, address: str, names: tuple[str, str], state: Path):
        self.source, self.sink = names
        self.properties = {"bootstrap.servers": address}
        self.state, self.spark = state, spark
        self.session = Session(spark, bootstrap=address, state_dir=state)
        self.jobs: list[Job] = []

    def start(self, *, drain: bool = False, **settings: str) -> Job:
        text = SCRIPT.format(source=self.source, sink=self.sink)
        job = self.session.execute(text, name="numbers", drain=drain, settings=settings)
        self.jobs.append(job)
        return job

    def send(self, numbers: range, *, partition: int = 0) -> None:
        lines = (json.dumps({"n": n}).encode() for n in numbers)
        produce(self.properties, self.source, [Record(x, partition=partition) for x in lines])

    def create_anew(self) -> None:
        admin.delete_topic(self.properties, self.source)
        admin.create_topic(self.properties, self.source)

    def output(self) -> list[int]:
        found = consume(self.properties, self.sink, from_beginning=True, until_end=True)
        return sorted(json.loads(record.value or b"")["n"] for record in found)

    def wait_for(self, count: int) -> None:
        wait_until(lambda: len(self.output()) >= count, timeout_s=_WAIT_S)

    def delete_before(self, offset: int) -> None:
        from confluent_kafka import TopicPartition
        from confluent_kafka.admin import AdminClient

        client = AdminClient(self.properties)
        for done in client.delete_records([TopicPartition(self.source, 0, offset)]).values():
            done.result(30)


@pytest.fixture
def pipeline(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> Iterator[Pipeline]:
    made = Pipeline(spark, broker.address, (topic("numbers"), topic("copies")), tmp_path)
    yield made
    for job in made.jobs:
        job.stop(grace_s=0)


def error_of(job: Job) -> PenstockError:
    with pytest.raises(PenstockError) as caught:
        job.wait(_WAIT_S)
    assert "Exception" not in str(caught.value)
    return caught.value


def test_a_topic_deleted_while_it_is_read(pipeline: Pipeline) -> None:
    pipeline.send(range(3))
    job = pipeline.start()
    pipeline.wait_for(3)
    admin.delete_topic(pipeline.properties, pipeline.source)
    error = error_of(job)
    assert error.code == "TOPIC_GONE"
    status = json.loads((pipeline.state / "numbers" / "status.json").read_text())
    assert (status["state"], status["error"]["code"]) == ("failed", "TOPIC_GONE")
    assert status["queries"][0]["state"] == "failed"


@pytest.mark.parametrize("messages", [1, 3, 5], ids=["fewer", "as-many", "more"])
def test_a_topic_created_anew_is_noticed(pipeline: Pipeline, messages: int) -> None:
    pipeline.send(range(3))
    assert pipeline.start(drain=True).wait(_WAIT_S)
    pipeline.create_anew()
    pipeline.send(range(10, 10 + messages))
    error = error_of(pipeline.start(drain=True))
    assert error.code == "TOPIC_RECREATED"
    assert f"'{pipeline.source}' was deleted and created again" in str(error)
    assert pipeline.start(drain=True, **CONTINUE).wait(_WAIT_S)
    assert pipeline.output() == [0, 1, 2, *range(10, 10 + messages)]
    pipeline.send(range(20, 22))
    assert pipeline.start(drain=True).wait(_WAIT_S)
    assert pipeline.output() == [0, 1, 2, *range(10, 10 + messages), 20, 21]


def test_a_batch_that_broke_off_is_not_read_from_a_topic_created_anew(pipeline: Pipeline) -> None:
    for numbers in (range(3), range(3, 6)):
        pipeline.send(numbers)
        assert pipeline.start(drain=True).wait(_WAIT_S)
    take_back(last_commit(pipeline.state))
    pipeline.create_anew()
    pipeline.send(range(10, 20))
    assert error_of(pipeline.start(drain=True)).code == "TOPIC_RECREATED"
    assert pipeline.start(drain=True, **CONTINUE).wait(_WAIT_S)
    assert pipeline.output() == [*range(6), *range(10, 20)]


def test_a_topic_created_anew_while_it_is_read(pipeline: Pipeline) -> None:
    pipeline.send(range(3))
    job = pipeline.start(**CONTINUE)
    pipeline.wait_for(3)
    pipeline.create_anew()
    pipeline.send(range(10, 20))
    pipeline.wait_for(13)
    job.stop()
    assert pipeline.output() == [0, 1, 2, *range(10, 20)]


def test_messages_that_went_before_they_were_read(
    pipeline: Pipeline, caplog: pytest.LogCaptureFixture
) -> None:
    pipeline.send(range(3))
    assert pipeline.start(drain=True).wait(_WAIT_S)
    pipeline.send(range(3, 10))
    pipeline.delete_before(8)
    error = error_of(pipeline.start(drain=True))
    assert error.code == "MESSAGES_GONE"
    for fact in (f"'{pipeline.source}'", "offset 3", "begins at 8", "penstock.on-data-loss"):
        assert fact in str(error)
    job = pipeline.start(drain=True, **CONTINUE)
    assert job.wait(_WAIT_S)
    assert pipeline.output() == [0, 1, 2, 8, 9]
    [query] = job.status().queries
    assert [table.rows_lost for table in query.tables if table.table == "numbers"] == [5]
    assert "5 messages of table `numbers` were gone before they were read" in caplog.text


def test_a_partition_added_while_it_runs_is_read_from_its_beginning(pipeline: Pipeline) -> None:
    from confluent_kafka.admin import AdminClient, NewPartitions

    pipeline.send(range(3))
    job = pipeline.start()
    pipeline.wait_for(3)
    client = AdminClient(pipeline.properties)
    for done in client.create_partitions([NewPartitions(pipeline.source, 2)]).values():
        done.result(30)
    wait_until(lambda: len(admin.end_offsets(pipeline.properties, [pipeline.source])) == 2)
    pipeline.send(range(3, 6), partition=1)
    pipeline.wait_for(6)
    job.stop()
    assert pipeline.output() == list(range(6))


@pytest.fixture
def deaf() -> Iterator[str]:
    """The address of something that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as listening:
        yield f"127.0.0.1:{listening.getsockname()[1]}"


def test_a_broker_that_never_answers_is_named(pipeline: Pipeline, deaf: str) -> None:
    pipeline.session = Session(pipeline.spark, bootstrap=deaf, state_dir=pipeline.state)
    with pytest.raises(PenstockError) as caught:
        pipeline.start(drain=True)
    assert caught.value.code == "BROKER_UNREACHABLE"
    assert deaf in str(caught.value)


@pytest.mark.slow
def test_one_living_broker_of_a_list_is_enough(pipeline: Pipeline, deaf: str) -> None:
    pipeline.send(range(3))
    brokers = f"{deaf},127.0.0.1:1,{pipeline.properties['bootstrap.servers']}"
    pipeline.session = Session(pipeline.spark, bootstrap=brokers, state_dir=pipeline.state)
    assert pipeline.start(drain=True).wait(_WAIT_S)
    assert pipeline.output() == [0, 1, 2]


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[BrokerStatus]:
    """A broker that can be stopped, and that keeps lists of who may do what."""
    rights = (
        ("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
        ("allow.everyone.if.no.acl.found", "true"),
    )
    folder, extras = tmp_path / "broker", embedded.Extras(settings=rights)
    yield embedded.start(folder, owner_pid=os.getpid(), extras=extras)
    embedded.stop(folder)


@pytest.fixture
def fragile(spark: SparkSession, own_broker: BrokerStatus, tmp_path: Path) -> Iterator[Pipeline]:
    made = Pipeline(spark, own_broker.address, ("numbers", "copies"), tmp_path)
    for name in ("numbers", "copies"):
        admin.create_topic(made.properties, name)
    yield made
    for job in made.jobs:
        job.stop(grace_s=0)


def test_rights_that_are_taken_away(fragile: Pipeline) -> None:
    from confluent_kafka.admin import (
        AclBinding,
        AclOperation,
        AclPermissionType,
        AdminClient,
        ResourcePatternType,
        ResourceType,
    )

    fragile.send(range(3))
    job = fragile.start()
    fragile.wait_for(3)
    rule = AclBinding(
        ResourceType.TOPIC,
        "numbers",
        ResourcePatternType.LITERAL,
        "User:ANONYMOUS",
        "*",
        AclOperation.ALL,
        AclPermissionType.DENY,
    )
    client = AdminClient(fragile.properties)
    for done in client.create_acls([rule]).values():
        done.result(30)
    error = error_of(job)
    assert error.code == "ACCESS_LOST"
    assert "authorization failed" in str(error)


@pytest.mark.slow
def test_silence_of_the_brokers_is_told(
    fragile: Pipeline, own_broker: BrokerStatus, caplog: pytest.LogCaptureFixture
) -> None:
    fragile.send(range(3))
    job = fragile.start()
    fragile.wait_for(3)
    os.kill(own_broker.pid, signal.SIGSTOP)
    try:
        wait_until(lambda: "its brokers do not answer" in caplog.text, timeout_s=_WAIT_S)
    finally:
        os.kill(own_broker.pid, signal.SIGCONT)
    wait_until(lambda: "its brokers answer again" in caplog.text, timeout_s=_WAIT_S)
    fragile.send(range(3, 6))
    fragile.wait_for(6)
    job.stop()


@pytest.mark.slow
def test_a_broker_that_comes_back_is_waited_for_and_one_that_does_not_is_named(
    fragile: Pipeline, own_broker: BrokerStatus
) -> None:
    port = int(own_broker.address.rpartition(":")[2])
    fragile.send(range(3))
    job = fragile.start()
    fragile.wait_for(3)
    embedded.stop(own_broker.directory)
    embedded.start(own_broker.directory, port=port, owner_pid=os.getpid())
    fragile.send(range(3, 6))
    fragile.wait_for(6)
    embedded.stop(own_broker.directory)
    error = error_of(job)
    assert error.code == "BROKER_LOST"
    assert error.exit_code == 3
