"""The rows of a table at rest with those of one key merged: FINAL, and what OPTIMIZE keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from penstock.model.types import quote

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from penstock.connectors.merge_rules import Merge

# Delta numbers rows as they are inserted.
_ROW = "_metadata.row_id"


def merged(rows: DataFrame, rule: Merge) -> DataFrame:
    """One row of each key, or none."""
    columns = [F.col(quote(name)) for name in rows.columns]
    key = [F.col(quote(name)) for name in rule.key]
    newest = [F.col(quote(rule.version)).desc()] if rule.version else []
    # A key without any column is one key for all rows.
    same = Window.partitionBy(*(key or [F.lit(0)]))
    last = same.orderBy(*newest, F.col(_ROW).desc())
    summed = {
        name: F.sum(quote(name)).over(same).cast(type_).alias(name) for name, type_ in rule.sums
    }
    kept = [summed.get(name, F.col(quote(name))) for name in rows.columns]
    found = rows.select(*kept, F.row_number().over(last).alias("__place")).where("__place = 1")
    return found.where(_stays(rule)).select(*columns)


def _stays(rule: Merge) -> Column:
    stays = F.lit(True)
    if rule.deleted:
        stays = stays & (F.col(quote(rule.deleted)) == 0)
    if rule.sums:
        zero = F.lit(True)
        for name, _ in rule.sums:
            zero = zero & (F.col(quote(name)) == 0)
        stays = stays & ~zero
    return stays
