"""Rows into a Delta table that a script names by its folder, each batch in one commit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pyspark.sql.types import StructType

from penstock.errors import RunError
from penstock.model.types import literal, quote
from penstock.spark.delta import delta_path
from penstock.spark.delta_columns import DeltaColumns, stored_schema
from penstock.spark.sinks.delta import DeltaSink

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from penstock.connectors.delta import DeltaTarget
    from penstock.spark.place import Place


class DeltaTableSink(DeltaSink):
    """Makes the table if it is not there, and adds rows in its own columns."""

    def __init__(self, target: DeltaTarget, place: Place) -> None:
        super().__init__(delta_path(target.path), place)
        self._target = target
        self._name = place.sink_table

    def prepare(self, records: DataFrame) -> DataFrame:
        """The records in the columns of the table, which is there then."""
        declared = StructType.fromJson(json.loads(self._target.schema))
        session = records.sparkSession
        self._create(session, stored_schema(declared))
        self._check(session)
        stored = session.read.format("delta").load(self._path).schema
        return records.select(
            *DeltaColumns(self._name, self._target.path, declared, stored).written()
        )

    def write(self, records: DataFrame) -> None:
        """Add all records in one commit."""
        super().write(self.prepare(records))

    def _create(self, session: SparkSession, schema: StructType) -> None:
        by = ", ".join(map(quote, self._target.partitions))
        properties = ", ".join(f"{literal(k)} = {literal(v)}" for k, v in self._target.properties)
        session.sql(
            f"CREATE TABLE IF NOT EXISTS delta.{quote(self._path)} ({schema.toDDL()}) USING delta"
            + f" PARTITIONED BY ({by})" * bool(by)
            + f" TBLPROPERTIES ({properties})" * bool(properties)
        ).collect()

    def _check(self, session: SparkSession) -> None:
        """Refuse a table that was made otherwise, as Flink does."""
        (found,) = session.sql(f"DESCRIBE DETAIL delta.{quote(self._path)}").collect()
        if tuple(found["partitionColumns"]) != self._target.partitions:
            by = ", ".join(found["partitionColumns"])
            raise self._differs(f"is partitioned by ({by})", "PARTITIONED BY")
        for key, value in self._target.properties:
            if (has := found["properties"].get(key)) != value:
                raise self._differs(f"has the property '{key}' = '{has}'", "the property")

    def _differs(self, problem: str, what: str) -> RunError:
        return RunError(
            "DELTA_TABLE_DIFFERS",
            table=self._name,
            path=self._target.path,
            problem=problem,
            what=what,
        )
