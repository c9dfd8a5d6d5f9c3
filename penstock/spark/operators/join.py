"""A join of two changelogs, either of which may have rows that go again.

In: the columns of each side under names of their own, and the row kind. Out: the columns of both,
or for SEMI and ANTI those of the left, and the row kind: per key and batch what changed in sum.
Kept: each row of both sides, with how often it is there and, where the join asks for more than its
key, how many partners it has; of a side with one row for each key only that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pyspark.sql import DataFrame

from penstock.model.changelog import KIND_COLUMN
from penstock.spark.java_class import java_class

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.plan.nodes import JoinKind

# Any rows; one at most for each key of the join; the same, told as upserts.
SideRows = Literal["MANY", "ONE", "LAST"]
# Where a side of upserts says in which order they came.
AT_COLUMN = "__at"


def join(
    left: DataFrame,
    right: DataFrame,
    *,
    condition: str,
    kind: JoinKind,
    rows: tuple[SideRows, SideRows] = ("MANY", "MANY"),
    key: Sequence[str] = (),
    ttl_ms: int = 0,
) -> DataFrame:
    """The changes of the joined rows; the condition is over the columns of both.

    With a `key` of the joined rows an update is told by its new row alone.
    """
    spark = left.sparkSession
    how = "INNER" if kind == "CROSS" else kind
    changes = java_class(spark, "penstock.operators.join.Joining").apply(
        left._jdf, right._jdf, condition, how, KIND_COLUMN, list(rows), list(key), ttl_ms
    )
    return DataFrame(changes, spark)
