"""Functions with OVER over a stream: each row with what they say of those before it.

In: columns; where rows are ordered by no time, the row kind too. Out: the columns asked for, one
for each function, and the row kind. By event time rows come out in its order when the watermark has
passed them, by processing time as they came, each once; by anything else at once, and again when
another one comes or goes before them. Kept: rows that wait; of each partition what its functions
know, and the rows of a bounded frame; all rows where no time orders them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from penstock.model.changelog import KIND_COLUMN
from penstock.model.types import quote
from penstock.spark.java_class import java_class
from penstock.spark.operators.packed import arrival

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.plan.frames import OverCall
    from penstock.plan.nodes import Order

_POSITIONS = ("ROW_NUMBER", "RANK", "DENSE_RANK")


def over(
    frame: DataFrame,
    columns: Sequence[str],
    *,
    partition: Sequence[str],
    calls: Sequence[tuple[str, OverCall]],
    time: str = "0L",
    by_watermark: bool = False,
    order: Sequence[Order] = (),
    ttl_ms: int = 0,
) -> DataFrame:
    """The rows with the functions, which share a frame.

    They are ordered by their `time` in microseconds, or by an `order` that is no time; by the
    watermark those of one time are in that order.
    """
    spark = frame.sparkSession
    reach = calls[0][1].frame
    told = {
        "key": f"penstock_pack_key({', '.join(partition)})",
        "row": f"penstock_pack({', '.join(map(quote, columns))})",
        "at": arrival(frame),
        "time": time,
        "columns": list(columns),
        **_functions(calls),
        "order": [
            {"name": f"__order{place}", "sql": term.expr.sql}
            | {"descending": term.descending, "nullsFirst": term.nulls_first}
            for place, term in enumerate(order)
        ],
        "rows": reach.rows,
        "preceding": -1 if reach.size is None else reach.size,
        "byWatermark": by_watermark,
        "ttlMillis": ttl_ms,
    }
    found = java_class(spark, "penstock.operators.over.OverAggregation").apply(
        frame._jdf, json.dumps(told), KIND_COLUMN
    )
    out = [*columns, *(name for name, _ in calls), KIND_COLUMN]
    return DataFrame(found, spark).select(*map(quote, out))


def _functions(calls: Sequence[tuple[str, OverCall]]) -> dict[str, list[dict[str, object]]]:
    """The calls by the three kinds that Java knows."""
    return {
        "aggregates": [
            {"name": name, "sql": call.sql}
            for name, call in calls
            if call.function not in (*_POSITIONS, "LAG")
        ],
        "positions": [
            {"name": name, "function": call.function}
            for name, call in calls
            if call.function in _POSITIONS
        ],
        "lags": [
            {"name": name, "value": call.sql, "offset": call.offset, "otherwise": call.otherwise}
            for name, call in calls
            if call.function == "LAG"
        ],
    }
