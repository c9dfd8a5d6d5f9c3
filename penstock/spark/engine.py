"""The changelog engine: which operator of the Java module runs a step, and what it must tell."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from penstock.model.changelog import ChangelogMode
from penstock.model.expression import Expr
from penstock.plan.infer import infer
from penstock.plan.nodes import (
    ORDER_COLUMN,
    Join,
    Normalize,
    Order,
    Scan,
    SetOperation,
    Union,
    inputs,
)
from penstock.plan.scope import Field
from penstock.spark.operators.aggregate import aggregate
from penstock.spark.operators.normalize import normalize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame

    from penstock.plan.infer import Step
    from penstock.plan.nodes import Aggregate, Node, Query


@dataclass(frozen=True, slots=True)
class Engine:
    """The steps of one query, with the changelog mode of each, and the columns that it names."""

    steps: tuple[Step, ...]
    named: str
    ttl_ms: int

    @classmethod
    def of(cls, query: Query) -> Engine:
        """The engine for a query."""
        step = infer(query.input, needs_before=query.needs_before)
        named = (*_texts(query.columns), *_named(query.input))
        return cls(tuple(_all(step)), " ".join(named), query.ttl_ms)

    def normalizes(self, node: Scan) -> bool:
        """Whether the old rows of a table are looked for."""
        found = (step.node for step in self.steps)
        return any(isinstance(step, Normalize) and step.input is node for step in found)

    def changes(self, node: Node) -> bool:
        """Whether the rows of a step are more than inserts."""
        return self._mode(node) is not ChangelogMode.APPEND

    def normalize(self, node: Normalize, rows: DataFrame) -> DataFrame:
        """Upserts by key as changes."""
        return normalize(
            rows,
            [field.sql.strip("`") for field in self._used(node)],
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

    def layout(self, query: Query) -> list[object]:
        """What its state looks like, beside that of groups: rows by the types of their columns."""
        found: list[object] = [["expires", self.ttl_ms > 0]]
        for step in self.steps:
            if isinstance(step.node, Normalize):
                found.append([f"{field.sql} {field.type}" for field in self._used(step.node)])
        if query.materialized:
            columns = (f"{name} {expr.type}" for name, expr in query.columns)
            found.append(["sink", *query.materialized, *columns])
        return found

    def _used(self, node: Normalize) -> list[Field]:
        """The columns that are kept: the key, and what the query names."""
        keys = set(node.key)
        return [field for field in node.fields if field.sql in keys or field.sql in self.named]

    def _tells_before(self, node: Node) -> bool:
        return self._mode(node) is ChangelogMode.RETRACT

    def _mode(self, node: Node) -> ChangelogMode:
        return next(step.mode for step in self.steps if step.node is node)


def _all(step: Step) -> Iterator[Step]:
    yield step
    for child in step.inputs:
        yield from _all(child)


def _named(node: Node) -> Iterator[str]:
    """Every expression of the steps above tables, and every column that a step takes as it is."""
    if isinstance(node, Scan | Normalize):
        return
    if isinstance(node, Join | SetOperation | Union):
        yield from (field.sql for child in inputs(node) for field in child.fields)
    for part in fields(node):
        if part.name != "fields":
            yield from _texts(getattr(node, part.name))
    for child in inputs(node):
        yield from _named(child)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Expr | Field):
        yield value.sql
    elif isinstance(value, Order):
        yield value.expr.sql
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
