"""Rows as bytes around a stateful operator: `packed` before it, `unpacked` after it.

The operators of the Java module take the columns `k` (the key), `r` (the row), `kind` and `at` (its
place in the order of its key), and give `r` and `kind`: see `penstock.operators.Changes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from penstock.model.changelog import KIND_COLUMN
from penstock.model.types import literal, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame


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
    kind = KIND_COLUMN if KIND_COLUMN in frame.columns else "CAST(0 AS TINYINT)"
    return frame.select(
        F.expr(f"penstock_pack_key({', '.join(key)})").alias("k"),
        F.expr(f"penstock_pack({row})").alias("r"),
        F.expr(kind).alias("kind"),
        F.expr(at).alias("at"),
        *([F.expr(until).alias("until")] if until else []),
    )


def unpacked(changes: DataFrame, type_: StructType) -> DataFrame:
    """The columns of packed rows, and the row kind."""
    row = F.expr(f"penstock_unpack(r, {literal(type_.json())})")
    return changes.select(row.alias("r"), F.col("kind").alias(KIND_COLUMN)).select(
        "r.*", KIND_COLUMN
    )


def type_of(frame: DataFrame, columns: Sequence[str]) -> StructType:
    """The type of a row of these columns."""
    return StructType([frame.schema[name] for name in columns])
