"""Event time in a stream: each table's watermark, and conditions that stay above it.

A Kafka table's time is that of its slowest partition; the Java package `penstock.watermark` keeps
it. Here a table is made known there and its time column is marked with the name it has there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.connectors.kafka_specs import KafkaSource
from penstock.model.changelog import KIND_COLUMN, RowKind
from penstock.model.types import quote
from penstock.plan.windows import ROWTIME_COLUMN, WINDOW_COLUMN, as_instant
from penstock.spark.java_class import java_class

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.plan.nodes import Scan
    from penstock.spark.source import Sources

_FILE = "watermarks.json"
_DELETE = list(RowKind).index(RowKind.DELETE)
_CLOCK = "penstock.watermark.ClockProvider"
_NO_ROWTIME = (
    "raise_error('RowTime field should not be null, please convert it to a non-null long value.')"
)
# The columns that say when a row is: its event time, or where it has none its window.
_TIMES = (ROWTIME_COLUMN, WINDOW_COLUMN)
_JOINED = re.compile(r"`j(\d+)([lr])\d+`")


class Watermarks:
    """The watermarks of one query, numbered in the order of its tables; a batch has none."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._declared = 0

    def declare(self, node: Scan) -> str:
        """Make a table's watermark known; the name that it has within the query."""
        if self._sources.batch:
            return ""
        of_partitions = isinstance(node.spec.source, KafkaSource)
        return self._declare(node.table, node.watermark_delay_ms, of_partitions=of_partitions)

    def _declare(self, table: str, delay_ms: int, *, of_partitions: bool) -> str:
        place, session = self._sources.place, self._sources.session
        known = java_class(session, "penstock.watermark.PartitionWatermarks")
        if not self._declared:
            # Beside Spark's own progress: whoever removes that removes this as well.
            known.begin(place.key, str(place.folder / "checkpoint" / _FILE))
        self._declared += 1
        name = str(self._declared)
        known.declare(place.key, name, table, delay_ms, of_partitions)
        return name

    def applied(self, rows: DataFrame, node: Scan, name: str) -> DataFrame:
        """The rows with their event time, which moves the watermark of that name."""
        # Spark would leave out rows without a time; Flink stops, and nothing is lost unseen.
        # A message that deletes a key has none.
        missing = f"if({KIND_COLUMN} = {_DELETE}, NULL, {_NO_ROWTIME})"
        otherwise = missing if KIND_COLUMN in rows.columns else _NO_ROWTIME
        local_time = f"coalesce(CAST({quote(node.rowtime)} AS TIMESTAMP_NTZ), {otherwise})"
        marks = {"penstock.query": self._sources.place.key, "penstock.scan": name} if name else {}
        time = F.expr(as_instant(local_time)).alias(ROWTIME_COLUMN, metadata=marks)
        timed = rows.select("*", time)
        return timed.withWatermark(ROWTIME_COLUMN, f"{node.watermark_delay_ms} milliseconds")

    def by_clock(self, rows: DataFrame, time: str, column: str, tick_ms: int) -> DataFrame:
        """The rows with the time of their batch, and a watermark that the clock moves."""
        name = self._declare(_CLOCK, 0, of_partitions=False)
        key, session = self._sources.place.key, self._sources.session
        options = {
            "query": key,
            "scan": name,
            "zone": session.conf.get("spark.sql.session.timeZone"),
            "everyMs": tick_ms,
        }
        ticks = session.readStream.format(_CLOCK).options(**options).load()
        none = (F.lit(None).cast(f.dataType).alias(f.name) for f in rows.schema.fields)
        marks = {"penstock.query": key, "penstock.scan": name, "penstock.clock": True}
        timed = rows.union(ticks.select(*none)).select(
            "*", F.expr(time).alias(column, metadata=marks)
        )
        return timed.withWatermark(column, "0 seconds")


def after_watermark(condition: str, rows: DataFrame) -> str:
    """The condition, naming the event times of its rows so that Spark leaves it above them.

    One that reads a single side of a join names that side's time only, and may go below the join.
    """
    found = ([n for n in rows.columns if n.startswith(mark)] for mark in _TIMES)
    times = next(filter(None, found), [])
    sides = {f"_{tag}{side}" for tag, side in _JOINED.findall(condition)}
    if len(sides) == 1:
        times = [name for name in times if name.endswith(tuple(sides))] or times
    for name in times:
        condition = f"penstock_after_watermark({name}, {condition})"
    return condition
