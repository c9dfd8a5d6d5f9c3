"""Targets that Spark writes to by itself: a format and its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.spark.sinks.base import Sink

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    from penstock.connectors.blackhole import BlackholeTarget
    from penstock.connectors.kafka_specs import KafkaTarget
    from penstock.spark.place import Place


class FormatSink(Sink):
    """Spark's own writer of a format, for streams and for batches."""

    def __init__(self, format_: str, options: Mapping[str, str]) -> None:
        self._format = format_
        self._options = options

    def attach(self, writer: DataStreamWriter) -> DataStreamWriter:
        """Format and options."""
        return writer.format(self._format).options(**self._options)

    def write(self, records: DataFrame) -> None:
        """Append all records."""
        records.write.format(self._format).options(**self._options).mode("append").save()


def kafka(target: KafkaTarget, place: Place) -> Sink:
    """Spark's Kafka writer: every record at least once."""
    options = {f"kafka.{key}": value for key, value in target.properties}
    return FormatSink("kafka", {"topic": target.topics[0], **options})


def blackhole(target: BlackholeTarget, place: Place) -> Sink:
    """Computes everything, keeps nothing."""
    return FormatSink("noop", {})
