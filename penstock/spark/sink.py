"""A query's records → its target: the writer for a target, and the start of a stream into it."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.spark.sinks import SINKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

    from penstock.connectors.base import Target
    from penstock.spark.place import Place
    from penstock.spark.sinks.base import Sink

    BlockWriter = Callable[[DataFrame, int], None]


_SINK_CHECK = "spark.sql.streaming.realTimeMode.allowlistCheck"
_EMPTY_BATCHES = "spark.sql.streaming.noDataMicroBatches.enabled"


@dataclass(frozen=True, slots=True)
class Streaming:
    """How a stream runs: where it keeps its progress, when it ends, how often it looks.

    With `real_time_ms` rows are handed on one by one, and progress is noted so often. `forgets`:
    state goes after a time.
    """

    name: str
    checkpoint: str
    drain: bool = False
    updates: bool = False
    poll_ms: int | None = None
    real_time_ms: int | None = None
    forgets: bool = False


def open_sink(target: Target, place: Place) -> Sink:
    """The writer of a target."""
    return SINKS[type(target)](target, place)


def start_stream(
    records: DataFrame, sink: Sink, how: Streaming, block: BlockWriter | None = None
) -> StreamingQuery:
    """Start writing; with `drain` the query ends when it has read what was there.

    With `block` it is that which is handed each batch, and the sink gets what is made of it.
    """
    prepared = records if block else sink.prepare(records)
    writer = prepared.writeStream.queryName(how.name).option("checkpointLocation", how.checkpoint)
    # Spark knows this output mode only for rows one by one; without state it is the same.
    if how.updates or how.real_time_ms:
        writer = writer.outputMode("update")
    if how.drain:
        writer = writer.trigger(availableNow=True)
    elif how.real_time_ms:
        # Spark's list of sinks knows its own only; ours takes rows one by one as well.
        records.sparkSession.conf.set(_SINK_CHECK, "false")
        every = f"{how.real_time_ms} milliseconds"
        writer = writer.trigger(realTime=every)  # type: ignore[call-overload] # its stub is behind
    elif how.poll_ms:
        writer = writer.trigger(processingTime=f"{how.poll_ms} milliseconds")
    with _without_empty_batches(records.sparkSession) if how.forgets else nullcontext():
        return (writer.foreachBatch(block) if block else sink.attach(writer)).start()


@contextmanager
def _without_empty_batches(session: SparkSession) -> Iterator[None]:
    """Where state may go at any time, Spark would run batches without rows, and never end."""
    before = session.conf.get(_EMPTY_BATCHES)
    session.conf.set(_EMPTY_BATCHES, "false")
    try:
        yield
    finally:
        session.conf.set(_EMPTY_BATCHES, before or "true")
