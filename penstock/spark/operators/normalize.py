"""Upsert changelog → retract changelog; for plans in which a later step needs the old row.

In: the columns and the row kind. Out: the same; per key and batch nothing, one row, or a -U and its
+U. Rows of one key may reach the operator in any order, so `at` is what orders them (the Kafka
offset); of rows alike in it one that is there counts. Kept: the last row per key.

With `ttl_ms` Spark runs empty batches without end, also under `availableNow`: start such a query
with `spark.sql.streaming.noDataMicroBatches.enabled` set to false.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from penstock.spark.java_class import java_class
from penstock.spark.operators.packed import packed, type_of, unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence


def normalize(
    frame: DataFrame,
    columns: Sequence[str],
    *,
    key: Sequence[str],
    at: str = "0L",
    ttl_ms: int = 0,
    update_before: bool = True,
    in_order: bool = False,
) -> DataFrame:
    """The changes of each key; a row untouched for `ttl_ms` is forgotten, with 0 never.

    With `in_order` a change has the place of the row it comes from.
    """
    spark = frame.sparkSession
    upserts: Any = packed(frame, columns, key=key, at=at)._jdf
    operator = java_class(spark, "penstock.operators.Normalize")
    changes = operator.apply(upserts, ttl_ms, update_before, in_order)
    return unpacked(DataFrame(changes, spark), type_of(frame, columns))
