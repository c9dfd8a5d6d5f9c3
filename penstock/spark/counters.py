"""What the Java module counts while a query runs: rows and bytes per table, what holds time back.

Asked about once a second: each question is one call into Java.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from penstock.spark.java_class import java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Counts:
    """What went through one table of a query since it began."""

    rows_in: int = 0
    bytes_in: int = 0
    rows_out: int = 0
    bytes_out: int = 0
    rows_lost: int = 0
    skipped: int = 0
    dead_letters: int = 0


class Counters:
    """The counters of one query, known by the key of its place."""

    def __init__(self, session: SparkSession, name: str) -> None:
        self._name = name
        self._traffic = java_class(session, "penstock.kafka.Traffic")
        self._watermarks = java_class(session, "penstock.watermark.PartitionWatermarks")

    def forget(self) -> None:
        """Begin at nothing: an earlier run of the query in this process has ended."""
        self._traffic.forget(self._name)

    def tables(self) -> dict[str, Counts]:
        """What went through each table."""
        found = {}
        for line in str(self._traffic.lines(self._name)).splitlines():
            table, *numbers = line.rsplit("\t", len(fields(Counts)))
            found[table] = Counts(*map(int, numbers))
        return found

    def holding(self) -> dict[str, str]:
        """For each table with a watermark the partition that holds it back, and its time."""
        lines = str(self._watermarks.holding(self._name)).splitlines()
        held = (line.rpartition("\t") for line in lines)
        return {table: partition for table, _, partition in held}
