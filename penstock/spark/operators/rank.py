"""Top-N over a changelog: the rows of each partition whose number lies within a range.

In: columns, and the row kind where rows may go again. Out: the columns asked for, the number if it
has a name, and the row kind; per batch the difference between the rows within the range before and
after. Kept: the rows within the range, and where rows may go every row of the partition; for rows
by arrival alone that stay, how many there were.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.model.types import quote
from penstock.spark.java_class import java_class
from penstock.spark.operators.packed import arrival, packed, type_of, unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.plan.nodes import Order


def rank(
    frame: DataFrame,
    columns: Sequence[str],
    *,
    partition: Sequence[str],
    order: Sequence[Order],
    first: int,
    last: int,
    last_by: str = "",
    function: str = "ROW_NUMBER",
    number: str = "",
    newest_first: bool = False,
    until: str = "",
    ttl_ms: int = 0,
    update_before: bool = True,
) -> DataFrame:
    """The rows numbered from `first` to `last`; of rows alike in `order` the oldest is first.

    `last_by` is an expression that all rows of a partition agree in: no number is above it either.

    With `until`, when the window of a partition ends in microseconds, they are told once: when the
    watermark has passed it.
    """
    spark = frame.sparkSession
    terms = {f"__term{place}": term for place, term in enumerate(order)}
    made = {
        name: F.expr(term.expr.sql) for name, term in terms.items() if _column(term) not in columns
    }
    if last_by:
        made["__last"] = F.expr(last_by).cast("bigint")
    if number:
        made[number] = F.lit(0).cast("bigint")
    wide = frame.withColumns(made) if made else frame
    row = [*columns, *made]
    told = {
        "function": function,
        "order": [
            _told(term, row.index(name if name in made else _column(term)))
            for name, term in terms.items()
        ],
        "newestFirst": newest_first,
        "first": first,
        "last": last,
        "lastColumn": row.index("__last") if last_by else -1,
        "numbered": bool(number),
        "retracts": KIND_COLUMN in frame.columns,
        "updateBefore": update_before,
        "ttlMillis": ttl_ms,
    }
    type_ = type_of(wide, row)
    changes: Any = packed(wide, row, key=partition, at=arrival(frame), until=until)._jdf
    found = java_class(spark, "penstock.operators.rank.Rank").apply(
        changes, json.dumps(told), type_.json()
    )
    out = [*columns, *([number] if number else []), KIND_COLUMN]
    return unpacked(DataFrame(found, spark), type_).select(*map(quote, out))


def _column(term: Order) -> str:
    """The column that a term is, if it is one."""
    return term.expr.sql.strip("`")


def _told(term: Order, place: int) -> dict[str, int | bool]:
    return {"column": place, "descending": term.descending, "nullsFirst": term.nulls_first}
