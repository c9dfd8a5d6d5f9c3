"""Which partition a record goes to, and how many tasks write."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import Session
from penstock.connectors.kafka_specs import Partitioner
from penstock.errors import OptionError
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus
    from tests.kafka_sink.conftest import Sinking

pytestmark = pytest.mark.kafka

ROWS = [(str(i).encode(), f"k{i % 5}".encode()) for i in range(60)]
PYTHON = """
def by_value(key, value, topic, partitions):
    assert topic and partitions == 3
    return int(value) % partitions


class ByKey:
    def partition(self, key, value, topic, partitions):
        return int(key[1:]) % partitions


def beyond(key, value, topic, partitions):
    return partitions
"""


def test_keys_decide_by_default(sinking: Sinking) -> None:
    topic = sinking.topic(partitions=3)
    sinking.write(ROWS, "value key", topic)
    places = {(record.key, record.partition) for record in sinking.read(topic)}
    assert len(places) == 5


@pytest.mark.parametrize(("parallelism", "partitions"), [(1, {0}), (2, {0, 1}), (4, {0, 1, 2})])
def test_fixed_partition_of_a_task(
    parallelism: int, partitions: set[int], sinking: Sinking
) -> None:
    topic = sinking.topic(partitions=3)
    rows = [(value,) for value, _ in ROWS]
    sinking.write(rows, "value", topic, partitioner=Partitioner("fixed"), parallelism=parallelism)
    found = sinking.read(topic)
    assert {record.partition for record in found} == partitions
    assert sorted((r.value or b"",) for r in found) == sorted(rows)


def test_rows_of_a_key_stay_together(sinking: Sinking) -> None:
    topic = sinking.topic(partitions=8)
    sinking.write(ROWS, "value key", topic, partitioner=Partitioner("fixed"), parallelism=8)
    places = {(record.key, record.partition) for record in sinking.read(topic)}
    assert len(places) == 5
    assert len({partition for _, partition in places}) > 1


def test_a_java_partitioner(sinking: Sinking) -> None:
    topic = sinking.topic(partitions=3)
    name = "org.apache.kafka.clients.producer.RoundRobinPartitioner"
    same_key = [(value, b"k") for value, _ in ROWS]
    sinking.write(same_key, "value key", topic, partitioner=Partitioner("java", name))
    assert {record.partition for record in sinking.read(topic)} == {0, 1, 2}


REFUSED = {
    "no.such.Class": "Could not find and instantiate partitioner class 'no.such.Class'.",
    "java.lang.Object": "Sink partitioner class 'java.lang.Object' should implement the required "
    "class org.apache.kafka.clients.producer.Partitioner.",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_java_class_that_is_no_partitioner(name: str, sinking: Sinking) -> None:
    sink = sinking.sink("t", partitioner=Partitioner("java", name))
    with pytest.raises(OptionError) as refused:
        sink.prepare(sinking.records([(b"v",)]))
    assert REFUSED[name] in str(refused.value)


@pytest.fixture
def python(tmp_path: Path) -> Callable[[str], Partitioner]:
    (tmp_path / "chosen.py").write_text(PYTHON)
    return lambda name: Partitioner("python", f"chosen.{name}", (str(tmp_path),))


@pytest.mark.parametrize("name", ["by_value", "ByKey"])
def test_a_python_partitioner(
    name: str, sinking: Sinking, python: Callable[[str], Partitioner]
) -> None:
    topic = sinking.topic(partitions=3)
    sinking.write(ROWS, "value key", topic, partitioner=python(name))
    found = sinking.read(topic)
    assert len(found) == len(ROWS)
    for record in found:
        text = record.value if name == "by_value" else (record.key or b"")[1:]
        assert record.partition == int(text or b"") % 3


def test_a_python_partitioner_over_several_topics(
    sinking: Sinking, python: Callable[[str], Partitioner]
) -> None:
    topics = (sinking.topic(partitions=3), sinking.topic(partitions=3))
    rows = [(b"4", topics[0]), (b"5", topics[1])]
    sinking.write(rows, "value topic", topics, partitioner=python("by_value"))
    assert [sinking.read(topic)[0].partition for topic in topics] == [1, 2]


def test_a_partition_that_is_not_there(
    sinking: Sinking, python: Callable[[str], Partitioner]
) -> None:
    topic = sinking.topic(partitions=3)
    error = sinking.failure(ROWS, "value key", topics=topic, partitioner=python("beyond"))
    assert error.code == "BAD_RECORD"
    assert f"the partitioner chose partition 3 of topic '{topic}', which has 3" in str(error)


def test_a_python_class_that_is_not_there(
    sinking: Sinking, python: Callable[[str], Partitioner]
) -> None:
    sink = sinking.sink("t", partitioner=python("Missing"))
    with pytest.raises(OptionError, match=r"partitioner class 'chosen\.Missing'"):
        sink.prepare(sinking.records([(b"v",)]))


def java_hash(text: str) -> int:
    found = 0
    for letter in text:
        found = (found * 31 + ord(letter)) % 2**32
    return found


def test_fixed_partitions_of_several_topics(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> None:
    """Each has its own row of partitions, else those of one partition would all be the first."""
    properties = {"bootstrap.servers": broker.address}
    topics, result = [topic("part") for _ in range(3)], topic("result", partitions=7)
    for name in topics:
        produce(properties, name, [Record(json.dumps({"name": name}).encode())])
    kafka = "'connector' = 'kafka', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json'"
    job = Session(spark, bootstrap=broker.address, state_dir=tmp_path).execute(
        f"CREATE TABLE parts (name STRING) WITH ({kafka}, 'topic' = '{';'.join(topics)}', "
        "'scan.startup.mode' = 'earliest-offset');"
        f"CREATE TABLE result (name STRING) WITH ({kafka}, 'topic' = '{result}', "
        "'sink.partitioner' = 'fixed'); INSERT INTO result SELECT name FROM parts;",
        drain=True,
    )
    assert job.wait(60)
    records = consume(properties, result, from_beginning=True, until_end=True)
    found = {json.loads(record.value or b"")["name"]: record.partition for record in records}
    assert found == {name: java_hash(name) * 31 % 2**31 % 7 for name in topics}
