"""Window joins on the changelog engine: one side is told as windows close, the other at once."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.model.expression import Expr
from penstock.model.types import BIGINT
from penstock.plan.nodes import Order
from penstock.plan.windows import ROWTIME_COLUMN, WINDOW_COLUMN, as_local_time
from penstock.spark.operators.interval_join import window_join
from penstock.spark.operators.rank import rank
from tests.spark.changelogs import KINDS, Stream

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.plan.nodes import JoinKind

pytestmark = pytest.mark.spark

_COLUMNS = f"side STRING, n INT, k STRING, at INT, {KIND_COLUMN} TINYINT"
_KINDS: tuple[JoinKind, ...] = ("FULL", "SEMI", "ANTI")
_CONDITION = "lk = rk AND ls = rs AND le = re"


def _side(rows: DataFrame, side: str) -> DataFrame:
    timed = rows.withColumn(ROWTIME_COLUMN, F.expr("timestamp_seconds(at)"))
    timed = timed.withWatermark(ROWTIME_COLUMN, "0 seconds")
    own = timed.where(f"penstock_after_watermark({ROWTIME_COLUMN}, side = '{side}')")
    return own.withColumn(WINDOW_COLUMN, F.window(ROWTIME_COLUMN, "10 seconds"))


def _named(rows: DataFrame, side: str) -> DataFrame:
    return rows.selectExpr(
        f"n AS {side}n",
        f"k AS {side}k",
        f"{as_local_time(f'{WINDOW_COLUMN}.start')} AS {side}s",
        f"{as_local_time(f'{WINDOW_COLUMN}.end')} AS {side}e",
    )


def _firsts(rows: DataFrame) -> DataFrame:
    """The least row of each key in each window, told when the window is over."""
    return rank(
        rows.drop(KIND_COLUMN),
        [WINDOW_COLUMN, "k", "n"],
        partition=[f"{WINDOW_COLUMN}.start", f"{WINDOW_COLUMN}.end", "k"],
        order=[Order(Expr("`n`", BIGINT), descending=False, nulls_first=False)],
        first=1,
        last=1,
        until=f"unix_micros({WINDOW_COLUMN}.end)",
    )


def _joined(rows: DataFrame, kind: JoinKind) -> DataFrame:
    left, right = _named(_firsts(_side(rows, "l")), "l"), _named(_side(rows, "r"), "r")
    found = window_join(left, right, condition=_CONDITION, kind=kind, ends=("le", "re"))
    theirs = "rn" if kind == "FULL" else "CAST(NULL AS INT) AS rn"
    return found.selectExpr(f"'{kind}' AS how", "ln", theirs, KIND_COLUMN)


def _all_kinds(rows: DataFrame) -> DataFrame:
    return reduce(DataFrame.union, (_joined(rows, kind) for kind in _KINDS))


def _row(side: str, n: int, k: str | None, at: int) -> tuple[str, int, str | None, int, int]:
    return side, n, k, at, KINDS["+I"]


# Each batch runs with the watermark of the rows before it; what is late is so by the one before.
_BATCHES = (
    (_row("l", 1, "a", 1), _row("l", 2, "b", 2), _row("l", 3, "c", 6), _row("r", 11, "a", 3)),
    (_row("r", 12, "a", 5), _row("l", 4, "a", 12)),
    # The windows until 10 close; one of their rows comes with this very batch.
    (_row("r", 13, "b", 4), _row("r", 14, "d", 14), _row("r", 15, "a", 13), _row("l", 5, "e", 20)),
    # The first is too late, also to be told alone; the windows until 20 close.
    (_row("r", 16, "c", 2), _row("l", 6, "f", 40)),
    # Nothing comes from the right side for a window: its left row is told alone.
    (_row("r", 17, "f", 41),),
)
_TOLD = (
    (),
    (),
    (
        *(("FULL", 1, 11), ("FULL", 1, 12), ("FULL", 2, 13), ("FULL", 3, None)),
        *(("SEMI", 1, None), ("SEMI", 2, None), ("ANTI", 3, None)),
    ),
    (("FULL", 4, 15), ("FULL", None, 14), ("SEMI", 4, None)),
    (("FULL", 5, None), ("ANTI", 5, None)),
)


def _in_order(rows: tuple[tuple[object, ...], ...]) -> list[tuple[object, ...]]:
    return sorted((("+I", *row) for row in rows), key=str)


def test_rows_of_a_window_meet_though_it_closes_with_them(
    spark: SparkSession, tmp_path: Path
) -> None:
    stream = Stream(spark, tmp_path, _COLUMNS)
    for part in (_BATCHES[:2], _BATCHES[2:]):
        for rows in part:
            stream.add(*rows)
        stream.run(_all_kinds)
    assert [sorted(batch, key=str) for batch in stream.changes()] == list(map(_in_order, _TOLD))
    # The rows of one window on each side, beside what is known of their key, and a timer.
    assert stream.kept <= len(_KINDS) * 6
