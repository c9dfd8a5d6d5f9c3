"""OVER over streams: what comes out is what Spark's batch says of the same rows."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F

from penstock.plan.frames import Frame, OverCall
from penstock.plan.nodes import ORDER_COLUMN
from penstock.plan.windows import ROWTIME_COLUMN
from penstock.spark.operators.over import over
from tests.spark.changelogs import Change, Stream, frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

_COLUMNS = "n BIGINT, at BIGINT, k STRING, x INT, d DOUBLE, s STRING"
_DELAY_MS = 3000
_END = 10_000_000
# What the engine computes, and how Spark's window functions say the same.
_AGGREGATES = {
    "count(*)": "count(*)",
    "count(x)": "count(x)",
    "sum(x)": "sum(x)",
    "avg(d)": "avg(d)",
    "min(x)": "min(x)",
    "max(s)": "max(s)",
    "var_samp(d)": "var_samp(d)",
    "count(DISTINCT x)": "size(collect_set(x) {over})",
    "first(s, TRUE)": "min_by(s, CASE WHEN s IS NOT NULL THEN struct(at, n) END)",
    "last(s, TRUE)": "max_by(s, CASE WHEN s IS NOT NULL THEN struct(at, n) END)",
    "collect_list(s)": "transform(array_sort(collect_list(CASE WHEN s IS NOT NULL THEN "
    "struct(at, n, s) END) {over}), e -> e.s)",
    "sum(x) FILTER (WHERE x > 3)": "sum(CASE WHEN x > 3 THEN x END)",
}
ALL_ROWS, ALL_TIMES = Frame(rows=True), Frame(rows=False)


def rows_before(size: int) -> Frame:
    return Frame(True, f"{size} PRECEDING", size=size)


def time_before(ms: int) -> Frame:
    return Frame(False, f"{ms} PRECEDING", size=ms, by_interval=True)


def _batches(seed: int) -> list[list[Change]]:
    """Rows that are out of order by less than the watermark waits, many of them at one time."""
    choice = random.Random(seed)
    found: list[list[Change]] = []
    number = 0
    for batch in range(4):
        rows: list[Change] = []
        for _ in range(80):
            number += 1
            at = 10_000 + batch * 2000 + choice.randrange(2000 + _DELAY_MS) // 50 * 50
            x = choice.choice([None, *range(8)])
            d = choice.choice([None, -1.1, 0.3, 1.7, 90.1])
            rows.append((number, at, choice.choice("abc"), x, d, choice.choice([None, "p", "q"])))
        found.append(rows)
    return [
        *found,
        [(number + 1, _END, "end", 0, 0.0, "")],
        [(number + 2, _END, "end", 0, 0.0, "")],
    ]


def _operator(
    calls: Sequence[OverCall],
    partition: Sequence[str],
    *,
    by_watermark: bool = True,
    time: str = "at * 1000",
) -> Callable[[DataFrame], DataFrame]:
    def operator(rows: DataFrame) -> DataFrame:
        timed = rows.withColumn(ROWTIME_COLUMN, F.expr("timestamp_millis(at)"))
        timed = timed.withWatermark(ROWTIME_COLUMN, f"{_DELAY_MS} milliseconds")
        order = "struct(n AS offset, 0 AS partition, 0 AS place)"
        return over(
            timed.withColumn(ORDER_COLUMN, F.expr(order)),
            ["n"],
            partition=partition,
            calls=[(f"c{place}", call) for place, call in enumerate(calls)],
            time=time,
            by_watermark=by_watermark,
        )

    return operator


def _expected(
    spark: SparkSession, rows: list[Change], texts: Sequence[str], window: str
) -> Counter[Change]:
    spark.createDataFrame(rows, _COLUMNS).createOrReplaceTempView("over_rows")
    over_ = f"OVER ({window})"
    columns = (t.replace("{over}", over_) if "{over}" in t else f"{t} {over_}" for t in texts)
    found = spark.sql(f"SELECT n, {', '.join(columns)} FROM over_rows")
    return Counter(tuple(map(frozen, row)) for row in found.collect())


def _run(stream: Stream, batches: list[list[Change]], operator: Callable[..., DataFrame]) -> None:
    for number, rows in enumerate(batches):
        stream.add(*rows)
        if number == 1:
            stream.run(operator)
    stream.run(operator)


def _told(stream: Stream) -> Counter[Change]:
    kinds = {row[0] for batch in stream.batches.values() for row in batch}
    assert kinds == {"+I"}
    return Counter(row[1:] for batch in stream.batches.values() for row in batch)


@pytest.mark.parametrize(
    ("frame", "partition"),
    [
        (ALL_ROWS, ("k",)),
        (rows_before(0), ()),
        (rows_before(7), ("k",)),
        (ALL_TIMES, ()),
        (time_before(0), ("k",)),
        (time_before(700), ("k",)),
        (time_before(700), ()),
    ],
    ids=["rows", "this row", "7 rows", "times", "this time", "700 ms", "700 ms of all"],
)
def test_over_an_event_time_is_that_of_a_batch(
    spark: SparkSession, tmp_path: Path, frame: Frame, partition: tuple[str, ...]
) -> None:
    calls = [OverCall("SUM", frame, sql) for sql in _AGGREGATES]
    stream, batches = Stream(spark, tmp_path, _COLUMNS), _batches(frame.size or 1)
    _run(stream, batches, _operator(calls, partition))
    by = f"PARTITION BY {', '.join(partition)} " if partition else ""
    order = "at, n" if frame.rows else "at"
    rows = [row for batch in batches[:-2] for row in batch]
    expected = _expected(
        spark, rows, list(_AGGREGATES.values()), f"{by}ORDER BY {order} {frame.sql}"
    )
    assert _told(stream) == expected


def test_over_processing_time_is_that_of_a_batch_in_the_order_of_arrival(
    spark: SparkSession, tmp_path: Path
) -> None:
    calls = [OverCall("SUM", rows_before(3), sql) for sql in _AGGREGATES]
    stream, batches = Stream(spark, tmp_path, _COLUMNS), _batches(5)[:3]
    _run(stream, batches, _operator(calls, ("k",), by_watermark=False, time="0L"))
    # By arrival `at` says nothing: rows of a batch come in the order of their offsets.
    rows = [(row[0], 0, *row[2:]) for batch in batches for row in batch]
    window = f"PARTITION BY k ORDER BY n {rows_before(3).sql}"
    assert _told(stream) == _expected(spark, rows, list(_AGGREGATES.values()), window)


def _values(stream: Stream) -> list[list[Change]]:
    return [sorted(row[1:] for row in stream.batches[n]) for n in sorted(stream.batches)]


def _row(number: int, at: int, x: int, key: str = "a") -> Change:
    return (number, at, key, x, 0.0, "")


def test_a_frame_by_the_clock_loses_what_is_too_long_ago(
    spark: SparkSession, tmp_path: Path
) -> None:
    hour = 3_600_000
    calls = [
        OverCall("SUM", time_before(hour), "sum(x)"),
        OverCall("COUNT", time_before(hour), "count(DISTINCT x)"),
        OverCall("MIN", time_before(hour), "min(x)"),
    ]
    stream = Stream(spark, tmp_path, _COLUMNS)
    for number, minutes in enumerate((0, 30, 90, 300)):
        at = minutes * 60_000
        stream.add(_row(2 * number, at, number), _row(2 * number + 1, at, 7))
    stream.run(_operator(calls, ("k",), by_watermark=False))
    # Rows of a batch come at once; those of exactly an hour ago are still there.
    assert _values(stream) == [
        [(0, 7, 2, 0), (1, 7, 2, 0)],
        [(2, 15, 3, 0), (3, 15, 3, 0)],
        [(4, 17, 3, 1), (5, 17, 3, 1)],
        [(6, 10, 2, 3), (7, 10, 2, 3)],
    ]


def test_positions_and_rows_before_go_by_time(spark: SparkSession, tmp_path: Path) -> None:
    calls = [
        OverCall("RANK", ALL_TIMES),
        OverCall("DENSE_RANK", ALL_TIMES),
        OverCall("LAG", ALL_TIMES, "x", 2, "CAST(-n AS INT)"),
        OverCall("SUM", ALL_TIMES, "sum(x)"),
    ]
    stream = Stream(spark, tmp_path, _COLUMNS)
    stream.add(_row(1, 3000, 30), _row(2, 1000, 10))
    stream.add(_row(3, 3000, 31), _row(4, 4000, 40), _row(5, 1000, 11))
    stream.add(_row(6, _END, 0, "end"))
    stream.add(_row(7, _END, 0, "end"))
    stream.run(_operator(calls, ("k",)))
    # Rows of one time see each other; two before the last of them is the same row for all.
    assert sorted(row for batch in _values(stream) for row in batch) == [
        (1, 3, 2, 11, 82),
        (2, 1, 1, -5, 21),
        (3, 3, 2, 11, 82),
        (4, 5, 3, 30, 122),
        (5, 1, 1, -5, 21),
    ]


def test_late_rows_are_left_out(spark: SparkSession, tmp_path: Path) -> None:
    """The watermark is 3 s behind; a row moves it for the batch after it."""
    batches = [
        [_row(1, 1000, 1), _row(2, 9000, 2), _row(20, 1000, 1, "b")],
        [_row(3, 9500, 3)],
        # The watermark was 6 s in the batch before: these are late, but b has told no such time.
        [_row(4, 900, 4), _row(5, 5000, 5), _row(21, 5000, 5, "b"), _row(6, _END, 0, "end")],
        [_row(7, _END, 0, "end")],
    ]
    found = {}
    for name, frame in {"all": ALL_ROWS, "some": rows_before(9)}.items():
        stream = Stream(spark, tmp_path / name, _COLUMNS)
        for batch in batches:
            stream.add(*batch)
        stream.run(_operator([OverCall("SUM", frame, "sum(x)")], ("k",)))
        found[name] = [row for batch in _values(stream) for row in batch]
    # Before all that came: the watermark decides. Of a number of rows: what its partition has told.
    assert found["all"] == [(1, 1), (20, 1), (2, 3), (3, 6)]
    assert found["some"] == [(1, 1), (20, 1), (5, 6), (21, 6), (2, 8), (3, 11)]


def _kept(spark: SparkSession, stream: Stream, name: str) -> int:
    reader = spark.read.format("statestore").option("stateVarName", name)
    return reader.load(stream.checkpoint).count()


def test_what_no_row_can_see_any_more_is_forgotten(spark: SparkSession, tmp_path: Path) -> None:
    calls = [
        OverCall("SUM", time_before(2000), "sum(x)"),
        OverCall("MAX", time_before(2000), "max(x)"),
    ]
    stream = Stream(spark, tmp_path, _COLUMNS)
    for number in range(6):
        key = "ab"[number % 2]
        stream.add(
            _row(2 * number, number * 2000, 9 - number, key),
            _row(2 * number + 1, number * 2000, 1, "c"),
        )
    stream.run(_operator(calls, ("k",)))
    # The watermark was 5 s in the last batch: 4 s and before is told. Frames reach back 2 s: of `a`
    # one row is left, of `b` one, of `c` two; all three have rows that wait.
    assert [_kept(spark, stream, name) for name in ("frame", "rows1", "times")] == [3, 4, 3]
    stream.add(_row(99, _END, 0, "end"))
    stream.add(_row(100, _END, 0, "end"))
    stream.run(_operator(calls, ("k",)))
    assert [_kept(spark, stream, name) for name in ("frame", "rows1", "times")] == [0, 0, 1]
