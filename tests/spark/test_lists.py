"""Lists, and first and last values, in the order in which rows came, where rows go again."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import pytest

from penstock.model.changelog import KIND_COLUMN
from penstock.model.expression import Expr
from penstock.model.types import STRING
from penstock.spark.operators.aggregate import aggregate
from tests.spark.changelogs import KINDS, Change, Stream

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

_COLUMNS = f"g STRING, s STRING, at BIGINT, {KIND_COLUMN} TINYINT"
_CALLS = (
    "min_by(s, __order)",
    "max_by(s, __order)",
    "array_join(transform(array_sort(collect_list(named_struct('o', __order, 'v', s))),"
    " e -> e.v), ',')",
)
_GROUPS, _VALUES = "abcdef", "xyz"


def _operator(frame: DataFrame) -> DataFrame:
    placed = frame.selectExpr("g", "s", KIND_COLUMN, "struct(at AS offset) AS __order")
    keys = (("k", Expr("g", STRING)),)
    calls = tuple((f"a{number}", Expr(sql, STRING)) for number, sql in enumerate(_CALLS))
    return aggregate(placed, keys=keys, aggregates=calls)


def test_the_oldest_of_rows_alike_goes(spark: SparkSession, tmp_path: Path) -> None:
    """Wherever the message stands that takes it back; groups of one task have their own."""
    choice = random.Random(5)
    rows: dict[str, list[str]] = defaultdict(list)
    stream, expected, place = Stream(spark, tmp_path, _COLUMNS), [], 1000
    for number in range(12):
        changes: list[Change] = []
        for _ in range(14):
            group, value = choice.choice(_GROUPS), choice.choice(_VALUES)
            place += 1
            rows[group].append(value)
            changes.append((group, value, place, KINDS["+I"]))
        for group in _GROUPS:
            left = len(rows[group])
            gone = left if choice.random() < 0.3 else choice.randrange(left + 1)
            for value in choice.sample(rows[group], gone):
                rows[group].remove(value)
                at = choice.choice([place, choice.randrange(place)])
                changes.append((group, value, at, KINDS["-D"]))
        choice.shuffle(changes)
        stream.add(*changes)
        expected.append(Counter({(g, r[0], r[-1], ",".join(r)): 1 for g, r in rows.items() if r}))
        if number == 6:
            stream.run(_operator)
    stream.run(_operator)
    assert stream.tables() == expected
