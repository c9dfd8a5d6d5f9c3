"""State with a time to live: what is told again as it was lives on, here and further down.

By Flink's rules an operator that sees an unchanged row hands it on where state expires, "to prevent
too early state eviction of downstream operators".
"""

from __future__ import annotations

import json
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import DataFrame

from penstock.model.changelog import KIND_COLUMN
from penstock.model.expression import Expr
from penstock.model.types import BIGINT
from penstock.plan.nodes import Order
from penstock.spark.operators.aggregate import aggregate
from penstock.spark.operators.join import AT_COLUMN, join
from penstock.spark.operators.rank import rank
from tests.helpers import last_commit, take_back
from tests.spark.changelogs import KINDS, Change, Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from penstock.plan.nodes import JoinKind, Named
    from penstock.spark.operators.join import SideRows

pytestmark = pytest.mark.spark

_COLUMNS = f"side STRING, k INT, v INT, {KIND_COLUMN} TINYINT, {AT_COLUMN} BIGINT"
_HOUR_MS = 3_600_000
_KINDS: tuple[JoinKind, ...] = ("INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI")


def _come(side: str, k: int, v: int) -> Change:
    return (side, k, v, KINDS["+U"], 0)


def _go(side: str, k: int, v: int) -> Change:
    return (side, k, v, KINDS["-U"], 0)


def _sides(frame: DataFrame) -> tuple[DataFrame, DataFrame]:
    left, right = (
        frame.where(f"side = '{side}'").selectExpr(
            f"k AS {side}k", f"v AS {side}v", KIND_COLUMN, AT_COLUMN
        )
        for side in "lr"
    )
    return left, right


@pytest.mark.parametrize(("rows", "keyed"), [("MANY", False), ("ONE", True), ("LAST", True)])
def test_a_join_tells_again_what_came_again(
    spark: SparkSession, tmp_path: Path, rows: SideRows, keyed: bool
) -> None:
    """Each join in one query: 1 has a partner, 2 and 3 have none."""
    stream = Stream(spark, tmp_path, _COLUMNS)
    pair = [("l", 1, 1), ("r", 1, 7)]
    alone = [("l", 2, 2), ("r", 3, 8)]
    stream.add(*(_come(*row) for row in (*pair, *alone)))
    for told in ([pair[0], alone[0]], [pair[1], alone[1]]):
        gone = [] if rows == "LAST" else [_go(*row) for row in told]
        stream.add(*(_come(*row) for row in told), *gone)

    def operator(frame: DataFrame) -> DataFrame:
        found = []
        for kind in _KINDS:
            key = ["rk" if kind == "RIGHT" else "lk"] if keyed and kind != "FULL" else []
            made = join(
                *_sides(frame),
                condition="lk = rk",
                kind=kind,
                rows=(rows, rows),
                key=key,
                ttl_ms=_HOUR_MS,
            )
            right = "rk" if "rk" in made.columns else "CAST(NULL AS INT) AS rk"
            found.append(made.selectExpr(f"'{kind}' AS how", "lk", right, KIND_COLUMN))
        return reduce(DataFrame.union, found)

    stream.run(operator)
    first, left, right = (stream.batches[n] for n in range(3))
    assert all(change[0] == "+I" for change in first)
    pairs = {(kind, 1, 1) for kind in ("INNER", "LEFT", "RIGHT", "FULL")} | {("SEMI", 1, None)}
    lonely = {("LEFT", 2, None), ("FULL", 2, None), ("ANTI", 2, None)}
    _assert_told_again(left, pairs | lonely, keyed=keyed)
    _assert_told_again(right, pairs | {("RIGHT", None, 3), ("FULL", None, 3)}, keyed=keyed)


def _assert_told_again(changes: list[Change], rows: set[Change], *, keyed: bool) -> None:
    assert {row[1:] for row in changes} == rows
    for row in rows:
        told = [change[0] for change in changes if change[1:] == row]
        assert told == (["+U"] if keyed and row[0] != "FULL" else ["-U", "+U"])


