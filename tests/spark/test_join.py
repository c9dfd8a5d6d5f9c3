"""Joins of changelogs: each batch's table equals what Spark's batch says of the rows left."""

from __future__ import annotations

import random
from collections import Counter
from functools import reduce
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.spark.operators.join import AT_COLUMN, join
from tests.spark.changelogs import KINDS, Change, Stream, frozen

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.plan.nodes import JoinKind

pytestmark = pytest.mark.spark

_COLUMNS = f"side STRING, k INT, v INT, {KIND_COLUMN} TINYINT"
_CONDITIONS = {
    "key": "lk = rk",
    "key and more": "lk = rk AND lv < rv",
    "expression": "lk + 1 = rk * 1L AND lv IS NOT NULL",
    "no equality": "lk < rk",
}
_RIGHT = ("rk", "rv")
_HOW: dict[JoinKind, str] = {
    "INNER": "inner",
    "LEFT": "left_outer",
    "RIGHT": "right_outer",
    "FULL": "full_outer",
    "SEMI": "left_semi",
    "ANTI": "left_anti",
}


def _batches(seed: int) -> list[tuple[list[Change], dict[str, list[Change]]]]:
    """Per batch the changes, and the rows of both sides that are left after it."""
    choice = random.Random(seed)
    rows: dict[str, list[Change]] = {"l": [], "r": []}
    found = []
    for number in range(6):
        changes: list[Change] = []
        for side, left in rows.items():
            new = [
                (choice.choice([None, *range(5)]), choice.choice([None, 1, 2])) for _ in range(6)
            ]
            left += new
            changes += [(side, *row, KINDS["+I"]) for row in new]
            choice.shuffle(left)
            gone = len(left) if (number, side) in ((2, "r"), (4, "l")) else choice.randrange(8)
            changes += [(side, *row, KINDS["-D"]) for row in left[:gone]]
            del left[:gone]
        choice.shuffle(changes)
        found.append((changes, {side: list(left) for side, left in rows.items()}))
    return found


def _sides(frame: DataFrame) -> tuple[DataFrame, DataFrame]:
    left, right = (
        frame.where(f"side = '{side}'").selectExpr(f"k AS {side}k", f"v AS {side}v", KIND_COLUMN)
        for side in "lr"
    )
    return left, right


def _expected(
    spark: SparkSession, rows: dict[str, list[Change]], condition: str
) -> Counter[Change]:
    left, right = (spark.createDataFrame(rows[side], f"{side}k INT, {side}v INT") for side in "lr")
    joins = [_shown(left.join(right, F.expr(condition), how), kind) for kind, how in _HOW.items()]
    return Counter(tuple(map(frozen, row)) for row in reduce(DataFrame.union, joins).collect())


def _shown(joined: DataFrame, kind: str) -> DataFrame:
    """The rows of one join as those of all: its kind, and the columns of both sides."""
    right = [name if name in joined.columns else f"CAST(NULL AS INT) AS {name}" for name in _RIGHT]
    kinds = [KIND_COLUMN] if KIND_COLUMN in joined.columns else []
    return joined.selectExpr(f"'{kind}' AS how", "lk", "lv", *right, *kinds)


@pytest.mark.parametrize(
    "condition",
    [
        pytest.param(sql, id=name, marks=[pytest.mark.slow] * (name == "key"))
        for name, sql in _CONDITIONS.items()
    ],
)
def test_pairs_are_those_of_a_batch(spark: SparkSession, tmp_path: Path, condition: str) -> None:
    """Joins of every kind in one query, stopped and resumed."""
    stream = Stream(spark, tmp_path, _COLUMNS)
    batches = _batches(len(condition))

    def operator(frame: DataFrame) -> DataFrame:
        left, right = _sides(frame)
        joins = [_shown(join(left, right, condition=condition, kind=kind), kind) for kind in _HOW]
        return reduce(DataFrame.union, joins)

    for number, (changes, _) in enumerate(batches):
        stream.add(*changes)
        if number == 2:
            stream.run(operator)
    stream.run(operator)
    for table, (_, rows) in zip(stream.tables(), batches, strict=True):
        assert table == _expected(spark, rows, condition)


def test_a_change_of_both_sides_gives_no_row_in_between(
    spark: SparkSession, tmp_path: Path
) -> None:
    stream = Stream(spark, tmp_path, _COLUMNS)
    stream.add(("l", 1, 1, 0), ("r", 1, 1, 0))
    stream.add(("l", 1, 1, 1), ("l", 1, 2, 2), ("r", 1, 1, 1), ("r", 1, 2, 2))

    def operator(frame: DataFrame) -> DataFrame:
        left, right = _sides(frame)
        return join(left, right, condition="lk = rk", kind="INNER")

    stream.run(operator)
    assert stream.batches[1] == [("-D", 1, 1, 1, 1), ("+I", 1, 2, 1, 2)]


