"""Keeps conditions above the watermark: rows that do not meet them still move time on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.plan.windows import ROWTIME_COLUMN

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_JOINED = re.compile(r"`j(\d+)([lr])\d+`")


def after_watermark(condition: str, rows: DataFrame) -> str:
    """The condition, naming the event times of its rows so that Spark leaves it above them.

    One that reads a single side of a join names that side's time only, and may go below the join.
    """
    times = [name for name in rows.columns if name.startswith(ROWTIME_COLUMN)]
    sides = {f"_{tag}{side}" for tag, side in _JOINED.findall(condition)}
    if len(sides) == 1:
        times = [name for name in times if name.endswith(tuple(sides))] or times
    for name in times:
        condition = f"penstock_after_watermark({name}, {condition})"
    return condition
