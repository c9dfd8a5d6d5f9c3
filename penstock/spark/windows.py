"""Windows and groups on Spark: which rows a window holds, and what is said of each group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window as Over
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.model.expression import Expr
from penstock.model.types import TIMESTAMP_3, quote
from penstock.plan.distinct import countable
from penstock.plan.windows import ROWTIME_COLUMN, WINDOW_COLUMN, as_instant
from penstock.spark.operators.aggregate import sessions

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from penstock.plan.nodes import Aggregate, Window, WindowAggregate
    from penstock.plan.scope import Field
    from penstock.spark.compile import Compiler

# What Spark itself notes on a window column: its operators look for these marks.
_WATERMARK_MARK = "spark.watermarkDelayMs"
_WINDOW_MARK = "spark.timeWindow"
_MICROS = 1000
_ROWS = "__rows"


def window(node: Window, compiler: Compiler) -> DataFrame:
    """Every row once per window it is in."""
    rows = _timed(node, compiler)
    if node.kind == "CUMULATE":
        return _cumulate(node, rows)
    if node.kind == "SESSION":
        return _sessions(node, rows) if compiler.sources.batch else _over_sessions(node, rows)
    if node.slide_ms > node.size_ms:
        return _apart(node, rows)
    size, slide, offset = (_length(ms) for ms in (node.size_ms, node.slide_ms, node.offset_ms))
    return rows.withColumn(WINDOW_COLUMN, F.window(_time(node), size, slide, offset))


def _timed(node: Window, compiler: Compiler) -> DataFrame:
    rows = compiler.rows(node.input).drop(WINDOW_COLUMN)
    if not node.time.proctime:
        return with_time(rows, node.time)
    time = as_instant(f"CAST({node.time.sql} AS TIMESTAMP_NTZ)")
    if any(node is one for one in compiler.clocked):
        return compiler.watermarks.by_clock(rows, time, _time(node), compiler.tick_ms)
    return rows.withColumn(_time(node), F.expr(time))


def with_time(rows: DataFrame, time: Field) -> DataFrame:
    """The rows with their event time, where it is not carried along.

    The operators of the changelog engine hand on what the plan names, and no mark of Spark's.
    """
    if time.rowtime in rows.columns:
        return rows
    instant = F.expr(as_instant(f"CAST({time.sql} AS TIMESTAMP_NTZ)"))
    return rows.select("*", instant.alias(time.rowtime, metadata={_WATERMARK_MARK: 0}))


def with_window(rows: DataFrame, start: str, end: str) -> DataFrame:
    """The rows with the window whose bounds two columns are, as local times."""
    bounds = f"named_struct('start', {as_instant(quote(start))}, 'end', {as_instant(quote(end))})"
    marks = {_WINDOW_MARK: True, _WATERMARK_MARK: 0}
    return rows.select("*", F.expr(bounds).alias(WINDOW_COLUMN, metadata=marks))


def _time(node: Window) -> str:
    return node.time.rowtime or f"{ROWTIME_COLUMN}_processing"


def _sessions(node: Window, rows: DataFrame) -> DataFrame:
    """Sessions of all rows of a partition; a row that follows within the gap belongs to them."""
    apart = [F.expr(field.sql) for field in _partition(node)] or [F.lit(0)]
    time, gap = F.col(_time(node)), F.expr(f"INTERVAL '{node.size_ms}' MILLISECONDS")
    in_order = Over.partitionBy(*apart).orderBy(time)
    begins = F.coalesce(time > F.lag(time).over(in_order) + gap, F.lit(True)).cast("int")
    numbered = rows.withColumn("__begins", begins)
    numbered = numbered.withColumn("__session", F.sum("__begins").over(in_order))
    session = Over.partitionBy(*apart, F.col("__session"))
    bounds = F.struct(
        F.min(time).over(session).alias("start"), (F.max(time).over(session) + gap).alias("end")
    )
    marked = bounds.alias(WINDOW_COLUMN, metadata={_WINDOW_MARK: True})
    return numbered.select(*rows.columns, marked)


def _over_sessions(node: Window, rows: DataFrame) -> DataFrame:
    """The same of a stream: rows are told when their session is over."""
    kept = ", ".join(quote(name) for name in rows.columns if name != _time(node))
    found = sessions(
        rows,
        keys=tuple((field.name, Expr(field.sql, field.type)) for field in _partition(node)),
        aggregates=((_ROWS, Expr(f"collect_list(struct({kept}))", TIMESTAMP_3)),),
        time=_time(node),
        gap_ms=node.size_ms,
        at_end=False,
    )
    return found.select(F.expr(f"inline({_ROWS})"), WINDOW_COLUMN)


def _partition(node: Window) -> list[Field]:
    columns = {field.name: field for field in node.input.fields}
    return [columns[name] for name in node.partition]


def _length(ms: int) -> str:
    return f"{ms} milliseconds"


def _cumulate(node: Window, rows: DataFrame) -> DataFrame:
    """Windows of one start that end a step later each, up to the size."""
    size, step, offset = (ms * _MICROS for ms in (node.size_ms, node.slide_ms, node.offset_ms))
    micros = f"unix_micros({_time(node)})"
    start = f"({micros} - pmod({micros} - {offset}, {size}))"
    first = f"CAST(({micros} - {start}) div {step} + 1 AS INT)"
    bounds = (
        f"transform(sequence({first}, {size // step}), n -> named_struct('start', "
        f"timestamp_micros({start}), 'end', timestamp_micros({start} + n * {step}L)))"
    )
    return _in_windows(node, rows, bounds)


def _apart(node: Window, rows: DataFrame) -> DataFrame:
    """Windows that begin so long after each other that some rows are in none."""
    size, slide = (ms * _MICROS for ms in (node.size_ms, node.slide_ms))
    micros = f"unix_micros({_time(node)})"
    start = f"({micros} - pmod({micros}, {slide}))"
    window = (
        f"named_struct('start', timestamp_micros({start}), "
        f"'end', timestamp_micros({start} + {size}L))"
    )
    return _in_windows(node, rows, f"filter(array({window}), w -> {_time(node)} < w.end)")


def _in_windows(node: Window, rows: DataFrame, bounds: str) -> DataFrame:
    """The rows, each once for every window of a list in Spark SQL."""
    delay = _watermark_delay(rows, _time(node))
    marks = {_WINDOW_MARK: True} | ({} if delay is None else {_WATERMARK_MARK: delay})
    expanded = rows.select("*", F.explode(F.expr(bounds)).alias("__bounds"))
    marked = F.col("__bounds").alias(WINDOW_COLUMN, metadata=marks)
    return expanded.select(*rows.columns, marked)


def _watermark_delay(rows: DataFrame, column: str) -> int | None:
    return rows.schema[column].metadata.get(_WATERMARK_MARK)


def window_aggregate(node: WindowAggregate, compiler: Compiler) -> DataFrame:
    """One row per window and group, with the window's time as the rows' own."""
    session = node.session
    if session:
        rows = _timed(session, compiler)
        gap = _length(session.size_ms)
        bounds = F.session_window(_time(session), gap).alias(WINDOW_COLUMN)
    else:
        rows = compiler.rows(node.input)
        bounds = F.col(WINDOW_COLUMN)
    grouped = rows.groupBy(bounds, *_keys(node)).agg(
        *_aggregates(node, batch=compiler.sources.batch)
    )
    if session:
        return with_window_time(grouped, _watermark_delay(rows, _time(session)))
    return grouped.withColumn(ROWTIME_COLUMN, F.window_time(WINDOW_COLUMN))


def sessions_of_changes(node: WindowAggregate, window: Window, compiler: Compiler) -> DataFrame:
    """The same of sessions over rows that come and go, on the changelog engine."""
    found = sessions(
        _timed(window, compiler),
        keys=node.keys,
        aggregates=node.aggregates,
        time=_time(window),
        gap_ms=window.size_ms,
        at_end=compiler.sources.batch,
    )
    return found.drop(KIND_COLUMN)


def with_window_time(rows: DataFrame, delay_ms: int | None) -> DataFrame:
    """The rows with the last moment of their window as their time."""
    marks = {} if delay_ms is None else {_WATERMARK_MARK: delay_ms}
    last = F.expr(f"{WINDOW_COLUMN}.end - INTERVAL '0.001' SECOND")
    return rows.select("*", last.alias(ROWTIME_COLUMN, metadata=marks))


def aggregate(node: Aggregate, compiler: Compiler) -> DataFrame:
    """One row per group; without aggregates each group the first time it is met."""
    rows = compiler.rows(node.input)
    if not node.aggregates:
        return rows.select(*_keys(node)).dropDuplicates()
    return rows.groupBy(*_keys(node)).agg(*_aggregates(node, batch=compiler.sources.batch))


def _keys(node: WindowAggregate | Aggregate) -> list[Column]:
    return [F.expr(expr.sql).alias(name) for name, expr in node.keys]


def _aggregates(node: WindowAggregate | Aggregate, *, batch: bool) -> list[Column]:
    texts = [(name, expr.sql if batch else countable(expr.sql)) for name, expr in node.aggregates]
    # Spark drops a GROUP BY without aggregates into a plain distinct; count(*) keeps one shape.
    return [F.expr(sql).alias(name) for name, sql in texts] or [F.count("*").alias("__count")]
