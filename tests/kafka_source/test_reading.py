"""How a Kafka table is read: its metadata, its tasks, what is counted, what retention took."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka import Producer

from penstock import PenstockError
from penstock.connectors.kafka_specs import KafkaSource, Reading, Startup
from penstock.kafka import admin
from penstock.spark.place import Place
from penstock.spark.sources.kafka import kafka
from penstock.spark.sources.opening import OffsetRange, Opening
from tests.helpers import wait_until
from tests.kafka_source.pipeline import WAIT_S

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.kafka_source.pipeline import Pipeline

pytestmark = pytest.mark.kafka

PROVIDER = "penstock.kafka.source.TopicProvider"
IDS = "SELECT id FROM events"


def _rows(partition: int, *ids: int) -> list[tuple[int, dict[str, object]]]:
    return [(partition, {"id": number}) for number in ids]


def _committed(pipeline: Pipeline, name: str, *ids: int) -> None:
    """Rows in transactions of their own: a marker that nobody reads lies behind each."""
    producer = Producer({**pipeline.properties, "transactional.id": pipeline.prefix})
    producer.init_transactions()
    for number in ids:
        producer.begin_transaction()
        producer.produce(pipeline.prefix + name, json.dumps({"id": number}), partition=0)
        producer.commit_transaction()


@pytest.mark.parametrize("bounded", [False, True], ids=["stream", "batch"])
def test_leader_epoch_and_headers(pipeline: Pipeline, *, bounded: bool) -> None:
    options = ", 'scan.bounded.mode' = 'latest-offset'" if bounded else ""
    columns = (
        "id INT, e INT METADATA FROM 'leader-epoch' VIRTUAL, o BIGINT METADATA FROM 'offset' "
        "VIRTUAL, h MAP<STRING, BYTES> METADATA FROM 'headers' VIRTUAL"
    )
    pipeline.table("events", columns, partitions=2, options=options)
    pipeline.send("events", _rows(0, 1, 2) + _rows(1, 3))
    select = "SELECT id, e, o, CARDINALITY(h) FROM events"
    found = pipeline.drain("id INT, e INT, o BIGINT, h INT", select)
    assert found == [[1, 0, 0, 0], [2, 0, 1, 0], [3, 0, 0, 0]]


def test_rows_and_bytes_are_counted_and_markers_are_not_lost(pipeline: Pipeline) -> None:
    pipeline.table("events", "id INT", options=", 'properties.isolation.level' = 'read_committed'")
    _committed(pipeline, "events", 1, 2, 3)
    found = pipeline.drain("id INT", IDS, penstock_on__data__loss="continue")
    assert found == [[1], [2], [3]]
    rows, bytes_in, *_, lost = pipeline.traffic("events")
    assert (rows, bytes_in, lost) == (3, 3 * len('{"id": 1}'), 0)


def test_what_retention_took_is_counted(pipeline: Pipeline) -> None:
    pipeline.table("events", "id INT", partitions=2)
    pipeline.send("events", _rows(0, 1, 2) + _rows(1, 3))
    assert pipeline.drain("id INT", IDS) == [[1], [2], [3]]
    pipeline.send("events", _rows(0, *range(10, 20)) + _rows(1, 20))
    pipeline.delete_before("events", 0, 9)
    with pytest.raises(PenstockError) as caught:
        pipeline.drain("id INT", IDS)
    for fact in (f"{pipeline.prefix}events", "partition 0", "offset 2", "9", "on-data-loss"):
        assert fact in str(caught.value)
    # Partition 1 may have been written before partition 0 failed.
    found = pipeline.drain("id INT", IDS, penstock_on__data__loss="continue")
    assert {number for (number,) in found} == {1, 2, 3, 17, 18, 19, 20}
    assert pipeline.traffic("events")[-1] == 7


def test_new_topics_and_partitions_are_read_from_their_beginning(pipeline: Pipeline) -> None:
    columns, pattern = "id INT", f"{pipeline.prefix}events.*"
    admin.create_topic(pipeline.properties, f"{pipeline.prefix}events1")
    pipeline.send("events1", _rows(0, 1))
    options = f"'topic-pattern' = '{pattern}', 'scan.startup.mode' = 'latest-offset'"
    pipeline.declare("events", columns, options)
    pipeline.start(columns, IDS)
    wait_until(lambda: any(pipeline.state_dir.rglob("sources/0/0")), timeout_s=WAIT_S)
    admin.create_topic(pipeline.properties, f"{pipeline.prefix}events2")
    pipeline.send("events2", _rows(0, 2))
    pipeline.add_partitions("events1", 2)
    pipeline.send("events1", _rows(1, 3))
    pipeline.wait_for([[2], [3]])


def test_without_discovery_new_partitions_are_not_read(pipeline: Pipeline) -> None:
    options = ", 'scan.topic-partition-discovery.interval' = '0'"
    pipeline.table("events", "id INT", options=options)
    pipeline.send("events", _rows(0, 1))
    assert pipeline.drain("id INT", IDS) == [[1]]
    pipeline.add_partitions("events", 2)
    pipeline.send("events", _rows(1, 2) + _rows(0, 3))
    assert pipeline.drain("id INT", IDS) == [[1], [3]]


def test_row_by_row_in_real_time(pipeline: Pipeline) -> None:
    pipeline.table("events", "id INT, e INT METADATA FROM 'leader-epoch' VIRTUAL")
    pipeline.send("events", _rows(0, 1))
    select = "SELECT id, e FROM events"
    pipeline.start("id INT, e INT", select, penstock_latency="real-time")
    pipeline.wait_for([[1, 0]])
    pipeline.send("events", _rows(0, 2))
    pipeline.wait_for([[1, 0], [2, 0]])


def _tasks(spark: SparkSession, options: dict[str, str]) -> list[list[tuple[int, int]]]:
    """Partition and offset of every message, task by task."""
    found: Any = spark.read.format(PROVIDER).options(**options).load().select("partition", "offset")
    return [[(row[0], row[1]) for row in task] for task in found.rdd.glom().collect()]


def test_tasks_are_in_the_order_of_partitions_and_offsets(
    spark: SparkSession, pipeline: Pipeline, topic: Callable[..., str]
) -> None:
    name = topic("events", partitions=3)
    everything = [(partition, offset) for partition in range(3) for offset in range(4)]
    pipeline.prefix = ""
    pipeline.send(name, [(partition, {}) for partition, _ in everything])
    address = pipeline.properties["bootstrap.servers"]
    options = {"kafka.bootstrap.servers": address, "subscribe": name}
    assert _tasks(spark, options) == [[(p, o) for o in range(4)] for p in range(3)]
    fewer = _tasks(spark, {**options, "penstock.parallelism": "2"})
    assert fewer == [everything[:4], everything[4:]]
    more = _tasks(spark, {**options, "penstock.parallelism": "6"})
    assert more == [[(p, o) for o in range(4)] for p in range(3)]


class _Everything:
    """Offsets of one partition with four messages."""

    def __init__(self, topic: str) -> None:
        self._topic = topic

    def range(self, _: KafkaSource) -> OffsetRange:
        return OffsetRange({self._topic: {0: 0}}, {self._topic: {0: 4}})


def test_more_tasks_than_partitions_split_none(
    spark: SparkSession, pipeline: Pipeline, topic: Callable[..., str], tmp_path: Path
) -> None:
    name = topic("events")
    pipeline.prefix = ""
    pipeline.send(name, _rows(0, 1, 2, 3, 4))
    source = KafkaSource(
        topics=(name,),
        pattern=None,
        properties=tuple(pipeline.properties.items()),
        startup=Startup("earliest-offset"),
        reading=Reading(parallelism=6),
    )
    offsets: Any = _Everything(name)
    opening = Opening(spark, offsets, batch=True, place=Place(tmp_path), table="events")
    found: Any = kafka(opening, source).select("offset").rdd
    assert [[row[0] for row in task] for task in found.glom().collect()] == [[0, 1, 2, 3]]
