"""The rows of a table at rest with those of one key merged: FINAL, and what OPTIMIZE keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from penstock.connectors.merge_rules import PARTITION, ROW
from penstock.model.types import quote

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from penstock.connectors.merge_rules import Merge

# Delta numbers rows as they are inserted.
NUMBER = "_metadata.row_id"


def merged(rows: DataFrame, rule: Merge) -> DataFrame:
    """One row of each key, or none; of a key whose rows collapse, perhaps two.

    Which partition a row is in is left out where rows of several become one.
    """
    names = [name for name in rows.columns if name != PARTITION or PARTITION in rule.key]
    numbered = rows.select(*_filled(rows.columns, rule), _order(rows.columns).alias(ROW))
    computed = [F.expr(sql).alias(name) for name, sql in rule.computed]
    numbered = numbered.select("*", *computed) if computed else numbered
    found = _aggregated if rule.merged else _newest
    if rule.sign:
        found = _paired if rule.version else _collapsed
    return found(numbered, rule).select(*(F.col(quote(name)) for name in names))


def _filled(names: list[str], rule: Merge) -> list[Column]:
    filled = dict(rule.filled)
    return [F.expr(filled.get(name, quote(name))).alias(name) for name in names]


def _order(names: list[str]) -> Column:
    """As ClickHouse reads them: by partitions, of which each is merged alone, then as inserted."""
    return F.struct(PARTITION, NUMBER) if PARTITION in names else F.col(NUMBER)


def _key(rule: Merge) -> list[Column]:
    """A key without any column is one key for all rows."""
    return [F.col(quote(name)) for name in rule.key] or [F.lit(0)]


def _newest(rows: DataFrame, rule: Merge) -> DataFrame:
    newest = [F.col(quote(rule.version)).desc()] if rule.version else []
    last = Window.partitionBy(*_key(rule)).orderBy(*newest, F.col(ROW).desc())
    found = rows.select("*", F.row_number().over(last).alias("__place")).where("__place = 1")
    return found.where(F.col(quote(rule.deleted)) == 0) if rule.deleted else found


def _aggregated(rows: DataFrame, rule: Merge) -> DataFrame:
    values = [F.expr(sql).alias(name) for name, sql in rule.merged]
    found = rows.groupBy(*_key(rule)).agg(*values)
    parts = [F.expr(sql).alias(name) for name, sql in rule.parts]
    return (found.where(f"NOT ({rule.zero})") if rule.zero else found).select("*", *parts)


def _collapsed(rows: DataFrame, rule: Merge) -> DataFrame:
    """The last row of 1 if there are more of these, the first of -1 if there are fewer.

    Of as many of both, the first of -1 and the last of 1 stay if the last row is one of 1.
    """
    sign = F.col(quote(rule.sign))
    every = Window.partitionBy(*_key(rule))
    same = Window.partitionBy(*_key(rule), sign)
    more = F.sum(sign.cast("bigint")).over(every)
    ends_well = F.max_by(sign, F.col(ROW)).over(every) == 1
    marked = rows.select(
        "*",
        more.alias("__more"),
        ends_well.alias("__ends_well"),
        F.min(ROW).over(same).alias("__first"),
        F.max(ROW).over(same).alias("__last"),
    )
    state = (sign == 1) & (F.col(ROW) == F.col("__last"))
    cancel = (sign == -1) & (F.col(ROW) == F.col("__first"))
    both = (F.col("__more") == 0) & F.col("__ends_well")
    stays = state & ((F.col("__more") > 0) | both)
    if rule.cancels:
        stays = stays | (cancel & ((F.col("__more") < 0) | both))
    return marked.where(stays)


def _paired(rows: DataFrame, rule: Merge) -> DataFrame:
    """In the order of insertion, a row takes away the one before it if that has the other sign."""
    every = F.collect_list(F.struct(*(F.col(quote(name)) for name in rows.columns)))
    in_order = f"array_sort(__every, (a, b) -> if(a.{ROW} < b.{ROW}, -1, 1))"
    sign = quote(rule.sign)
    # An empty array of rows: the first none of them.
    left = f"""aggregate({in_order}, slice(__every, 1, 0), (kept, row) ->
        if(try_element_at(kept, -1).{sign} = -row.{sign}, slice(kept, 1, size(kept) - 1),
            concat(kept, array(row))))"""
    groups = rows.groupBy(*_key(rule)).agg(every.alias("__every"))
    return groups.select(F.expr(f"explode({left})").alias("row")).select("row.*")
