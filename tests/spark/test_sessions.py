"""Sessions over rows that come and go: each is told once, of the rows that are there at its end."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.model.expression import Expr
from penstock.model.types import BIGINT
from penstock.plan.windows import ROWTIME_COLUMN, WINDOW_COLUMN
from penstock.spark.operators.aggregate import sessions
from tests.spark.changelogs import KINDS, Change, Stream

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

COLUMNS = f"at INT, k STRING, v INT, {KIND_COLUMN} TINYINT"
GAP = 10
AGGREGATES = (
    ("n", Expr("count(*)", BIGINT)),
    ("total", Expr("sum(v)", BIGINT)),
    ("most", Expr("max(v)", BIGINT)),
    ("values", Expr("count(DISTINCT v)", BIGINT)),
    ("odd", Expr("count(*) FILTER (WHERE v % 2 = 1)", BIGINT)),
)
Row = tuple[int, str, int]


def found(rows: DataFrame, *, delay: int = 0, at_end: bool = False) -> DataFrame:
    timed = rows.withColumn(ROWTIME_COLUMN, F.expr("timestamp_seconds(at)"))
    told = sessions(
        timed if at_end else timed.withWatermark(ROWTIME_COLUMN, f"{delay} seconds"),
        keys=(("k", Expr("k", BIGINT)),),
        aggregates=AGGREGATES,
        time=ROWTIME_COLUMN,
        gap_ms=GAP * 1000,
        at_end=at_end,
    )
    return told.select(
        F.expr(f"unix_seconds({WINDOW_COLUMN}.start) AS start"),
        F.expr(f"unix_seconds({WINDOW_COLUMN}.end) AS end"),
        *("k", "n", "total", "most", "values", "odd"),
        KIND_COLUMN,
    )


def came(at: int, k: str, v: int) -> Change:
    return at, k, v, KINDS["+I"]


def went(at: int, k: str, v: int) -> Change:
    return at, k, v, KINDS["-D"]


def told(stream: Stream) -> list[list[tuple[object, ...]]]:
    """Of each batch the bounds, the key, how many rows and their sum."""
    return [sorted(row[1:6] for row in batch) for batch in stream.changes()]


def test_a_row_that_goes_makes_two_sessions_of_one(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(spark, tmp_path, COLUMNS)
    stream.add(came(1, "a", 5), came(10, "a", 7), came(20, "a", 1), came(1, "b", 2))
    stream.add(went(10, "a", 7), came(11, "b", 3), came(30, "z", 0))
    stream.add(came(22, "a", 4), came(31, "z", 0))
    stream.run(found)
    # At 30 s, when 20 would be over, 22 comes.
    assert told(stream) == [[], [(1, 11, "a", 1, 5)], [(1, 21, "b", 2, 5)]]
    stream.add(came(50, "z", 0))
    stream.add(came(51, "z", 0))
    stream.run(found)
    assert told(stream)[3:] == [[], [(20, 32, "a", 2, 5), (30, 41, "z", 2, 0)]]


def test_a_row_is_late_when_its_session_is_over(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(spark, tmp_path, COLUMNS)
    stream.add(came(8, "a", 1), came(15, "a", 2), came(8, "b", 1), came(20, "z", 0))
    stream.add(came(20, "z", 0))
    # By itself 8 was over at 18 s; with 15 it is a session until 25 s, which 3 reaches by 8 only.
    stream.add(came(8, "a", 4), came(3, "a", 16), came(8, "c", 1), went(8, "b", 1))
    stream.add(went(8, "a", 1), came(20, "z", 0))
    stream.add(came(40, "z", 0))
    stream.add(came(41, "z", 0))
    stream.run(found)
    over = [(3, 25, "a", 3, 22), (20, 30, "z", 3, 0)]
    assert told(stream) == [[], [(8, 18, "b", 1, 1)], [], [], [], over]


def test_a_group_whose_rows_all_went_is_forgotten(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(spark, tmp_path, COLUMNS)
    stream.add(came(1, "a", 5), came(2, "a", 5), came(2, "a", 5), came(1, "b", 1))
    stream.add(went(2, "a", 5), went(1, "a", 5), went(1, "b", 1))
    stream.add(went(2, "a", 5), came(30, "z", 0))
    stream.add(came(31, "z", 0))
    stream.run(found)
    assert told(stream) == [[], [], [], []]
    # What is left is that of z: its times, and two rows.
    assert stream.kept == 3


def over(rows: list[Row]) -> Iterator[list[Row]]:
    """Rows of one key as sessions."""
    session: list[Row] = []
    for row in sorted(rows):
        if session and row[0] - session[-1][0] > GAP:
            yield session
            session = []
        session.append(row)
    if session:
        yield session


def line(session: list[Row]) -> tuple[object, ...]:
    values = [v for _, _, v in session]
    bounds = (session[0][0], session[-1][0] + GAP, session[0][1])
    odd = sum(v % 2 for v in values)
    return (*bounds, len(values), sum(values), max(values), len(set(values)), odd)


class Expected:
    """The same by the rules: a watermark that each batch moves for the next one."""

    def __init__(self, delay: int) -> None:
        self.delay = delay
        self.open: list[Row] = []
        self.latest = 0
        self.watermarks = [0, 0]

    def batch(self, changes: list[Change]) -> Counter[tuple[object, ...]]:
        before, now = self.watermarks
        waiting = [change[:3] for change in changes if change[3] == KINDS["+I"]]
        while ready := [row for row in waiting if self._is_in_time(row, before)]:
            self.open += ready
            waiting = [row for row in waiting if row not in ready]
        for change in changes:
            if change[3] == KINDS["-D"] and change[:3] in self.open:
                self.open.remove(change[:3])
        self.latest = max(self.latest, *(change[0] for change in changes))
        self.watermarks = [now, max(now, self.latest - self.delay)]
        found: Counter[tuple[object, ...]] = Counter()
        for key in {k for _, k, _ in self.open}:
            for session in over([row for row in self.open if row[1] == key]):
                if session[-1][0] + GAP <= now:
                    found[line(session)] += 1
                    self.open = [row for row in self.open if row not in session]
        return found

    def _is_in_time(self, row: Change, watermark: int) -> bool:
        near = (other for other in self.open if other[1] == row[1])
        return row[0] + GAP > watermark or any(abs(o[0] - row[0]) <= GAP for o in near)


def changes_at_random(choice: random.Random, batches: int, *, spread: int) -> list[list[Change]]:
    """Rows of many keys around a time that goes on; those that are there may go."""
    there: list[Row] = []
    made = []
    for batch in range(batches):
        changes = []
        for _ in range(60):
            if there and choice.random() < 0.35:
                row = there.pop(choice.randrange(len(there)))
                changes.append((*row, KINDS["-D"]))
            else:
                at = max(0, batch * 12 + choice.randrange(-spread, spread))
                row = (at, f"k{choice.randrange(12)}", choice.randrange(5))
                there.append(row)
                changes.append((*row, KINDS["+I"]))
        made.append(changes)
    return made


def test_random_changes_with_late_ones(spark: SparkSession, tmp_path: Path) -> None:
    choice = random.Random(20261117)
    batches = changes_at_random(choice, 10, spread=25)
    batches += [[came(900, "z", 0)], [came(901, "z", 0)]]
    stream, rules = Stream(spark, tmp_path, COLUMNS), Expected(delay=8)
    for number, batch in enumerate(batches):
        stream.add(*batch)
        if number in (3, 7):
            stream.run(lambda rows: found(rows, delay=8))
    stream.run(lambda rows: found(rows, delay=8))
    expected = [rules.batch(batch) for batch in batches]
    assert sum(map(len, expected)) > 50
    for number, batch in enumerate(expected):
        assert Counter(row[1:] for row in stream.batches[number]) == batch, number


ISLANDS = f"""
WITH marked AS (
  SELECT *, at - lag(at) OVER (PARTITION BY k ORDER BY at) > {GAP} AS begins FROM rows
), numbered AS (
  SELECT *, sum(coalesce(begins, 0)) OVER (PARTITION BY k ORDER BY at) AS session FROM marked
)
SELECT min(at), max(at) + {GAP}, k, count(*), sum(v), max(v), count(DISTINCT v), sum(v % 2)
FROM numbered GROUP BY k, session
"""


@pytest.mark.parametrize("at_end", [False, True], ids=["stream", "batch"])
def test_sessions_are_those_of_the_rows_left(
    spark: SparkSession, tmp_path: Path, *, at_end: bool
) -> None:
    batches = changes_at_random(random.Random(7), 6, spread=80)
    left: Counter[Change] = Counter()
    for *row, kind in (change for batch in batches for change in batch):
        left[tuple(row)] += 1 if kind == KINDS["+I"] else -1
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE rows (at INT, k TEXT, v INT)")
    base.executemany("INSERT INTO rows VALUES (?, ?, ?)", left.elements())
    expected = Counter(base.execute(ISLANDS).fetchall())
    if at_end:
        rows = spark.createDataFrame([row for batch in batches for row in batch], COLUMNS)
        told_at_end = found(rows, at_end=True).drop(KIND_COLUMN).collect()
        assert Counter(map(tuple, told_at_end)) == expected
        return
    stream = Stream(spark, tmp_path, COLUMNS)
    for batch in [*batches, [came(9000, "z", 0)], [came(9001, "z", 0)]]:
        stream.add(*batch)
    stream.run(lambda rows: found(rows, delay=1000))
    assert Counter(row[1:] for batch in stream.batches.values() for row in batch) == expected