def test_without_a_time_nothing_is_told_again(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(spark, tmp_path, _COLUMNS)
    stream.add(_come("l", 1, 1), _come("r", 1, 7))
    stream.add(_come("l", 1, 1), _go("l", 1, 1))

    def operator(frame: DataFrame) -> DataFrame:
        return join(*_sides(frame), condition="lk = rk", kind="FULL")

    stream.run(operator)
    assert stream.changes()[1] == []


def test_a_ranking_tells_again_what_came_again(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(spark, tmp_path, _COLUMNS)
    stream.add(_come("l", 1, 1), _come("l", 1, 2), _come("l", 1, 3))
    # The third is behind those that go out.
    stream.add(*(change("l", 1, v) for v in (1, 3) for change in (_go, _come)))

    def operator(frame: DataFrame) -> DataFrame:
        rankings = []
        for last, number in ((1, ""), (2, ""), (2, "n")):
            order = (Order(Expr("`v`", BIGINT), descending=False, nulls_first=False),)
            ranked = rank(
                frame,
                ["k", "v"],
                partition=["k"],
                order=order,
                first=1,
                last=last,
                number=number,
                ttl_ms=_HOUR_MS,
            )
            rankings.append(ranked.selectExpr(f"'{last}{number}' AS how", "k", "v", KIND_COLUMN))
        return reduce(DataFrame.union, rankings)

    stream.run(operator)
    assert stream.changes()[1] == [
        (kind, how, 1, 1) for how in ("1", "2", "2n") for kind in ("-U", "+U")
    ]


class Clock:
    """A stream whose batches run at moments that are told, in minutes after the first."""

    def __init__(self, stream: Stream, operator: Callable[[DataFrame], DataFrame]) -> None:
        self.stream = stream
        self.operator = operator
        self.begin_ms = 0

    def run(self, minutes: int, *changes: Change) -> list[Change]:
        """One batch: run by the clock, then once more as Spark does after a crash."""
        self.stream.add(*changes)
        self.stream.run(self.operator)
        commit = last_commit(Path(self.stream.checkpoint).parent)
        log = commit.parents[1] / "offsets" / commit.name
        version, told, *offsets = log.read_text().splitlines()
        settings = json.loads(told)
        self.begin_ms = self.begin_ms or settings["batchTimestampMs"]
        settings["batchTimestampMs"] = self.begin_ms + minutes * 60_000
        log.write_text("\n".join([version, json.dumps(settings), *offsets]))
        log.with_name(f".{log.name}.crc").unlink(missing_ok=True)
        take_back(commit)
        self.stream.run(self.operator)
        return self.stream.batches[int(commit.name)]


def test_what_is_told_again_lives_on_further_down(spark: SparkSession, tmp_path: Path) -> None:
    """After 80 minutes with an hour to live: what was touched after 40 is there."""
    clock = Clock(Stream(spark, tmp_path, _COLUMNS), _chain)
    first = clock.run(0, _come("l", 1, 1), _come("r", 1, 7), _come("l", 2, 5), _come("l", 3, 5))
    assert sorted(first, key=str) == [
        ("+I", "distinct", 1, 1),
        ("+I", "distinct", 2, 1),
        ("+I", "distinct", 3, 1),
        ("+I", "left", 1, 7),
        ("+I", "left", 2, None),
        ("+I", "left", 3, None),
        ("+I", "pairs", 1, 1),
    ]
    again = [change("l", k, v) for k, v in ((1, 1), (3, 5)) for change in (_go, _come)]
    clock.run(40, *again, _come("r", 2, 9))
    told = clock.run(80, _come("r", 1, 8), _go("r", 2, 9), _come("r", 2, 10), _come("l", 3, 5))
    assert sorted(told, key=str) == [
        # The group knows of the first pair, whose right row has expired.
        ("+I", "left", 1, 8),
        ("+I", "left", 2, 10),
        ("+I", "left", 3, None),
        ("+U", "distinct", 3, 1),
        ("+U", "pairs", 1, 2),
        # In an outer join the left row lived on with its partner of the 40th minute.
        ("-D", "left", 2, 9),
        ("-U", "distinct", 3, 1),
        ("-U", "pairs", 1, 1),
    ]
    # What has expired here may be known further down, so that it is told that it goes.
    assert clock.run(120, _go("r", 1, 7)) == [("-D", "left", 1, 7)]


def _chain(frame: DataFrame) -> DataFrame:
    left, right = _sides(frame)
    inner = join(left, right, condition="lk = rk", kind="INNER", ttl_ms=_HOUR_MS)
    outer = join(left, right, condition="lk = rk", kind="LEFT", ttl_ms=_HOUR_MS)
    keys: Named = (("k", Expr("lk", BIGINT)),)
    pairs = aggregate(
        inner, keys=keys, aggregates=(("n", Expr("count(*)", BIGINT)),), ttl_ms=_HOUR_MS
    )
    distinct = aggregate(
        left,
        keys=keys,
        aggregates=(("n", Expr("count(DISTINCT lv)", BIGINT)),),
        ttl_ms=_HOUR_MS,
    )
    shown = [
        pairs.selectExpr("'pairs' AS how", "k", "n", KIND_COLUMN),
        distinct.selectExpr("'distinct' AS how", "k", "n", KIND_COLUMN),
        outer.selectExpr("'left' AS how", "lk AS k", "CAST(rv AS BIGINT) AS n", KIND_COLUMN),
    ]
    return reduce(DataFrame.union, shown)


def test_what_a_forgotten_group_had_is_not_taken_from_its_new_rows(
    spark: SparkSession, tmp_path: Path
) -> None:
    calls: Named = tuple((sql[0], Expr(sql, BIGINT)) for sql in ("count(*)", "sum(v)"))

    def operator(frame: DataFrame) -> DataFrame:
        keys: Named = (("k", Expr("k", BIGINT)),)
        return aggregate(frame, keys=keys, aggregates=calls, ttl_ms=_HOUR_MS)

    clock = Clock(Stream(spark, tmp_path, _COLUMNS), operator)
    clock.run(0, _come("l", 1, 5), _come("l", 2, 5))
    changes = [_go("l", 1, 5), _come("l", 1, 6), _go("l", 2, 5), _come("l", 2, 6)]
    # One that came and went since counts for nothing.
    passing = [_come("l", 2, 9), _go("l", 2, 9)]
    told = clock.run(80, *changes, _come("l", 2, 7), *passing, _go("l", 3, 5))
    assert sorted(told, key=str) == [("+I", 1, 1, 6), ("+I", 2, 2, 13)]
