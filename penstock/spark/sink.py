"""A query's records → its target: the writer for a target, and the start of a stream into it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.spark.sinks import SINKS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

    from penstock.connectors.base import Target
    from penstock.spark.place import Place
    from penstock.spark.sinks.base import Sink


@dataclass(frozen=True, slots=True)
class Streaming:
    """How a stream runs: where it keeps its progress, when it ends, how often it looks."""

    name: str
    checkpoint: str
    drain: bool = False
    updates: bool = False
    poll_ms: int | None = None


def open_sink(target: Target, place: Place) -> Sink:
    """The writer of a target."""
    return SINKS[type(target)](target, place)


def start_stream(records: DataFrame, sink: Sink, how: Streaming) -> StreamingQuery:
    """Start writing; with `drain` the query ends when it has read what was there."""
    writer = records.writeStream.queryName(how.name).option("checkpointLocation", how.checkpoint)
    if how.updates:
        writer = writer.outputMode("update")
    if how.drain:
        writer = writer.trigger(availableNow=True)
    elif how.poll_ms:
        writer = writer.trigger(processingTime=f"{how.poll_ms} milliseconds")
    return sink.attach(writer).start()
