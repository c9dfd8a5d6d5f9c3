"""A plan node → a DataFrame, of a stream or of a batch: the bridge from planning to Spark.

Each table reference gets a stream of its own (`Sources.read`): two uses of one stream in a query
share Spark's watermark state and can lose rows. Columns whose names begin with `__` are carried
along beside those that the plan names: event times and windows.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from penstock.connectors.kafka_specs import KafkaSource
from penstock.model.changelog import KIND_COLUMN, RowKind
from penstock.model.types import quote
from penstock.plan.infer import is_bounded
from penstock.plan.nodes import (
    ORDER_COLUMN,
    Aggregate,
    Execution,
    Expand,
    Filter,
    Join,
    Node,
    Normalize,
    Over,
    Project,
    Query,
    Rank,
    Scan,
    SetOperation,
    Sort,
    Union,
    Unnest,
    Values,
    Window,
    WindowAggregate,
    scans,
    timed_scans,
    uses_arrival_order,
)
from penstock.plan.windows import ROWTIME_COLUMN
from penstock.spark.engine import Engine, state_ttl_ms
from penstock.spark.joins import join
from penstock.spark.operators.materialize import materialize
from penstock.spark.rank import rank, sort
from penstock.spark.secrets import kept, with_place
from penstock.spark.watermark import Watermarks, after_watermark
from penstock.spark.windows import aggregate, window, window_aggregate

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column

    from penstock.connectors.base import ScanSpec, SinkSpec
    from penstock.spark.secrets import Placed
    from penstock.spark.source import Sources


def compile_query(query: Query, sources: Sources) -> DataFrame:
    """The records a query writes: the columns its sink specification names."""
    timed = timed_scans(query.input, timed=query.spec.target.by_watermark)
    specs: list[ScanSpec | SinkSpec] = [scan.spec for scan in scans(query.input)]
    specs.append(query.spec)
    with kept(sources.session, sources.place.key, specs) as secrets:
        engine = _engine(query, sources)
        ordered = uses_arrival_order(query.input) or (engine is not None and engine.ranks)
        rows = Compiler(sources, timed, engine=engine, secrets=secrets, ordered=ordered).rows(
            query.input
        )
        updates = query.execution is Execution.UPDATE
        otherwise = RowKind.UPDATE_AFTER if updates else RowKind.INSERT
        kind = [_kind(rows, otherwise)] if query.spec.kinds else []
        rows = rows.select(*(F.expr(expr.sql).alias(name) for name, expr in query.columns), *kind)
        if query.materialized:
            ttl_ms = state_ttl_ms(sources.place.settings)
            rows = materialize(rows, key=query.materialized, ttl_ms=ttl_ms)
        records = ((name, with_place(sql, secrets)) for name, sql in query.spec.columns)
        return rows.select(*(F.expr(sql).alias(name) for name, sql in records))


def _kind(rows: DataFrame, otherwise: RowKind = RowKind.INSERT) -> Column:
    """The kind of a row; where rows carry none, all are of one."""
    if KIND_COLUMN in rows.columns:
        return F.col(KIND_COLUMN)
    return F.lit(list(RowKind).index(otherwise)).cast("tinyint").alias(KIND_COLUMN)


def _engine(query: Query, sources: Sources) -> Engine | None:
    """What the changelog engine must know of a query, if it runs it."""
    if query.execution is not Execution.CHANGELOG:
        return None
    return Engine.of(query, state_ttl_ms(sources.place.settings))


class Compiler:
    """Compiles the nodes of one query, each by the function that `_COMPILERS` names."""

    def __init__(
        self,
        sources: Sources,
        timed: tuple[Scan, ...],
        *,
        ordered: bool = False,
        secrets: Placed | None = None,
        engine: Engine | None = None,
    ) -> None:
        self.sources = sources
        self.timed = timed
        self.secrets = secrets or {}
        self.ordered = ordered
        self.engine = engine
        self.watermarks = Watermarks(sources)

    def rows(self, node: Node) -> DataFrame:
        """The rows of one node."""
        return _COMPILERS[type(node)](node, self)

    def as_static(self) -> Compiler:
        """The same for the side of a join that does not change."""
        return Compiler(
            self.sources.as_static(), self.timed, ordered=self.ordered, secrets=self.secrets
        )

    def engine_for(self, node: Node) -> Engine | None:
        """The changelog engine, if a step is its own: not one over rows that are read whole."""
        native = self.engine is None or (is_bounded(node) and not self.engine.changes(node))
        return None if native else self.engine

    def numbered(self, node: Scan) -> bool:
        """Whether the place of a table's rows is asked for."""
        return self.ordered or (self.engine is not None and self.engine.normalizes(node))


def _scan(node: Scan, compiler: Compiler) -> DataFrame:
    timed = any(node is scan for scan in compiler.timed)
    watermark = compiler.watermarks.declare(node) if timed else ""
    decoded = compiler.sources.read(node.spec.source, node.table, watermark=watermark)
    numbered = compiler.numbered(node)
    for name, sql in node.spec.decoded:
        rows_of = F.expr(with_place(sql, compiler.secrets))
        decoded = decoded.select("*", _exploded(rows_of, name, node.spec, numbered=numbered))
    if node.spec.tombstones:
        # A message that could not be read is left out; one without a value deletes its key.
        decoded = decoded.where(f"value IS NULL OR {node.spec.decoded[-1][0]} IS NOT NULL")
    order = [_order(node).alias(ORDER_COLUMN)] if numbered else []
    kind = [F.expr(node.spec.kind).alias(KIND_COLUMN)] if node.spec.kind else []
    stored = decoded.select(
        *(F.expr(sql).alias(name) for name, sql, _ in node.spec.columns), *order, *kind
    )
    rows = stored.select("*", *(F.expr(expr.sql).alias(name) for name, expr in node.computed))
    return compiler.watermarks.applied(rows, node, watermark) if timed else rows


