"""Rows that are known without Spark → a DataFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.connectors.system import RowsSource
    from penstock.spark.sources.opening import Opening


def rows(opening: Opening, source: RowsSource) -> DataFrame:
    """Each object of an array of JSON."""
    parsed = F.from_json(F.lit(source.rows), f"ARRAY<STRUCT<{source.schema}>>")
    return opening.session.range(0, 1, 1, 1).select(F.inline(parsed))
