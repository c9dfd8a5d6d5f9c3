"""Messages of one key in two partitions may have the same offset: their order is no accident.

A shuffle brings them in any order, and a batch that is run again must give what it gave before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.spark.operators.join import AT_COLUMN, join
from penstock.spark.operators.normalize import normalize
from tests.spark.changelogs import KINDS, Change
from tests.spark.test_temporal_join import COLUMNS, in_utc, inner

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

__all__ = ["in_utc"]
pytestmark = pytest.mark.spark

# Two rows and a deletion of one key, at one place.
_MESSAGES: list[Change] = [
    (1, 10, KINDS["+U"], 7),
    (1, 20, KINDS["+U"], 7),
    (1, None, KINDS["-D"], 7),
]
_TYPE = f"k INT, v INT, {KIND_COLUMN} TINYINT, {AT_COLUMN} BIGINT"


def _normalized(rows: DataFrame) -> DataFrame:
    return normalize(rows, ["k", "v"], key=["k"], at=AT_COLUMN)


def _joined(rows: DataFrame) -> DataFrame:
    other = rows.limit(1).selectExpr("1 AS rk", f"CAST(0 AS TINYINT) AS {KIND_COLUMN}")
    left = rows.withColumnsRenamed({"k": "lk", "v": "lv"})
    return join(left, other, condition="lk = rk", kind="INNER", rows=("LAST", "MANY"))


def _versions(rows: DataFrame) -> DataFrame:
    """The messages as versions of one time, and a later row that asks for the last of them."""
    version = f"'r', {AT_COLUMN}, k, 0, v, {KIND_COLUMN}"
    asking = rows.sparkSession.createDataFrame([("l", 9, 1, 5, 0, KINDS["+I"])], COLUMNS)
    versions = rows.where("v IS NOT NULL").selectExpr(*version.split(", "))
    return inner(versions.toDF(*asking.columns).union(asking)).select("lk", "rv", KIND_COLUMN)


@pytest.mark.parametrize("operator", [_normalized, _joined, _versions])
def test_rows_of_one_place_in_any_order(
    spark: SparkSession, operator: Callable[[DataFrame], DataFrame]
) -> None:
    for messages in (_MESSAGES, _MESSAGES[::-1], _MESSAGES[1:] + _MESSAGES[:1]):
        rows = spark.createDataFrame(messages, _TYPE).coalesce(1)
        (found,) = operator(rows).where(F.col(KIND_COLUMN).isin(0, 2)).collect()
        assert 20 in tuple(found)
