"""The changelog engine: which operator of the Java module runs a step, and what it must tell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN, ChangelogMode, RowKind
from penstock.model.expression import Expr
from penstock.model.types import BIGINT
from penstock.plan.infer import infer
from penstock.plan.nodes import ORDER_COLUMN, Normalize
from penstock.spark.operators.aggregate import aggregate
from penstock.spark.operators.join import join
from penstock.spark.operators.normalize import normalize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import Column

    from penstock.plan.infer import Step
    from penstock.plan.nodes import Aggregate, Join, Node, Query, Scan, SetOperation


@dataclass(frozen=True, slots=True)
class Engine:
    """The steps of one query, with the changelog mode of each."""

    steps: tuple[Step, ...]
    ttl_ms: int

    @classmethod
    def of(cls, query: Query) -> Engine:
        """The engine for a query."""
        step = infer(query.input, needs_before=query.needs_before)
        return cls(tuple(_all(step)), query.ttl_ms)

    def normalizes(self, node: Scan) -> bool:
        """Whether the old rows of a table are looked for."""
        found = (step.node for step in self.steps)
        return any(isinstance(step, Normalize) and step.input is node for step in found)

    def normalize(self, node: Normalize, rows: DataFrame) -> DataFrame:
        """Upserts by key as changes."""
        return normalize(
            rows,
            [field.sql.strip("`") for field in node.fields],
            key=node.key,
            at=f"CAST({ORDER_COLUMN}.offset AS BIGINT)",
            ttl_ms=self.ttl_ms,
            update_before=self._tells_before(node),
        )

    def aggregate(self, node: Aggregate, rows: DataFrame) -> DataFrame:
        """The changes of groups."""
        return aggregate(
            rows,
            keys=node.keys,
            aggregates=node.aggregates,
            ttl_ms=self.ttl_ms,
            update_before=self._tells_before(node),
        )

    def join(self, node: Join, left: DataFrame, right: DataFrame) -> DataFrame:
        """The changes of pairs, and of rows by whether they have a partner."""
        condition = " AND ".join(f"({expr.sql})" for expr in node.conditions) or "TRUE"
        return join(left, right, condition=condition, kind=node.kind, ttl_ms=self.ttl_ms)

    def set_operation(self, node: SetOperation, sides: Sequence[DataFrame]) -> DataFrame:
        """INTERSECT and EXCEPT: how often each row is in both sides says how often it comes out."""
        names = [field.sql for field in node.fields]
        numbered = [
            side.select(*names, F.lit(number).alias("__side"), kind_of(side))
            for number, side in enumerate(sides)
        ]
        both = reduce(DataFrame.union, numbered)
        counts = aggregate(
            both,
            keys=tuple((name.strip("`"), Expr(name, BIGINT)) for name in names),
            aggregates=(("__times", Expr(_times(node), BIGINT)),),
            ttl_ms=self.ttl_ms,
        )
        there = counts.where("__times > 0")
        if not node.distinct:
            there = there.select("*", F.explode(F.expr("sequence(1, __times)")))
        return there.select(*names, KIND_COLUMN)

    def _tells_before(self, node: Node) -> bool:
        return self._mode(node) is ChangelogMode.RETRACT

    def _mode(self, node: Node) -> ChangelogMode:
        return next(step.mode for step in self.steps if step.node is node)


def _times(node: SetOperation) -> str:
    """How often a row comes out, as an aggregate over both sides."""
    left, right = (f"count(*) FILTER (WHERE __side = {number})" for number in (0, 1))
    if node.kind == "INTERSECT":
        return f"least({left}, {right}{', 1L' * node.distinct})"
    if node.distinct:
        return f"if({left} > 0L AND {right} = 0L, 1L, 0L)"
    return f"greatest({left} - {right}, 0L)"


def kind_of(rows: DataFrame, otherwise: RowKind = RowKind.INSERT) -> Column:
    """The kind of a row; where rows carry none, all are of one."""
    if KIND_COLUMN in rows.columns:
        return F.col(KIND_COLUMN)
    return F.lit(list(RowKind).index(otherwise)).cast("tinyint").alias(KIND_COLUMN)


def _all(step: Step) -> Iterator[Step]:
    yield step
    for child in step.inputs:
        yield from _all(child)
