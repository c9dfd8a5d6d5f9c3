"""A plan node → a streaming DataFrame: the bridge from planning to Spark.

Each table reference gets a stream of its own (`Sources.read`): two uses of one stream in a query
share Spark's watermark state and can lose rows.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from penstock.model.types import quote
from penstock.plan.nodes import Filter, Node, Project, Query, Scan, Union, Window, WindowAggregate
from penstock.plan.windows import ROWTIME_COLUMN, WINDOW_COLUMN, as_instant

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.spark.source import Sources

_NO_ROWTIME = (
    "raise_error('RowTime field should not be null, please convert it to a non-null long value.')"
)


def compile_query(query: Query, sources: Sources) -> DataFrame:
    """The records a query writes: the columns its sink specification names."""
    rows = compile_node(query.input, sources)
    rows = rows.select(*(F.expr(expr.sql).alias(name) for name, expr in query.columns))
    return rows.select(*(F.expr(sql).alias(name) for name, sql in query.spec.columns))


def compile_node(node: Node, sources: Sources) -> DataFrame:
    """The rows of one node."""
    return _COMPILERS[type(node)](node, sources)


def _scan(node: Scan, sources: Sources) -> DataFrame:
    decoded = sources.read(node.spec.source)
    for name, sql in node.spec.decoded:
        decoded = decoded.select("*", F.explode(F.expr(sql)).alias(name))
    stored = decoded.select(*(F.expr(sql).alias(name) for name, sql, _ in node.spec.columns))
    rows = stored.select("*", *(F.expr(expr.sql).alias(name) for name, expr in node.computed))
    if not node.rowtime:
        return rows
    local_time = f"CAST({quote(node.rowtime)} AS TIMESTAMP_NTZ)"
    if sources.windowed:
        # Spark would leave out rows without a time; Flink stops, and nothing is lost unseen.
        local_time = f"coalesce({local_time}, {_NO_ROWTIME})"
    timed = rows.withColumn(ROWTIME_COLUMN, F.expr(as_instant(local_time)))
    return timed.withWatermark(ROWTIME_COLUMN, f"{node.watermark_delay_ms} milliseconds")


def _filter(node: Filter, sources: Sources) -> DataFrame:
    rows = compile_node(node.input, sources)
    condition = node.condition.sql
    if ROWTIME_COLUMN in rows.columns:
        condition = f"penstock_after_watermark({ROWTIME_COLUMN}, {condition})"
    return rows.where(F.expr(condition))


def _project(node: Project, sources: Sources) -> DataFrame:
    rows = compile_node(node.input, sources)
    carried = [F.col(ROWTIME_COLUMN)] if ROWTIME_COLUMN in rows.columns else []
    return rows.select(*(F.expr(expr.sql).alias(name) for name, expr in node.columns), *carried)


def _window(node: Window, sources: Sources) -> DataFrame:
    rows = compile_node(node.input, sources)
    size, slide, offset = (
        f"{ms} milliseconds" for ms in (node.size_ms, node.slide_ms, node.offset_ms)
    )
    return rows.withColumn(WINDOW_COLUMN, F.window(ROWTIME_COLUMN, size, slide, offset))


def _window_aggregate(node: WindowAggregate, sources: Sources) -> DataFrame:
    rows = compile_node(node.input, sources)
    keys = [F.expr(expr.sql).alias(name) for name, expr in node.keys]
    # Spark drops a GROUP BY without aggregates into a plain distinct; count(*) keeps one shape.
    aggregates = [F.expr(expr.sql).alias(name) for name, expr in node.aggregates]
    return rows.groupBy(F.col(WINDOW_COLUMN), *keys).agg(*aggregates or [F.count("*")])


def _union(node: Union, sources: Sources) -> DataFrame:
    frames = [compile_node(child, sources) for child in node.inputs]
    if not all(ROWTIME_COLUMN in frame.columns for frame in frames):
        frames = [frame.drop(ROWTIME_COLUMN) for frame in frames]
    return reduce(DataFrame.unionByName, frames)


_COMPILERS: dict[type, Callable[..., DataFrame]] = {
    Scan: _scan,
    Filter: _filter,
    Project: _project,
    Window: _window,
    WindowAggregate: _window_aggregate,
    Union: _union,
}
