"""Targets that Spark writes to by itself: a format and its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.spark.sinks.base import Sink

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    from penstock.connectors.blackhole import BlackholeTarget
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


def blackhole(target: BlackholeTarget, place: Place) -> Sink:
    """Computes everything, keeps nothing."""
    return FormatSink("noop", {})
