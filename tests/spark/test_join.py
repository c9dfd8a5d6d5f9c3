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
from penstock.spark.operators.join import join
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


@pytest.mark.parametrize("condition", list(_CONDITIONS.values()), ids=list(_CONDITIONS))
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
