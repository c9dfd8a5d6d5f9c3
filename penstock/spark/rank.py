"""ROW_NUMBER with a bound, ORDER BY and LIMIT → a DataFrame: Spark's own over rows read whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.model.types import quote

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from penstock.plan.nodes import Rank, Sort
    from penstock.spark.compile import Compiler


def rank(node: Rank, compiler: Compiler) -> DataFrame:
    """The rows whose number lies within the range."""
    rows = compiler.rows(node.input)
    if node.versions:
        return rows.select("*", *([F.lit(1).cast("bigint").alias(node.column)] * node.numbered))
    if engine := compiler.engine_for(node):
        return engine.rank(node, rows)
    numbered = rows.select("*", F.expr(node.number.sql).alias(node.column))
    found = numbered.where(F.col(node.column).between(node.first, node.last))
    return found.where(f"{quote(node.column)} <= {node.last_by.sql}") if node.last_by else found


def sort(node: Sort, compiler: Compiler) -> DataFrame:
    """The rows in order, as many as are asked for."""
    rows = compiler.rows(node.input)
    if engine := compiler.engine_for(node):
        return engine.sort(node, rows)
    if node.order:
        rows = rows.orderBy(*(_ordering(o.sql) for o in node.order))
    if node.offset:
        rows = rows.offset(node.offset)
    return rows if node.limit is None else rows.limit(node.limit)


def _ordering(sql: str) -> Column:
    """`x DESC NULLS LAST` as a column: `expr` does not read the words of an order."""
    for words in ("ASC NULLS FIRST", "ASC NULLS LAST", "DESC NULLS FIRST", "DESC NULLS LAST"):
        if sql.endswith(words):
            column: Column = getattr(
                F.expr(sql.removesuffix(words)), words.lower().replace(" ", "_")
            )()
            return column
    raise AssertionError(sql)
