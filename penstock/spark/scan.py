"""Tables on Spark: the messages of a source → rows, each with its place where that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.connectors.kafka_specs import KafkaSource
from penstock.model.changelog import KIND_COLUMN, RowKind
from penstock.model.types import quote
from penstock.plan.keys import key_of
from penstock.plan.nodes import ORDER_COLUMN
from penstock.spark.operators.packed import order_sql

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from penstock.connectors.base import ScanSpec
    from penstock.plan.nodes import Scan
    from penstock.spark.compile import Compiler


_ROWS = "__rows"
_BEFORE = list(RowKind).index(RowKind.UPDATE_BEFORE)


def scan(node: Scan, compiler: Compiler) -> DataFrame:
    """The rows of a table: its messages decoded, its columns stored and computed."""
    timed = any(node is one for one in compiler.timed)
    watermark = compiler.watermarks.declare(node) if timed else ""
    decoded = compiler.sources.read(node.spec.source, node.table, watermark=watermark)
    numbered = compiler.numbered(node)
    for name, sql in node.spec.decoded:
        rows_of = F.expr(compiler.vault.named(sql, node.spec.secrets))
        if node.by_key and name == node.spec.decoded[-1][0]:
            decoded = decoded.select("*", rows_of.alias(_ROWS))
            rows_of = _without_replaced(node, name)
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


def _without_replaced(node: Scan, row: str) -> Column:
    """The rows of a message but those that the next one replaces: it has their key."""
    following = f"get({_ROWS}, __i + 1)"
    key = [sql for name, sql, _ in node.spec.columns if quote(name) in key_of(node)]
    terms = [f"{node.spec.kind} = {_BEFORE}"]
    terms += [f"{sql} <=> {sql.replace(row, following)}" for sql in key]
    return F.expr(f"filter({_ROWS}, ({row}, __i) -> NOT ({' AND '.join(terms)}))")


def _exploded(rows_of: Column, name: str, spec: ScanSpec, *, numbered: bool) -> Column:
    """Each row of a message; with tombstones also a message that has none."""
    outer = spec.tombstones and name == spec.decoded[-1][0]
    if numbered:
        explode = F.posexplode_outer if outer else F.posexplode
        return explode(rows_of).alias(f"{name}_at", name)
    return (F.explode_outer if outer else F.explode)(rows_of).alias(name)


def _order(node: Scan) -> Column:
    """Where a row stands: rows of a batch after those before it, as they are read in it."""
    if not isinstance(node.spec.source, KafkaSource):
        return as_read()
    place = f"{node.spec.decoded[-1][0]}_at" if node.spec.decoded else "0"
    return F.expr(order_sql("offset", "partition", place))


def as_read() -> Column:
    """The number of a row as it is read, in the shape of a place in a topic."""
    return F.expr(order_sql("penstock_row()", "0", "0"))