_UPSERTS = f"side STRING, k INT, v INT, {KIND_COLUMN} TINYINT, {AT_COLUMN} BIGINT"
# Where each side has one row per key: the column of the result that is the key of its rows.
_KEYS: dict[JoinKind, str] = {
    "INNER": "lk",
    "LEFT": "lk",
    "RIGHT": "rk",
    "SEMI": "lk",
    "ANTI": "lk",
}


def _upserted(seed: int) -> list[tuple[list[Change], dict[str, list[Change]]]]:
    """The same of tables whose rows are replaced by key; several changes of a key in a batch."""
    choice = random.Random(seed)
    tables: dict[str, dict[int, int | None]] = {"l": {}, "r": {}}
    found = []
    for _ in range(6):
        changes: list[Change] = []
        for at in range(24):
            side, k = choice.choice("lr"), choice.randrange(6)
            table = tables[side]
            if choice.random() < 0.3:
                table.pop(k, None)
                changes.append((side, k, None, KINDS["-D"], at))
            else:
                table[k] = choice.choice([None, 1, 2])
                changes.append((side, k, table[k], KINDS["+U"], at))
        choice.shuffle(changes)
        found.append((changes, {side: list(rows.items()) for side, rows in tables.items()}))
    return found


@pytest.mark.parametrize("keyed", [True, False], ids=["to upserts", "to changes"])
@pytest.mark.parametrize(
    "condition", [pytest.param("lk = rk", marks=pytest.mark.slow), "lk = rk AND lv < rv"]
)
def test_upserts_of_both_sides(
    spark: SparkSession, tmp_path: Path, condition: str, keyed: bool
) -> None:
    """One row per key on each side, told without the old one, as may be what comes out."""
    stream = Stream(spark, tmp_path, _UPSERTS)
    batches = _upserted(len(condition) + keyed)
    kinds = _KEYS if keyed else _HOW

    def operator(frame: DataFrame) -> DataFrame:
        left, right = (
            frame.where(f"side = '{side}'").selectExpr(
                f"k AS {side}k", f"v AS {side}v", KIND_COLUMN, AT_COLUMN
            )
            for side in "lr"
        )
        joins = [
            join(
                left,
                right,
                condition=condition,
                kind=kind,
                rows=("LAST", "LAST"),
                key=[_KEYS[kind]] if keyed else [],
            )
            for kind in kinds
        ]
        return reduce(DataFrame.union, map(_shown, joins, kinds))

    for number, (changes, _) in enumerate(batches):
        stream.add(*changes)
        if number == 2:
            stream.run(operator)
    stream.run(operator)
    tables = stream.tables(key=_key_of_pair) if keyed else stream.tables()
    for table, (_, rows) in zip(tables, batches, strict=True):
        expected = _expected(spark, rows, condition)
        assert table == Counter({row: n for row, n in expected.items() if row[0] in kinds})


def _key_of_pair(row: Change) -> Change:
    how, lk, _, rk, _ = row
    return (how, rk if how == "RIGHT" else lk)


def test_one_row_per_key_told_with_the_old_one(spark: SparkSession, tmp_path: Path) -> None:
    """Changes of a key come in any order, and a row that is told twice is one."""
    stream = Stream(spark, tmp_path, _COLUMNS)
    stream.add(("l", 1, 1, 0), ("r", 1, 1, 0))
    stream.add(("l", 1, 2, 2), ("l", 1, 1, 1), ("l", 1, 2, 1), ("l", 1, 3, 2))
    stream.add(("l", 1, 3, 2), ("r", 1, 1, 3))
    stream.add(("r", 1, 4, 0))

    def operator(frame: DataFrame) -> DataFrame:
        return join(*_sides(frame), condition="lk = rk", kind="INNER", rows=("ONE", "ONE"))

    stream.run(operator)
    row = (1, 1, 1, 1)
    assert stream.changes() == [
        [("+I", *row)],
        [("-D", *row), ("+I", 1, 3, 1, 1)],
        [("-D", 1, 3, 1, 1)],
        [("+I", 1, 3, 1, 4)],
    ]


@pytest.mark.parametrize(("key", "told"), [(["lk"], ["+U"]), (["lk", "lv"], ["-D", "+I"])])
def test_an_update_of_a_key_is_told_by_its_new_row(
    spark: SparkSession, tmp_path: Path, key: list[str], told: list[str]
) -> None:
    stream = Stream(spark, tmp_path, _COLUMNS)
    stream.add(("l", 1, 1, 0), ("r", 1, 1, 0), ("l", 2, 1, 0))
    stream.add(("l", 1, 1, 1), ("l", 1, 2, 2))
    stream.add(("l", 1, 2, 3), ("r", 2, 5, 0))

    def operator(frame: DataFrame) -> DataFrame:
        left, right = _sides(frame)
        return join(left, right, condition="lk = rk", kind="LEFT", key=key)

    stream.run(operator)
    assert sorted(stream.batches[0]) == [("+I", 1, 1, 1, 1), ("+I", 2, 1, None, None)]
    assert [row[0] for row in stream.batches[1]] == told
    assert stream.batches[1][-1][1:] == (1, 2, 1, 1)
    assert sorted(stream.batches[2], key=str)[-1] == ("-D", 1, 2, 1, 1)
