"""Upsert changelog → retract changelog; for plans in which a later step needs the old row.

In: the key columns, further columns, the row kind (`KIND_COLUMN`, TINYINT: 0 +I, 1 -U, 2 +U, 3 -D)
and the columns of `sequence`. Out: the same without `sequence`; per key and batch nothing, one row,
or a -U and its +U. Rows of one key may reach the operator in any order, so `sequence` names what
orders them (the Kafka offset); without it the order of arrival counts. Kept: the last row per key.

With `ttl_ms` Spark runs empty batches without end, also under `availableNow`: start such a query
with `spark.sql.streaming.noDataMicroBatches.enabled` set to false.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from penstock.model.changelog import KIND_COLUMN
from penstock.spark.operators.times import with_times, without_times

if TYPE_CHECKING:
    from collections.abc import Sequence


def normalize(
    frame: DataFrame,
    *,
    key: Sequence[str],
    sequence: Sequence[str] = (),
    ttl_ms: int = 0,
    update_before: bool = True,
) -> DataFrame:
    """The changes of each key; a row untouched for `ttl_ms` is forgotten, with 0 never."""
    spark = frame.sparkSession
    gateway: Any = spark.sparkContext._jvm
    source: Any = without_times(frame)._jdf
    changes = gateway.penstock.operators.Normalize.apply(
        source, list(key), list(sequence), KIND_COLUMN, ttl_ms, update_before
    )
    return with_times(DataFrame(changes, spark), frame.schema)
