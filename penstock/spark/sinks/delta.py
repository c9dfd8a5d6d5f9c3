"""Rows into a table at rest, each batch in one commit, and never twice."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.connectors.merge_rules import PARTITION, ROW, merges, sorting_columns
from penstock.model.types import quote
from penstock.spark.kept import keep, read_kept
from penstock.spark.sinks.base import Sink

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameWriter
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    from penstock.connectors.merge_tree import MergeTreeTable
    from penstock.spark.place import Place


class DeltaSink(Sink):
    """Adds rows; the table remembers the last batch of each stream, and passes over it next time.

    A stream is known by the id in its checkpoint, or by one that is kept beside it where its
    batches are handed over one by one.
    """

    def __init__(self, target: MergeTreeTable, place: Place) -> None:
        self._path = target.path
        self._by = [PARTITION] if target.is_partitioned else []
        self._noted = place.folder / "writer.json"
        # Where rows of one key are merged, which came last must stay known.
        self._key = () if merges(target.engine) else sorting_columns(target.order_by) or ()

    def attach(self, writer: DataStreamWriter) -> DataStreamWriter:
        """Delta's own sink."""
        return writer.format("delta").option("path", self._path)

    def write(self, records: DataFrame) -> None:
        """Add all records in one commit."""
        self._writer(records).save(self._path)

    def append(self, batch: DataFrame, batch_id: int) -> None:
        """Add the records of one batch, unless they are there."""
        numbered = self._writer(batch).option("txnAppId", self._id()).option("txnVersion", batch_id)
        numbered.save(self._path)

    def _writer(self, records: DataFrame) -> DataFrameWriter:
        """Rows stand in their files in the order of the sorting key, if it is of plain columns.

        Files are of one partition: a task sorts its rows by it, and hands none to another task.
        """
        key = [quote(name) for name in self._key if _can_be_sorted(records, name)]
        if self._by and not self._key:
            records, key = records.withColumn(ROW, F.monotonically_increasing_id()), [ROW]
        by = [*self._by, *key]
        ordered = records.sortWithinPartitions(*by).drop(ROW) if by else records
        return ordered.write.format("delta").mode("append")

    def _id(self) -> str:
        noted = read_kept(self._noted)
        if not noted:
            noted = {"id": uuid.uuid4().hex}
            keep(self._noted, noted)
        return str(noted["id"])


def _can_be_sorted(records: DataFrame, name: str) -> bool:
    return name in records.columns and records.schema[name].dataType.typeName() != "map"
