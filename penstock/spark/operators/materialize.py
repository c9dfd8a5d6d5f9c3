"""A retract changelog by one key → upserts by another: the last row of each key of the sink.

In: columns, the row kind, and the place of a row where it is known. Out: the columns and the row
kind; per key and batch at most one row, +I, +U or -D. Kept: the rows of each key in the order in
which they came, an entry for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from penstock.model.changelog import KIND_COLUMN
from penstock.model.types import quote
from penstock.plan.nodes import ORDER_COLUMN
from penstock.spark.java_class import java_class
from penstock.spark.operators.packed import arrival, packed, type_of, unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence


def materialize(frame: DataFrame, *, key: Sequence[str], ttl_ms: int = 0) -> DataFrame:
    """The last row of each key, whenever it became another one."""
    spark = frame.sparkSession
    columns = [name for name in frame.columns if name not in (KIND_COLUMN, ORDER_COLUMN)]
    by_key = [quote(name) for name in key]
    changes: Any = packed(frame, columns, key=by_key, at=arrival(frame))._jdf
    upserts = java_class(spark, "penstock.operators.Materialize").apply(changes, ttl_ms)
    return unpacked(DataFrame(upserts, spark), type_of(frame, columns))