def _exploded(rows_of: Column, name: str, spec: ScanSpec, *, numbered: bool) -> Column:
    """Each row of a message; with tombstones also a message that has none."""
    outer = spec.tombstones and name == spec.decoded[-1][0]
    if numbered:
        explode = F.posexplode_outer if outer else F.posexplode
        return explode(rows_of).alias(f"{name}_at", name)
    return (F.explode_outer if outer else F.explode)(rows_of).alias(name)


def _normalize(node: Normalize, compiler: Compiler) -> DataFrame:
    assert compiler.engine  # noqa: S101 — only its queries have such a step
    rows = compiler.rows(node.input)
    return compiler.engine.normalize(node, rows)


def _aggregate(node: Aggregate, compiler: Compiler) -> DataFrame:
    engine = compiler.engine_for(node)
    if engine is None:
        return aggregate(node, compiler)
    return engine.aggregate(node, compiler.rows(node.input))


def _order(node: Scan) -> Column:
    """Where a row stands; rows that are not a stream's are numbered as they are read."""
    if not isinstance(node.spec.source, KafkaSource):
        return _as_read()
    place = f"{node.spec.decoded[-1][0]}_at" if node.spec.decoded else "0"
    return F.expr(f"struct(offset, partition, {place} AS place)")


def _as_read() -> Column:
    """The number of a row as it is read, in the shape of a place in a topic."""
    return F.expr("struct(monotonically_increasing_id() AS offset, 0 AS partition, 0 AS place)")


def _values(node: Values, compiler: Compiler) -> DataFrame:
    rows = ", ".join(f"struct({', '.join(value.sql for value in row)})" for row in node.rows)
    names = [f"c{number}" for number in range(len(node.rows[0]))]
    found = compiler.sources.one_row().select(F.inline(F.expr(f"array({rows})"))).toDF(*names)
    if not compiler.ordered:
        return found
    return found.withColumn(ORDER_COLUMN, _as_read())


def _filter(node: Filter, compiler: Compiler) -> DataFrame:
    rows = compiler.rows(node.input)
    return rows.where(F.expr(after_watermark(node.condition.sql, rows)))


def _project(node: Project, compiler: Compiler) -> DataFrame:
    rows = compiler.rows(node.input)
    columns = compiler.engine.asked(node) if compiler.engine else node.columns
    named = {name for name, _ in columns}
    carried = [F.col(quote(name)) for name in _hidden(rows) if name not in named]
    return rows.select(*(F.expr(expr.sql).alias(name) for name, expr in columns), *carried)


def _hidden(rows: DataFrame) -> list[str]:
    carried = ("__rowtime", "__window", ORDER_COLUMN, KIND_COLUMN)
    return [name for name in rows.columns if name.startswith(carried)]


def _over(node: Over, compiler: Compiler) -> DataFrame:
    rows = compiler.rows(node.input)
    return rows.select("*", *(F.expr(expr.sql).alias(name) for name, expr in node.functions))


def _expand(node: Expand, compiler: Compiler) -> DataFrame:
    rows = compiler.rows(node.input)
    numbers = ", ".join(str(number) for number in range(len(node.sets)))
    return rows.select("*", F.explode(F.expr(f"array({numbers})")).alias("__set"))


def _unnest(node: Unnest, compiler: Compiler) -> DataFrame:
    rows = compiler.rows(node.input)
    # Spark would leave out rows without elements below the watermark, and they would not move it.
    collection = F.expr(after_watermark(_as_array(node), rows))
    if node.position:
        explode = F.posexplode_outer if node.outer else F.posexplode
        return rows.select("*", explode(collection).alias(node.position, node.column))
    explode = F.explode_outer if node.outer else F.explode
    return rows.select("*", explode(collection).alias(node.column))


def _as_array(node: Unnest) -> str:
    sql = node.collection.sql
    return f"map_entries({sql})" if node.collection.type.root == "MAP" else sql


def _union(node: Union, compiler: Compiler) -> DataFrame:
    frames = [compiler.rows(child) for child in node.inputs]
    if any(KIND_COLUMN in frame.columns for frame in frames):
        frames = [frame.withColumn(KIND_COLUMN, _kind(frame)) for frame in frames]
    names = [name.strip("`") for name in (field.sql for field in node.fields)]
    for hidden in (ROWTIME_COLUMN, ORDER_COLUMN, KIND_COLUMN):
        if all(hidden in frame.columns for frame in frames):
            names.append(hidden)
    return reduce(DataFrame.union, [frame.select(*names) for frame in frames])


def _set_operation(node: SetOperation, compiler: Compiler) -> DataFrame:
    names = [field.sql.strip("`") for field in node.fields]
    left, right = (compiler.rows(side).select(*names) for side in (node.left, node.right))
    if node.kind == "INTERSECT":
        return left.intersect(right) if node.distinct else left.intersectAll(right)
    return left.subtract(right) if node.distinct else left.exceptAll(right)


_COMPILERS: dict[type, Callable[..., DataFrame]] = {
    Scan: _scan,
    Normalize: _normalize,
    Values: _values,
    Filter: _filter,
    Project: _project,
    Window: window,
    WindowAggregate: window_aggregate,
    Aggregate: _aggregate,
    Expand: _expand,
    Over: _over,
    Rank: rank,
    Join: join,
    Unnest: _unnest,
    Union: _union,
    SetOperation: _set_operation,
    Sort: sort,
}
