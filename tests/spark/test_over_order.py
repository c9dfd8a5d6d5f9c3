"""OVER by a column that is no time: after each batch the table is what Spark's batch says of it."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.model.expression import Expr
from penstock.model.types import INT
from penstock.plan.frames import Frame, OverCall
from penstock.plan.nodes import ORDER_COLUMN, Order
from penstock.spark.operators.over import over
from tests.spark.changelogs import KINDS, Change, Stream, frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

# `at` says when a row came; what goes is not known by it.
ROW = "n BIGINT, k STRING, o INT, x INT, d DOUBLE"
COLUMNS = f"{ROW}, at BIGINT, {KIND_COLUMN} TINYINT"
AGGREGATES = {
    "count(*)": "count(*) {over}",
    "sum(x)": "sum(x) {over}",
    "avg(d)": "avg(d) {over}",
    "min(x)": "min(x) {over}",
    "max(d)": "max(d) {over}",
    "count(DISTINCT x)": "size(collect_set(x) {over})",
    "sum(x) FILTER (WHERE x > 3)": "sum(CASE WHEN x > 3 THEN x END) {over}",
}
NUMBERS = {True: ("ROW_NUMBER",), False: ("RANK", "DENSE_RANK")}


class Rows:
    """Rows that come, change and go at random, and those that are left after each batch."""

    def __init__(self, seed: int, *, only_come: bool = False) -> None:
        self._choice = random.Random(seed)
        self._only_come = only_come
        self._there: dict[int, Change] = {}
        self._number = 0
        self._clock = 0
        self.batches: list[list[Change]] = []
        self.left: list[list[Change]] = []

    def _row(self, number: int) -> Change:
        choice, self._clock = self._choice, self._clock + 1
        x, d = choice.choice([None, *range(6)]), choice.choice([None, -1.1, 0.3, 90.1])
        return number, choice.choice("ab"), choice.choice([None, *range(8)]), x, d, self._clock

    def batch(self, changes: int) -> None:
        made: list[Change] = []
        # A row changes once in a batch: what comes back as it was keeps its place.
        candidates = self._choice.sample(sorted(self._there), min(len(self._there), changes // 2))
        for _ in range(changes):
            if candidates and not self._only_come and self._choice.random() < 0.6:
                old = self._there.pop(candidates.pop())
                self._clock += 1
                made.append((*old[:5], self._clock, KINDS["-U"]))
                if self._choice.random() < 0.5:
                    self._come(made, old[0], "+U")
            else:
                self._number += 1
                self._come(made, self._number, "+I")
        self.batches.append(made)
        self.left.append(list(self._there.values()))

    def _come(self, made: list[Change], number: int, kind: str) -> None:
        row = self._row(number)
        if made and made[-1][:5] == row[:5]:
            row = (*row[:2], 99, *row[3:])
        self._there[number] = row
        made.append((*row, KINDS[kind]))


def operator(
    frame: Frame, columns: Sequence[str], partition: Sequence[str]
) -> Callable[[DataFrame], DataFrame]:
    calls = [OverCall("SUM", frame, sql) for sql in AGGREGATES]
    calls += [OverCall(name, frame) for name in NUMBERS[frame.rows]]

    def made(rows: DataFrame) -> DataFrame:
        place = "struct(at AS offset, 0 AS partition, 0 AS place)"
        return over(
            rows.withColumn(ORDER_COLUMN, F.expr(place)),
            columns,
            partition=partition,
            calls=[(f"c{number}", call) for number, call in enumerate(calls)],
            order=[Order(Expr("`o`", INT), descending=False, nulls_first=True)],
        )

    return made


def expected(
    spark: SparkSession, rows: list[Change], columns: Sequence[str], *, window: str, by_rows: bool
) -> Counter[Change]:
    spark.createDataFrame(rows, f"{ROW}, at BIGINT").createOrReplaceTempView("left_rows")
    frame = f"{'ROWS' if by_rows else 'RANGE'} BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
    texts = [text.replace("{over}", f"OVER ({window} {frame})") for text in AGGREGATES.values()]
    said = ", ".join([*texts, *(f"{name}() OVER ({window})" for name in NUMBERS[by_rows])])
    found = spark.sql(f"SELECT {', '.join(columns)}, {said} FROM left_rows")
    return Counter(tuple(map(frozen, row)) for row in found.collect())


@pytest.mark.parametrize(
    ("by_rows", "columns", "partition", "only_come"),
    [
        (True, ("n", "k", "o"), ("k",), False),
        (True, ("n", "x"), (), True),
        # Without their number rows are alike.
        (False, ("k", "o"), ("k",), False),
        (False, ("o", "n"), (), False),
    ],
    ids=["rows", "all rows", "values", "all values"],
)
def test_each_batch_leaves_what_a_batch_says(
    spark: SparkSession,
    tmp_path: Path,
    *,
    by_rows: bool,
    columns: tuple[str, ...],
    partition: tuple[str, ...],
    only_come: bool,
) -> None:
    rows, stream = Rows(17, only_come=only_come), Stream(spark, tmp_path, COLUMNS)
    made = operator(Frame(rows=by_rows), columns, partition)
    for number in range(4):
        rows.batch(30)
        stream.add(*rows.batches[-1])
        if number == 1:
            stream.run(made)
    stream.run(made)
    apart = f"PARTITION BY {', '.join(partition)} " if partition else ""
    window = f"{apart}ORDER BY o NULLS FIRST{', at' if by_rows else ''}"
    for left, table in zip(rows.left, stream.tables(), strict=True):
        assert table == expected(spark, left, columns, window=window, by_rows=by_rows)
    kinds = {row[0] for batch in stream.batches.values() for row in batch}
    assert kinds == {"+I", "-U", "+U"} | (set() if only_come else {"-D"})


def test_what_comes_at_the_end_changes_nothing_before(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(spark, tmp_path, COLUMNS)
    come = [(n, "a", n, 1, 0.0, n, KINDS["+I"]) for n in range(1, 6)]
    stream.add(*come[:3])
    stream.add(come[4])
    stream.add(come[3])
    stream.add((*come[3][:5], 9, KINDS["-D"]), (4, "a", 4, 7, 0.0, 10, KINDS["+I"]))

    def numbered(rows: DataFrame) -> DataFrame:
        return operator(Frame(rows=True), ["n"], ["k"])(rows).select("n", "c0", "c1", KIND_COLUMN)

    stream.run(numbered)
    first, last, between, changed = stream.changes()
    assert first == [("+I", 1, 1, 1), ("+I", 2, 2, 2), ("+I", 3, 3, 3)]
    assert last == [("+I", 5, 4, 4)]
    assert sorted(between) == [("+I", 4, 4, 4), ("+U", 5, 5, 5), ("-U", 5, 4, 4)]
    assert sorted(changed) == [
        *(("+I", 4, 4, 10), ("+U", 5, 5, 11)),
        *(("-D", 4, 4, 4), ("-U", 5, 5, 5)),
    ]


def test_nothing_is_kept_of_a_partition_without_rows(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(spark, tmp_path, COLUMNS)
    row = (1, "a", 1, 1, 0.5)
    stream.add((*row, 1, KINDS["+I"]), (*row, 2, KINDS["+I"]), (2, "b", 1, 1, 0.5, 3, KINDS["+I"]))
    stream.add((*row, 4, KINDS["-D"]))
    stream.add((*row, 5, KINDS["-D"]), (*row, 6, KINDS["-D"]))
    stream.run(operator(Frame(rows=False), ["n"], ["k"]))
    tables = stream.tables()
    assert [sum(table.values()) for table in tables] == [3, 2, 1]
    assert {row[0] for row in tables[2]} == {2}
    assert stream.kept == 1
