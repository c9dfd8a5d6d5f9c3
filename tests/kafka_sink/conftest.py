"""Records written by the sink alone: batches of rows made here, read back from the real broker."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from penstock.connectors.kafka_specs import KafkaTarget
from penstock.kafka.records import consume
from penstock.spark.failure import translate
from penstock.spark.place import Place
from penstock.spark.sinks.kafka import KafkaSink

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from penstock.errors import PenstockError
    from penstock.kafka.broker import BrokerStatus
    from penstock.kafka.record import Record

COLUMNS = {
    "value": "BINARY",
    "key": "BINARY",
    "headers": "ARRAY<STRUCT<key: STRING, value: BINARY>>",
    "timestamp": "TIMESTAMP",
    "topic": "STRING",
}


class Sinking:
    """Sinks of one job; `topic` makes topics."""

    def __init__(
        self, spark: SparkSession, address: str, topic: Callable[..., str], folder: Path
    ) -> None:
        self.spark = spark.newSession()
        self.topic = topic
        self.properties = {"bootstrap.servers": address}
        self.place = Place(folder, f"job_{uuid.uuid4().hex[:8]}/q", "orders")

    def records(self, rows: list[tuple[Any, ...]], columns: str = "value") -> DataFrame:
        schema = ", ".join(f"{name} {COLUMNS[name]}" for name in columns.split())
        return self.spark.createDataFrame(rows, schema)

    def sink(self, topics: str | tuple[str, ...], **options: Any) -> KafkaSink:
        names = (topics,) if isinstance(topics, str) else topics
        properties = {**self.properties, **options.pop("properties", {})}
        target = KafkaTarget(names, options.pop("pattern", None), tuple(properties.items()))
        for name, value in options.items():
            object.__setattr__(target, name, value)
        return KafkaSink(target, self.place)

    def write(self, rows: list[tuple[Any, ...]], columns: str, topics: Any, **options: Any) -> None:
        self.sink(topics, **options).write(self.records(rows, columns))

    def failure(self, rows: list[tuple[Any, ...]], columns: str, **options: Any) -> PenstockError:
        """The error that a user sees."""
        try:
            self.write(rows, columns, options.pop("topics", ()), **options)
        except Exception as error:
            return translate(error, "insert-1", "spark.log")
        pytest.fail("nothing was refused")

    def read(self, topic: str) -> list[Record]:
        return list(consume(self.properties, topic, from_beginning=True, until_end=True))

    def values(self, topic: str) -> list[str]:
        return sorted((record.value or b"").decode() for record in self.read(topic))


@pytest.fixture
def sinking(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> Sinking:
    return Sinking(spark, broker.address, topic, tmp_path / "query")
