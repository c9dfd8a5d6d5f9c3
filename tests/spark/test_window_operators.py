"""Groups and top-N of windows on the changelog engine: told once, when it has passed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.model.expression import Expr
from penstock.model.types import BIGINT
from penstock.plan.nodes import Order
from penstock.plan.windows import ROWTIME_COLUMN, WINDOW_COLUMN
from penstock.spark.operators.aggregate import aggregate
from penstock.spark.operators.rank import rank
from tests.spark.changelogs import KINDS, Stream

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

COLUMNS = f"at INT, k STRING, v INT, {KIND_COLUMN} TINYINT"
UNTIL = f"unix_micros({WINDOW_COLUMN}.end)"
WINDOW = (WINDOW_COLUMN, Expr(WINDOW_COLUMN, BIGINT))
AGGREGATES = (
    ("n", Expr("count(*)", BIGINT)),
    ("total", Expr("sum(v)", BIGINT)),
    ("most", Expr("max(v)", BIGINT)),
    ("values", Expr("count(DISTINCT v)", BIGINT)),
)


def in_windows(rows: DataFrame) -> DataFrame:
    timed = rows.withColumn(ROWTIME_COLUMN, F.expr("timestamp_seconds(at)"))
    timed = timed.withWatermark(ROWTIME_COLUMN, "0 seconds")
    return timed.withColumn(WINDOW_COLUMN, F.window(ROWTIME_COLUMN, "10 seconds"))


def groups(rows: DataFrame) -> DataFrame:
    found = aggregate(
        in_windows(rows),
        keys=(WINDOW, ("k", Expr("k", BIGINT))),
        aggregates=AGGREGATES,
        until=UNTIL,
    )
    return found.select(
        F.expr(f"unix_seconds({WINDOW_COLUMN}.start) AS start"),
        *("k", "n", "total", "most", "values"),
        KIND_COLUMN,
    )


def best(rows: DataFrame) -> DataFrame:
    found = rank(
        in_windows(rows.drop(KIND_COLUMN)),
        [WINDOW_COLUMN, "k", "v"],
        partition=[f"{WINDOW_COLUMN}.start", f"{WINDOW_COLUMN}.end"],
        order=[Order(Expr("`v`", BIGINT), descending=True, nulls_first=False)],
        first=1,
        last=2,
        number="place",
        until=UNTIL,
    )
    start = F.expr(f"unix_seconds({WINDOW_COLUMN}.start) AS start")
    return found.select(start, "place", "k", "v", KIND_COLUMN)


def came(at: int, k: str, v: int) -> tuple[int, str, int, int]:
    return at, k, v, KINDS["+I"]


def went(at: int, k: str, v: int) -> tuple[int, str, int, int]:
    return at, k, v, KINDS["-D"]


def told(stream: Stream) -> list[list[tuple[object, ...]]]:
    return [sorted(batch, key=str) for batch in stream.changes()]


def test_groups_of_a_window_are_told_when_it_has_passed(
    spark: SparkSession, tmp_path: Path
) -> None:
    stream = Stream(spark, tmp_path, COLUMNS)
    stream.add(came(1, "a", 5), came(3, "a", 7), came(4, "b", 1), came(5, "c", 9))
    stream.add(went(3, "a", 7), came(9, "a", 5), went(4, "b", 1), came(12, "a", 2))
    stream.run(groups)
    assert told(stream) == [[], []]
    # The watermark has come to 12 s by now; the batch that finds it so tells the first window.
    stream.add(came(13, "b", 4))
    stream.run(groups)
    assert told(stream)[2] == [("+I", 0, "a", 2, 10, 5, 1), ("+I", 0, "c", 1, 9, 9, 1)]
    # Late: the window is over, for rows that come and for those that go.
    stream.add(came(2, "a", 100), went(5, "c", 9), went(12, "a", 2), came(25, "z", 0))
    stream.add(came(26, "z", 0))
    stream.run(groups)
    assert told(stream)[3:] == [[], [("+I", 10, "b", 1, 4, 4, 1)]]


def test_the_best_of_a_window_are_told_when_it_has_passed(
    spark: SparkSession, tmp_path: Path
) -> None:
    stream = Stream(spark, tmp_path, COLUMNS)
    stream.add(came(1, "a", 5), came(3, "b", 7), came(4, "c", 1))
    stream.add(came(5, "d", 6), came(11, "e", 1))
    stream.run(best)
    assert told(stream) == [[], []]
    stream.add(came(12, "f", 0))
    stream.add(came(2, "late", 100), came(21, "g", 0))
    stream.add(came(22, "g", 0))
    stream.run(best)
    assert told(stream)[2:] == [
        [("+I", 0, 1, "b", 7), ("+I", 0, 2, "d", 6)],
        [],
        [("+I", 10, 1, "e", 1), ("+I", 10, 2, "f", 0)],
    ]


def test_many_batches_tell_what_a_batch_would(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(spark, tmp_path, COLUMNS)
    rows = [came(at, "ab"[at % 2], at * 7 % 11) for at in range(60)]
    for begin in range(0, 60, 8):
        stream.add(*rows[begin : begin + 8])
    stream.run(groups)
    found = Counter(row for batch in told(stream) for row in batch)
    expected: Counter[tuple[object, ...]] = Counter()
    for start in range(0, 50, 10):
        for k in "ab":
            values = [v for at, key, v, _ in rows if start <= at < start + 10 and key == k]
            expected["+I", start, k, len(values), sum(values), max(values), len(set(values))] += 1
    assert found == expected
