"""FOR SYSTEM_TIME AS OF an event time: each left row with the right row that was there then.

In: the columns of each side under names of their own, the row kind, and the place of each row where
it is known. Out: the columns of both and the row kind, when the watermark has passed the left row's
time. Kept: left rows until then; of each key of the right side the versions from the one that the
watermark has passed last.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.model.types import quote
from penstock.plan.windows import as_instant
from penstock.spark.java_class import java_class
from penstock.spark.operators.join import AT_COLUMN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.plan.nodes import JoinKind

_NO_TIME = (
    "raise_error('A deletion has no time: the event time of a versioned table must be one that "
    "messages without a value have, such as METADATA FROM \\'timestamp\\'.')"
)


def temporal_join(
    left: DataFrame,
    right: DataFrame,
    *,
    condition: str,
    kind: JoinKind,
    times: tuple[str, str],
    keep: Literal["", "first", "last"] = "",
    key: Sequence[str] = (),
    at_end: bool = False,
) -> DataFrame:
    """The joined rows; `times` are columns of the left and of the right side, of one type.

    `keep` is what a deduplication below says of which rows are versions. With a `key` of the joined
    rows an update is told by its new row alone. With `at_end` all rows are there at once, and none
    waits.
    """
    spark = left.sparkSession
    ours, theirs = map(quote, times)
    until = f"unix_micros({as_instant(f'CAST({ours} AS TIMESTAMP_NTZ)')})"
    waiting: Any = _numbered(left).withColumn("__until", F.expr(until))
    known: Any = _numbered(right).withColumn(times[1], F.expr(f"coalesce({theirs}, {_NO_TIME})"))
    zoned = left.schema[times[0]].dataType.typeName() == "timestamp"
    told = {
        "leftTime": times[0],
        "rightTime": times[1],
        "keep": keep.upper() or "ALL",
        "zone": spark.conf.get("spark.sql.session.timeZone") if zoned else "",
        "atEnd": at_end,
    }
    found = java_class(spark, "penstock.operators.join.Joining").temporal(
        waiting._jdf, known._jdf, condition, kind, KIND_COLUMN, list(key), json.dumps(told)
    )
    return DataFrame(found, spark)


def _numbered(side: DataFrame) -> DataFrame:
    """The rows with the order in which they came, if it is known."""
    return (
        side if AT_COLUMN in side.columns else side.withColumn(AT_COLUMN, F.lit(0).cast("bigint"))
    )
