"""Temporal joins by event time: SQLite says which version each row must meet."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from functools import reduce
from typing import TYPE_CHECKING, Literal

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.plan.windows import ROWTIME_COLUMN, as_instant
from penstock.spark.operators.join import AT_COLUMN
from penstock.spark.operators.temporal_join import temporal_join
from tests.spark.changelogs import KINDS, Change, Stream, fold

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.plan.nodes import JoinKind

pytestmark = pytest.mark.spark

COLUMNS = f"side STRING, n INT, k INT, t INT, v INT, {KIND_COLUMN} TINYINT"
DELAY_S = 20
NTZ = "CAST(timestamp_seconds(t) AS TIMESTAMP_NTZ)"


@pytest.fixture(autouse=True)
def in_utc(spark: SparkSession) -> Iterator[None]:
    zone = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    yield
    spark.conf.set("spark.sql.session.timeZone", zone or "UTC")


def sides(rows: DataFrame, *, delay_s: int = DELAY_S, time: str = NTZ) -> list[DataFrame]:
    """The rows of each side under its own names, below one watermark."""
    if rows.isStreaming:
        local = as_instant(f"CAST({time} AS TIMESTAMP_NTZ)")
        rows = rows.withColumn(ROWTIME_COLUMN, F.expr(local))
        rows = rows.withWatermark(ROWTIME_COLUMN, f"{delay_s} seconds")
    return [
        rows.where(f"penstock_after_watermark(n, side = '{side}')").selectExpr(
            *(f"{name} AS {side}{name}" for name in "nkv"),
            f"{time} AS {side}t",
            f"CAST(n AS BIGINT) AS {AT_COLUMN}",
            KIND_COLUMN,
        )
        for side in "lr"
    ]


CASES: dict[str, tuple[JoinKind, str, Literal["", "first", "last"]]] = {
    "inner": ("INNER", "", ""),
    "left": ("LEFT", "", ""),
    "left with a condition": ("LEFT", " AND lv <= rv", ""),
    "a deduplication of the last": ("LEFT", "", "last"),
    "a deduplication of the first": ("INNER", " AND lv <= rv", "first"),
}


def joined(rows: DataFrame, case: str) -> DataFrame:
    kind, condition, keep = CASES[case]
    if keep:
        rows = rows.withColumn(KIND_COLUMN, F.lit(KINDS["+I"]).cast("tinyint"))
    left, right = sides(rows)
    found = temporal_join(
        left,
        right,
        condition=f"lk = rk{condition}",
        kind=kind,
        times=("lt", "rt"),
        keep=keep,
        at_end=not rows.isStreaming,
    )
    return found.selectExpr(f"'{case}' AS how", "ln", "lk", "lv", "rn", "rv", KIND_COLUMN)


def all_cases(rows: DataFrame) -> DataFrame:
    return reduce(DataFrame.union, (joined(rows, case) for case in CASES))


def inner(rows: DataFrame) -> DataFrame:
    return joined(rows, "inner").drop("how")


def left_outer(rows: DataFrame) -> DataFrame:
    return joined(rows, "left").drop("how")


def _batches(seed: int) -> list[list[Change]]:
    """Rows that come up to the delay out of order: none is late. The last ones let time pass."""
    choice, newest, number = random.Random(seed), 1000, 0
    found: list[list[Change]] = []
    for base in range(1000, 1250, 50):
        rows: list[Change] = []
        for _ in range(60):
            number += 1
            side = choice.choice("lrr")
            kinds = ["+I", "+U", "-U", "-D"] if side == "r" else ["+I"]
            key = choice.choice([None, 1, 2, 3])
            time = choice.randrange(newest - DELAY_S + 1, base + 50)
            rows.append(
                (side, number, key, time, choice.choice([None, 1, 2]), choice.choice(kinds))
            )
        newest = max([newest, *(row[3] for row in rows)])
        choice.shuffle(rows)
        found.append(rows)
    found.append([("l", 9998, None, 5000, 0, "+I")])
    found.append([("l", 9999, None, 9000, 0, "+I")])
    return [[(*row[:5], KINDS[row[5]]) for row in rows] for rows in found]


VERSIONS = {
    "": "SELECT * FROM r WHERE kind <> 1",
    "last": "SELECT n, k, t, v, 0 AS kind FROM r WHERE t >= "
    "(SELECT max(t) FROM r b WHERE b.k = r.k AND b.n <= r.n)",
    "first": "SELECT n, k, t, v, 0 AS kind FROM r WHERE n = "
    "(SELECT n FROM r b WHERE b.k = r.k ORDER BY t, n LIMIT 1)",
}


def _expected(rows: list[Change], until: int) -> Counter[Change]:
    """What the definition says, for all left rows up to a time."""
    base = sqlite3.connect(":memory:")
    for side in "lr":
        base.execute(f"CREATE TABLE {side} (n INT, k INT, t INT, v INT, kind INT)")
        ours = [row[1:] for row in rows if row[0] == side]
        base.executemany(f"INSERT INTO {side} VALUES (?, ?, ?, ?, ?)", ours)
    found: Counter[Change] = Counter()
    for case, (kind, condition, keep) in CASES.items():
        pairs = base.execute(
            f"""WITH versions AS ({VERSIONS[keep]})
            SELECT '{case}', l.n, l.k, l.v, r.n, r.v FROM l LEFT JOIN versions r
            ON r.n = (SELECT n FROM versions b WHERE b.k = l.k AND b.t <= l.t
                      ORDER BY t DESC, n DESC LIMIT 1)
            AND r.kind IN (0, 2) {condition.replace("lv", "l.v").replace("rv", "r.v")}
            WHERE l.t <= {until}"""
        )
        found.update(row for row in pairs if kind == "LEFT" or row[4] is not None)
    return found


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_rows_meet_the_version_of_their_time(
    spark: SparkSession, tmp_path: Path, seed: int
) -> None:
    """Batch by batch, stopped and resumed; and all at once."""
    batches = _batches(seed)
    stream = Stream(spark, tmp_path, COLUMNS)
    for number, rows in enumerate(batches):
        stream.add(*rows)
        if number == 2:
            stream.run(all_cases)
    stream.run(all_cases)
    rows = [row for batch in batches for row in batch]
    assert stream.tables()[-1] == _expected(rows, until=5000 - DELAY_S)
    whole = all_cases(spark.createDataFrame(rows, COLUMNS)).drop(KIND_COLUMN)
    assert Counter(map(tuple, whole.collect())) == _expected(rows, until=9999)


def left(number: int, time: int, kind: str = "+I") -> Change:
    return "l", number, 1, time, 0, KINDS[kind]


def right(number: int, time: int, kind: str = "+U") -> Change:
    return "r", number, 1, time, 0, KINDS[kind]


def test_what_is_late(spark: SparkSession, tmp_path: Path) -> None:
    """A late row is left out; a late version counts for the rows that still wait."""
    stream = Stream(spark, tmp_path, COLUMNS)
    stream.add(right(1, 10), left(2, 30), left(3, 60))
    stream.add(left(4, 100))
    # By now the watermark has passed 40: rows up to then are late, versions are not.
    stream.add(left(5, 39), left(6, 70), right(7, 50), left(8, 130))
    stream.add(left(9, 200))
    stream.add(left(10, 201))
    stream.run(left_outer)
    told = [[(row[1], row[4]) for row in batch] for batch in stream.changes()]
    assert told == [[], [(2, 1)], [(3, 7), (6, 7)], [(4, 7)], [(8, 7)]]


def test_left_rows_that_go_again(spark: SparkSession, tmp_path: Path) -> None:
    """A row that went before its time passed is never told; others are taken back as they came."""
    stream = Stream(spark, tmp_path, COLUMNS)
    stream.add(right(1, 10), left(2, 30), left(3, 50))
    stream.add(left(2, 30, "-D"), left(3, 50, "-U"), left(4, 60, "+U"), left(5, 100))
    stream.add(left(6, 150), left(4, 75, "-U"))
    stream.add(left(7, 200))
    stream.run(inner)
    told = [row for batch in stream.changes() for row in batch]
    assert Counter(told) == Counter(
        [("+I", 4, 1, 0, 1, 0), ("-D", 4, 1, 0, 1, 0), ("+I", 5, 1, 0, 1, 0)]
    )
    table: Counter[Change] = Counter()
    fold(table, told)
    assert set(table) == {(5, 1, 0, 1, 0)}


def test_the_hour_that_comes_twice(spark: SparkSession, tmp_path: Path) -> None:
    """Points on the time line: 02:50 and then 02:10 in a zone that set its clocks back."""
    spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    set_back = 1729990800  # 2024-10-27 01:00 UTC, where 03:00 becomes 02:00
    stream = Stream(spark, tmp_path, COLUMNS)
    stream.add(right(1, set_back - 3600), right(2, set_back + 600), left(3, set_back + 1800))
    stream.add(right(4, set_back + 1200))
    # The watermark stands at 02:30; 02:50 is not late, though it was there before.
    stream.add(left(6, set_back - 600))
    stream.add(left(7, set_back + 9000))
    stream.add(left(8, set_back + 9001))

    def operator(rows: DataFrame) -> DataFrame:
        ours, theirs = sides(rows, delay_s=0, time="timestamp_seconds(t)")
        found = temporal_join(ours, theirs, condition="lk = rk", kind="LEFT", times=("lt", "rt"))
        return found.selectExpr("ln", "rn", KIND_COLUMN)

    stream.run(operator)
    told = sorted(row[1:] for batch in stream.changes() for row in batch)
    assert told == [(3, 4), (6, 1), (7, 4)]


def test_versions_that_nobody_can_ask_for_are_forgotten(
    spark: SparkSession, tmp_path: Path
) -> None:
    stream = Stream(spark, tmp_path, COLUMNS)
    for number in range(6):
        stream.add(*(right(number, 100 + 100 * number + n) for n in range(50)), left(7, 110))
    stream.run(inner)
    # The watermark has come to 529: the version of then, the 20 after it, and those of the last
    # batch; no row waits.
    assert stream.kept == 1 + 20 + 50


def test_a_deletion_without_a_time_is_an_error(spark: SparkSession) -> None:
    rows = spark.createDataFrame([("r", 1, 1, None, None, KINDS["-D"])], COLUMNS)
    with pytest.raises(Exception, match="A deletion has no time"):
        inner(rows).collect()
