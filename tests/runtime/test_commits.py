"""Offsets in the consumer group of a table: what finished batches have read, for lag tools."""

from __future__ import annotations

import json
import logging
import uuid
from typing import TYPE_CHECKING

import pytest

from penstock import Session
from penstock.kafka import admin
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from penstock.kafka.topic import TopicPartition
from penstock.plan.script import plan_script
from penstock.runtime.commits import GroupCommits, SharedGroups
from penstock.runtime.offset_lookup import kafka_sources
from penstock.sql.parse import parse
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

WAIT_S = 60
EARLIEST = "'scan.startup.mode' = 'earliest-offset'"
TABLES = """
CREATE TABLE numbers (n INT) WITH ('connector' = 'kafka', 'topic' = '{source}',
  'properties.bootstrap.servers' = 'x:1', 'format' = 'json', {options});
CREATE TABLE copies (n INT) WITH ('connector' = 'kafka', 'topic' = '{sink}',
  'properties.bootstrap.servers' = 'x:1', 'format' = 'json');
"""
COPY = "INSERT INTO copies SELECT n FROM numbers;"


class Place:
    """Ten numbers in two partitions, and a group of their own."""

    def __init__(self, spark: SparkSession, address: str, names: tuple[str, str], state: Path):
        self.source, self.sink = names
        self.group = f"g-{uuid.uuid4().hex[:8]}"
        self.properties = {"bootstrap.servers": address}
        self.session = Session(spark, bootstrap=address, state_dir=state)
        self.send(range(10))

    def send(self, numbers: range) -> None:
        records = [Record(json.dumps({"n": n}).encode(), partition=n % 2) for n in numbers]
        produce(self.properties, self.source, records)

    def text(self, options: str = EARLIEST, insert: str = COPY) -> str:
        options = f"'properties.group.id' = '{self.group}', {options}"
        return TABLES.format(source=self.source, sink=self.sink, options=options) + insert

    def committed(self) -> dict[int, int]:
        found = admin.committed_offsets(self.properties, self.group)
        return {place.partition: offset for place, offset in found.items()}


