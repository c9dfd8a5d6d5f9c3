"""Rows as bytes around a stateful operator: `packed` before it, `unpacked` after it.

The operators of the Java module take the columns `k` (the key), `r` (the row), `kind` and `at` (its
place in the order of its key), and give `r` and `kind`: see `penstock.operators.Changes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from penstock.model.changelog import KIND_COLUMN, RowKind
from penstock.model.types import literal, quote
from penstock.plan.nodes import ORDER_COLUMN, ORDER_PARTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import Column, DataFrame

_MOST_PLACES = (1 << 20) - 1


def order_sql(offset: str, partition: str, place: str) -> str:
    """Where a row stands among all that come: first by its batch, then by its place in a topic."""
    parts = zip(ORDER_PARTS, ("penstock_batch()", offset, partition, place), strict=True)
    return f"struct({', '.join(f'{sql} AS {name}' for name, sql in parts)})"


# `arrival` back in that shape
_PLACE = order_sql("shiftright(at, 20)", "0", f"CAST(at & {_MOST_PLACES} AS INT)")


def packed(
    frame: DataFrame,
    columns: Sequence[str],
    *,
    key: Sequence[str],
    at: str = "0L",
    until: str = "",
) -> DataFrame:
    """The columns of a changelog by their key; the others are expressions in Spark SQL.

    `until` is when the window of a row ends, in microseconds, where it is in one.
    """
    row = ", ".join(map(quote, columns))
    return frame.select(
        F.expr(f"penstock_pack_key({', '.join(key)})").alias("k"),
        F.expr(f"penstock_pack({row})").alias("r"),
        kind_of(frame).alias("kind"),
        F.expr(at).alias("at"),
        *([F.expr(until).alias("until")] if until else []),
    )


def unpacked(changes: DataFrame, type_: StructType) -> DataFrame:
    """The columns of packed rows, and the row kind; also the place, if they have one."""
    row = F.expr(f"penstock_unpack(r, {literal(type_.json())})")
    hidden = [F.col("kind").alias(KIND_COLUMN)]
    if "at" in changes.columns:
        hidden.append(F.expr(_PLACE).alias(ORDER_COLUMN))
    found = changes.select(row.alias("r"), *hidden)
    return found.select("r.*", *found.columns[1:])


def kind_of(rows: DataFrame, otherwise: RowKind = RowKind.INSERT) -> Column:
    """The kind of a row; where rows carry none, all are of one."""
    if KIND_COLUMN in rows.columns:
        return F.col(KIND_COLUMN)
    return F.lit(list(RowKind).index(otherwise)).cast("tinyint").alias(KIND_COLUMN)


def arrival(rows: DataFrame) -> str:
    """When a row came within its batch, as far as it is known: message, place in the message."""
    if ORDER_COLUMN not in rows.columns:
        return "0L"
    # A message without a value has no place in itself.
    place = f"least(coalesce({ORDER_COLUMN}.place, 0), {_MOST_PLACES})"
    return f"shiftleft(CAST({ORDER_COLUMN}.offset AS BIGINT), 20) + {place}"


def type_of(frame: DataFrame, columns: Sequence[str]) -> StructType:
    """The type of a row of these columns."""
    return StructType([frame.schema[name] for name in columns])
