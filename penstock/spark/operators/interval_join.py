"""A join bounded in time, by an interval or by equal windows, of rows that only come.

In: the columns of each side under names of their own. Out: the columns of both: pairs at once, rows
without a partner when the watermark has passed what bounds them. Kept: rows of both sides until
then. By an interval late rows are joined like others, by windows they are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.model.types import quote
from penstock.plan.windows import as_instant
from penstock.spark.java_class import java_class
from penstock.spark.operators.join import AT_COLUMN

if TYPE_CHECKING:
    from penstock.plan.nodes import JoinKind

_HOUR_MS = 60 * 60 * 1000
_MICROS = 1000


def interval_join(
    left: DataFrame,
    right: DataFrame,
    *,
    condition: str,
    kind: JoinKind,
    until: tuple[tuple[str, int], tuple[str, int]],
) -> DataFrame:
    """The joined rows; `until` is of each side its time, and how long after it partners may be."""
    spark = left.sparkSession
    sides = [_due(side, *bound)._jdf for side, bound in zip((left, right), until, strict=True)]
    found = java_class(spark, "penstock.operators.join.Joining").interval(
        *sides, condition, kind, KIND_COLUMN
    )
    return DataFrame(found, spark)


def window_join(
    left: DataFrame, right: DataFrame, *, condition: str, kind: JoinKind, ends: tuple[str, str]
) -> DataFrame:
    """The joined rows of equal windows; `ends` are the columns with their ends, local times."""
    spark = left.sparkSession
    sides: list[Any] = [
        side.withColumn(AT_COLUMN, F.expr(f"unix_micros({as_instant(quote(end))})"))._jdf
        for side, end in zip((left, right), ends, strict=True)
    ]
    found = java_class(spark, "penstock.operators.join.Joining").windows(
        *sides, condition, kind, KIND_COLUMN
    )
    return DataFrame(found, spark)


def _due(side: DataFrame, time: str, after_ms: int) -> Any:
    """The rows with what the watermark, a local time, must pass before none can be a partner.

    Where clocks are set back, the hours before that show later times than those behind it.
    """
    if side.schema[time].dataType.typeName() == "timestamp":
        hours = (0, _HOUR_MS, 2 * _HOUR_MS)
        shown = (f"{_shown(time, after_ms - back)} + {back * _MICROS}L" for back in hours)
        due = f"greatest({', '.join(shown)})"
    else:
        due = f"unix_micros({as_instant(quote(time))}) + {after_ms * _MICROS}L"
    # A row without a time has no partner: its time has passed.
    return side.withColumn(AT_COLUMN, F.expr(f"coalesce({due}, -1L)"))


def _shown(time: str, after_ms: int) -> str:
    """What clocks show so long after an instant, in microseconds."""
    instant = f"timestamp_micros(unix_micros({quote(time)}) + {after_ms * _MICROS}L)"
    return f"unix_micros({as_instant(f'CAST({instant} AS TIMESTAMP_NTZ)')})"
