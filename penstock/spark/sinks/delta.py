"""Rows into a table at rest, each batch in one commit, and never twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from penstock.connectors.merge_rules import PARTITION, ROW, merges, sorting_columns
from penstock.errors import RunError
from penstock.model.types import quote
from penstock.spark.java_class import java_class
from penstock.spark.sinks.base import Sink

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    from penstock.connectors.merge_tree import MergeTreeTable
    from penstock.spark.place import Place

_PROVIDER = "penstock.delta.AppendProvider"


class DeltaSink(Sink):
    """Adds rows; the table remembers the last batch of each stream, and passes over it next time.

    A stream is known by the id in its checkpoint, also where its batches are handed over one by
    one: a query that becomes such a one, or none any more, stays the same writer.
    """

    def __init__(
        self,
        path: str,
        place: Place,
        key: tuple[str, ...] = (),
        *,
        table: str = "",
        partitioned: bool = False,
    ) -> None:
        self._path = path
        self._checkpoint = place.folder / "checkpoint"
        self._by = [PARTITION] if partitioned else []
        self._key = key
        # Named only where somebody else makes it, and may have removed it.
        self._table = table
        # What adds blocks, in Java: made with the first one, when the stream has its id.
        self._blocks: Any = None

    def attach(self, writer: DataStreamWriter) -> DataStreamWriter:
        """Delta's sink, which asks only of the first batch of a run whether it is there."""
        self._require_table()
        return writer.format(_PROVIDER).option("path", self._path)

    def write(self, records: DataFrame) -> None:
        """Add all records in one commit."""
        self._require_table()
        self._ordered(records).write.format("delta").mode("append").save(self._path)

    def append(self, batch: DataFrame, batch_id: int) -> None:
        """Add the records of one batch, unless they are there."""
        self._require_table()
        if self._blocks is None:
            stream = stream_id(self._checkpoint)
            appends = java_class(batch.sparkSession, "penstock.delta.BlockAppends")
            self._blocks = appends(self._path, stream)
        self._blocks.add(batch_id, self._ordered(batch)._jdf)

    def _require_table(self) -> None:
        """Where there is no table Delta would make one that nobody knows."""
        if self._table and not (Path(self._path) / "_delta_log").is_dir():
            raise RunError("TABLE_GONE", table=self._table, folder=self._path)

    def _ordered(self, records: DataFrame) -> DataFrame:
        """Rows stand in their files in the order of the sorting key, if it is of plain columns.

        Files are of one partition: a task sorts its rows by it, and hands none to another task.
        """
        key = [quote(name) for name in self._key if _can_be_sorted(records, name)]
        if self._by and not self._key:
            records, key = records.withColumn(ROW, F.monotonically_increasing_id()), [ROW]
        by = [*self._by, *key]
        return records.sortWithinPartitions(*by).drop(ROW) if by else records


def stream_id(checkpoint: Path) -> str:
    """The id that Spark gave a stream with its first start."""
    return str(json.loads((checkpoint / "metadata").read_text())["id"])


def at_rest(target: MergeTreeTable, place: Place) -> DeltaSink:
    """The writer of a table of a warehouse."""
    # Where rows of one key are merged, which came last must stay known.
    key = () if merges(target.engine) else sorting_columns(target.order_by) or ()
    return DeltaSink(
        target.path, place, key, table=place.sink_table, partitioned=target.is_partitioned
    )


def _can_be_sorted(records: DataFrame, name: str) -> bool:
    return name in records.columns and records.schema[name].dataType.typeName() != "map"