@pytest.fixture
def place(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> Place:
    names = topic("numbers", partitions=2), topic("copies")
    return Place(spark, broker.address, names, tmp_path)


def test_a_drained_job_has_committed_what_it_read(place: Place) -> None:
    assert place.session.execute(place.text(), drain=True).wait(WAIT_S)
    assert place.committed() == {0: 5, 1: 5}


def test_a_drained_job_ends_though_nobody_waits(place: Place) -> None:
    job = place.session.execute(place.text(), drain=True)
    wait_until(lambda: job.status().state == "finished", timeout_s=WAIT_S)
    assert place.committed() == {0: 5, 1: 5}
    job.folder.lock().release()


def test_a_running_job_commits_after_each_batch_and_when_it_stops(place: Place) -> None:
    """Nobody waits for it."""
    job = place.session.execute(place.text())
    wait_until(lambda: place.committed() == {0: 5, 1: 5}, timeout_s=WAIT_S)
    place.send(range(10, 13))
    wait_until(lambda: sum(p.rows_in for p in job.progress()) == 13, timeout_s=WAIT_S)
    job.stop()
    assert place.committed() == {0: 7, 1: 6}


def test_a_restart_goes_by_its_checkpoint_not_by_the_group(place: Place) -> None:
    assert place.session.execute(place.text(), drain=True).wait(WAIT_S)
    rewound = {TopicPartition(place.source, partition): 0 for partition in (0, 1)}
    admin.commit_offsets(place.properties, place.group, offsets=rewound)
    job = place.session.execute(place.text("'scan.startup.mode' = 'group-offsets'"), drain=True)
    assert job.wait(WAIT_S)
    assert job.ignored_startup == ("numbers",)
    assert sum(admin.end_offsets(place.properties, [place.sink]).values()) == 10


@pytest.mark.parametrize("bound", ["'scan.bounded.mode' = 'latest-offset'"])
def test_a_bounded_query_commits_when_all_is_written(place: Place, bound: str) -> None:
    assert place.session.execute(place.text(f"{EARLIEST}, {bound}")).wait(WAIT_S)
    assert place.committed() == {0: 5, 1: 5}


def test_a_bounded_table_beside_a_stream_commits_up_to_its_end(
    place: Place, topic: Callable[..., str]
) -> None:
    live = (
        f"CREATE TABLE live (n INT) WITH ('connector' = 'kafka', 'topic' = '{place.source}', "
        f"'properties.bootstrap.servers' = 'x:1', 'format' = 'json', {EARLIEST});"
    )
    end = "'scan.bounded.mode' = 'specific-offsets', 'scan.bounded.specific-offsets' = "
    text = place.text(
        f"{EARLIEST}, {end} 'partition:0,offset:2;partition:1,offset:5'",
        "INSERT INTO copies SELECT n FROM numbers UNION ALL SELECT n FROM live;",
    )
    assert place.session.execute(live + text, drain=True).wait(WAIT_S)
    assert place.committed() == {0: 2, 1: 5}


def test_nothing_is_committed_where_the_table_says_so(place: Place) -> None:
    off = "'properties.commit.offsets.on.checkpoint' = 'false'"
    assert place.session.execute(place.text(f"{EARLIEST}, {off}"), drain=True).wait(WAIT_S)
    assert place.committed() == {}


@pytest.fixture
def member(place: Place) -> Iterator[None]:
    """Somebody else is a member of the group: Kafka takes no offsets from outside then."""
    from confluent_kafka import Consumer

    consumer = Consumer({**place.properties, "group.id": place.group})
    consumer.subscribe([place.source])

    def assigned() -> bool:
        consumer.poll(0.05)
        return bool(consumer.assignment())

    wait_until(assigned)
    yield
    consumer.close()


@pytest.mark.usefixtures("member")
def test_a_commit_that_fails_is_a_warning(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "penstock.job"):
        assert place.session.execute(place.text(), drain=True).wait(WAIT_S)
    warnings = [record.getMessage() for record in caplog.records if record.name == "penstock.job"]
    assert len(warnings) == 1
    assert place.group in warnings[0]
    assert sum(admin.end_offsets(place.properties, [place.sink]).values()) == 10


def test_the_slowest_query_of_a_job_counts() -> None:
    """Two queries read a table for one group."""
    insert = "INSERT INTO p SELECT n FROM a;"
    text = TWO.format(topics="'topic' = 'u'").partition("INSERT")[0] + insert
    [query] = plan_script(parse(text), name="t").queries
    [source] = kafka_sources(query)
    first, second = TopicPartition("t", 0), TopicPartition("t", 1)
    shared = SharedGroups()
    assert shared.least("x", source, {first: 5, second: 2}) == {first: 5, second: 2}
    assert shared.least("y", source, {first: 3}) == {first: 3}
    assert shared.least("x", source, {first: 9, second: 4}) == {first: 3, second: 4}
    assert shared.least("y", source, {first: 9}) == {first: 9}
    shared.expect(query, {first: 7})
    assert shared.least("x", source, {first: 10, second: 5}) == {first: 7}
    assert shared.least(query.id, source, {first: 8, second: 1}) == {first: 8, second: 1}
    shared.forget(query.id)
    assert shared.least("x", source, {first: 10, second: 5}) == {first: 9, second: 5}


BLINK = """
CREATE TABLE a (messageKey VARBINARY, `message` VARBINARY, topic VARCHAR, `partition` INT,
  `offset` BIGINT) WITH (type = 'kafka010', topic = 't', `group.id` = 'g',
  bootstrap.servers = 'x:1', startupMode = 'EARLIEST'{more});
CREATE TABLE b (v VARCHAR) WITH (type = 'print');
INSERT INTO b SELECT topic FROM a;
"""


@pytest.mark.parametrize(
    ("more", "groups"), [("", ("g",)), (", `commit.offsets.on.checkpoint` = 'false'", ())]
)
def test_blink_tables_commit_as_others_do(more: str, groups: tuple[str, ...]) -> None:
    [query] = plan_script(parse(BLINK.format(more=more), "blink"), name="t").queries
    assert GroupCommits(query, dict, ["c"]).groups == groups


TWO = """
CREATE TABLE a (n INT) WITH ('connector' = 'kafka', 'topic' = 't', 'format' = 'json',
  'properties.bootstrap.servers' = 'x:1', 'properties.group.id' = 'g');
CREATE TABLE b (n INT) WITH ('connector' = 'kafka', 'format' = 'json', {topics},
  'properties.bootstrap.servers' = 'y:1', 'properties.group.id' = 'h');
CREATE TABLE p (n INT) WITH ('connector' = 'print');
INSERT INTO p SELECT n FROM a UNION ALL SELECT n FROM b;
"""


@pytest.mark.parametrize(
    ("topics", "clusters", "groups"),
    [
        ("'topic' = 'u'", "cd", ("g", "h")),
        ("'topic' = 't'", "cc", ("g", "h")),
        ("'topic' = 'u;t'", "cd", ()),
        ("'topic-pattern' = 't.*'", "cd", ()),
    ],
)
def test_a_topic_of_the_same_name_in_two_clusters_is_not_committed(
    topics: str, clusters: str, groups: tuple[str, ...]
) -> None:
    [query] = plan_script(parse(TWO.format(topics=topics)), name="t").queries
    assert GroupCommits(query, dict, clusters).groups == groups
