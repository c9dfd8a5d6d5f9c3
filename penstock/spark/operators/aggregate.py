"""GROUP BY over a changelog: the changes of each group's result.

In: columns, and the row kind where rows may go again. Out: the keys, the aggregates and the row
kind; per group and batch at most one change. Kept: per group what its aggregates need, and for
those of distinct values, MIN, MAX and lists one entry per value where rows may go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from penstock.model.changelog import KIND_COLUMN
from penstock.plan.windows import WINDOW_COLUMN
from penstock.spark.java_class import java_class

if TYPE_CHECKING:
    from penstock.plan.nodes import Named


def aggregate(
    frame: DataFrame,
    *,
    keys: Named,
    aggregates: Named,
    until: str = "",
    ttl_ms: int = 0,
    update_before: bool = True,
) -> DataFrame:
    """The groups; without aggregates each is there while it has a row.

    With `until`, when the window of a group ends in microseconds, each is told once: when the
    watermark has passed it.
    """
    spark = frame.sparkSession
    changes = java_class(spark, "penstock.operators.aggregate.Aggregation").apply(
        frame._jdf,
        [expr.sql for _, expr in keys],
        [name for name, _ in keys],
        [expr.sql for _, expr in aggregates],
        [name for name, _ in aggregates],
        KIND_COLUMN,
        until,
        update_before,
        ttl_ms,
    )
    return DataFrame(changes, spark)


def sessions(
    frame: DataFrame, *, keys: Named, aggregates: Named, time: str, gap_ms: int, at_end: bool
) -> DataFrame:
    """The sessions of each group with their bounds, each told once: when it is over.

    That is when the watermark has passed its last row by the gap; in a batch, `at_end`, at once.
    Kept: the rows of sessions that are not over.
    """
    spark = frame.sparkSession
    spec = java_class(spark, "penstock.operators.aggregate.SessionSpec")
    found = java_class(spark, "penstock.operators.aggregate.Aggregation").sessions(
        frame._jdf,
        [expr.sql for _, expr in keys],
        [name for name, _ in keys],
        [expr.sql for _, expr in aggregates],
        [name for name, _ in aggregates],
        KIND_COLUMN,
        spec(WINDOW_COLUMN, time, gap_ms, at_end),
    )
    return DataFrame(found, spark)
