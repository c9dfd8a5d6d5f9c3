"""Keeps conditions above the watermark: rows that do not meet them still move time on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.plan.windows import ROWTIME_COLUMN

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def after_watermark(condition: str, rows: DataFrame) -> str:
    """The condition, naming every event time of the rows so that Spark leaves it where it is."""
    for name in rows.columns:
        if name.startswith(ROWTIME_COLUMN):
            condition = f"penstock_after_watermark({name}, {condition})"
    return condition
