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

from penstock.model.changelog import KIND_COLUMN, RowKind
from penstock.model.types import quote
from penstock.plan.clock import clocked_windows, tick_ms
from penstock.plan.engine import is_native, joins_natively
from penstock.plan.infer import is_bounded
from penstock.plan.nodes import (
    ORDER_COLUMN,
    Aggregate,
    Expand,
    Filter,
    Join,
    Node,
    Normalize,
    Over,
    Project,
    Rank,
    Scan,
    SetOperation,
    Sort,
    Union,
    Unnest,
    Values,
    Window,
    WindowAggregate,
)
from penstock.plan.query import Execution, Query
from penstock.plan.timed import timed_scans
from penstock.plan.walk import scans, uses_arrival_order
from penstock.plan.windows import ROWTIME_COLUMN
from penstock.spark.enforce import enforced
from penstock.spark.engine import Engine
from penstock.spark.joins import join, join_late, join_windows, joined_sides
from penstock.spark.operators.materialize import materialize
from penstock.spark.operators.packed import kind_of
from penstock.spark.rank import rank, sort
from penstock.spark.scan import as_read, scan
from penstock.spark.secrets import Vault
from penstock.spark.watermark import Watermarks, after_watermark
from penstock.spark.windows import (
    aggregate,
    sessions_of_changes,
    window,
    window_aggregate,
    with_window_time,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.spark.source import Sources


def compile_query(query: Query, sources: Sources, block: DataFrame | None = None) -> DataFrame:
    """The records a query writes: the columns its sink specification names.

    Of a query that runs block by block, those of one `block` of its table.
    """
    with Vault(sources.session) as vault:
        rows = _compiler(query, sources, vault, block).rows(query.input)
        updates = query.execution is Execution.UPDATE
        otherwise = RowKind.UPDATE_AFTER if updates else RowKind.INSERT
        kind = [kind_of(rows, otherwise)] if query.spec.kinds else []
        place = [ORDER_COLUMN] if query.materialized and ORDER_COLUMN in rows.columns else []
        columns = (F.expr(expr.sql).alias(name) for name, expr in query.columns)
        rows = rows.select(*columns, *kind, *place)
        rows = enforced(rows, query)
        if query.materialized:
            rows = materialize(rows, key=query.materialized, ttl_ms=query.ttl_ms)
        if query.spec.batch:
            rows = rows.select(F.expr(query.spec.batch).alias("batch"))
        secrets = query.spec.secrets
        records = ((name, vault.named(sql, secrets)) for name, sql in query.spec.columns)
        return rows.select(*(F.expr(sql).alias(name) for name, sql in records))


def compile_table(query: Query, sources: Sources) -> DataFrame:
    """The rows of the first table that a query reads, block by block."""
    with Vault(sources.session) as vault:
        return _compiler(query, sources, vault).rows(scans(query.input)[0])


def _compiler(
    query: Query, sources: Sources, vault: Vault, block: DataFrame | None = None
) -> Compiler:
    timed = timed_scans(query.input, timed=query.spec.target.by_watermark)
    engine = Engine.of(query) if query.execution is Execution.CHANGELOG else None
    ordered = engine is not None and engine.in_order
    return Compiler(
        sources,
        timed,
        vault,
        ordered=ordered or bool(query.materialized) or uses_arrival_order(query.input),
        engine=engine,
        block=block,
        clocked=tuple(clocked_windows(query.input)),
        tick_ms=tick_ms(query.input),
    )


class Compiler:
    """Compiles the nodes of one query, each by the function that `_COMPILERS` names."""

    def __init__(
        self,
        sources: Sources,
        timed: tuple[Scan, ...],
        vault: Vault,
        *,
        ordered: bool = False,
        engine: Engine | None = None,
        block: DataFrame | None = None,
        clocked: tuple[Window, ...] = (),
        tick_ms: int = 0,
    ) -> None:
        self.block = block
        self.sources = sources
        self.timed = timed
        self.vault = vault
        self.ordered = ordered
        self.engine = engine
        self.watermarks = Watermarks(sources)
        self.clocked = clocked
        self.tick_ms = tick_ms

    def rows(self, node: Node) -> DataFrame:
        """The rows of one node; a block is all that a table has, unless that is read as it is."""
        if self.block is not None and isinstance(node, Scan) and not node.spec.bounded:
            return self.block
        return _COMPILERS[type(node)](node, self)

    def as_static(self, *, current: bool) -> Compiler:
        """The same for the side of a join that is read whole."""
        sources = self.sources.as_static(current=current)
        return Compiler(sources, self.timed, self.vault, ordered=self.ordered)

    def engine_for(self, node: Node) -> Engine | None:
        """The changelog engine, if a step is its own: not one over rows that are read whole."""
        native = self.engine is None or (is_bounded(node) and not self.engine.changes(node))
        return None if native else self.engine

    def numbered(self, node: Scan) -> bool:
        """Whether the place of a table's rows is asked for."""
        return self.ordered or (self.engine is not None and self.engine.orders(node))


def _normalize(node: Normalize, compiler: Compiler) -> DataFrame:
    assert compiler.engine  # noqa: S101 — only its queries have such a step
    rows = compiler.rows(node.input)
    return compiler.engine.normalize(node, rows, in_order=compiler.ordered)


def _aggregate(node: Aggregate, compiler: Compiler) -> DataFrame:
    engine = compiler.engine_for(node)
    if engine is None:
        return aggregate(node, compiler)
    return engine.aggregate(node, compiler.rows(node.input))


def _window_aggregate(node: WindowAggregate, compiler: Compiler) -> DataFrame:
    if compiler.engine is None or is_native(node):
        return window_aggregate(node, compiler)
    batch = compiler.sources.batch
    if node.session:
        found = sessions_of_changes(node, node.session, compiler)
    else:
        found = compiler.engine.window_aggregate(node, compiler.rows(node.input), batch=batch)
    return with_window_time(found, None if batch else 0)


def _join(node: Join, compiler: Compiler) -> DataFrame:
    if compiler.engine and node.form == "temporal":
        sides = joined_sides(node, compiler)
        return compiler.engine.temporal_join(node, *sides, batch=compiler.sources.batch)
    if compiler.engine is None or node.form == "lookup" or joins_natively(node):
        return join(node, compiler)
    if node.takes_late:
        return join_late(node, compiler)
    if node.closes:
        return join_windows(node, compiler)
    return compiler.engine.join(node, *joined_sides(node, compiler))


def _values(node: Values, compiler: Compiler) -> DataFrame:
    rows = ", ".join(f"struct({', '.join(value.sql for value in row)})" for row in node.rows)
    names = [f"c{number}" for number in range(len(node.rows[0]))]
    found = compiler.sources.one_row().select(F.inline(F.expr(f"array({rows})"))).toDF(*names)
    if not compiler.ordered:
        return found
    return found.withColumn(ORDER_COLUMN, as_read())


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
    if engine := compiler.engine_for(node):
        return engine.over(node, rows)
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
        frames = [frame.withColumn(KIND_COLUMN, kind_of(frame)) for frame in frames]
    names = [name.strip("`") for name in (field.sql for field in node.fields)]
    for hidden in (ROWTIME_COLUMN, ORDER_COLUMN, KIND_COLUMN):
        if all(hidden in frame.columns for frame in frames):
            names.append(hidden)
    return reduce(DataFrame.union, [frame.select(*names) for frame in frames])


def _set_operation(node: SetOperation, compiler: Compiler) -> DataFrame:
    if compiler.engine and not is_native(node):
        sides = [compiler.rows(side) for side in (node.left, node.right)]
        return compiler.engine.set_operation(node, sides)
    names = [field.sql.strip("`") for field in node.fields]
    left, right = (compiler.rows(side).select(*names) for side in (node.left, node.right))
    if node.kind == "INTERSECT":
        return left.intersect(right) if node.distinct else left.intersectAll(right)
    return left.subtract(right) if node.distinct else left.exceptAll(right)


_COMPILERS: dict[type, Callable[..., DataFrame]] = {
    Scan: scan,
    Normalize: _normalize,
    Values: _values,
    Filter: _filter,
    Project: _project,
    Window: window,
    WindowAggregate: _window_aggregate,
    Aggregate: _aggregate,
    Expand: _expand,
    Over: _over,
    Rank: rank,
    Join: _join,
    Unnest: _unnest,
    Union: _union,
    SetOperation: _set_operation,
    Sort: sort,
}
