"""INTERSECT and EXCEPT over rows that change.

In: the same columns of two sides, and the row kind. Out: the changes of the rows that they give.
Kept: how often each row is in either side.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.model.expression import Expr
from penstock.model.types import BIGINT
from penstock.spark.operators.aggregate import aggregate
from penstock.spark.operators.packed import kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.plan.nodes import SetOperation


def set_operation(node: SetOperation, sides: Sequence[DataFrame], *, ttl_ms: int) -> DataFrame:
    """How often each row is in both sides says how often it comes out."""
    names = [field.sql for field in node.fields]
    numbered = [
        side.select(*names, F.lit(number).alias("__side"), kind_of(side))
        for number, side in enumerate(sides)
    ]
    counts = aggregate(
        reduce(DataFrame.union, numbered),
        keys=tuple((name.strip("`"), Expr(name, BIGINT)) for name in names),
        aggregates=(("__times", Expr(_times(node), BIGINT)),),
        ttl_ms=ttl_ms,
    )
    there = counts.where("__times > 0")
    if not node.distinct:
        there = there.select("*", F.explode(F.expr("sequence(1, __times)")))
    return there.select(*names, KIND_COLUMN)


def _times(node: SetOperation) -> str:
    """How often a row comes out, as an aggregate over both sides."""
    left, right = (f"count(*) FILTER (WHERE __side = {number})" for number in (0, 1))
    if node.kind == "INTERSECT":
        return f"least({left}, {right}{', 1L' * node.distinct})"
    if node.distinct:
        return f"if({left} > 0L AND {right} = 0L, 1L, 0L)"
    return f"greatest({left} - {right}, 0L)"
