"""Top-N over changelogs: each batch's table equals what Spark's batch says of the rows left."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from penstock.model.changelog import KIND_COLUMN
from penstock.model.expression import Expr
from penstock.model.types import BIGINT
from penstock.plan.nodes import Order
from penstock.spark.operators.rank import rank
from tests.spark.changelogs import KINDS, Batch, Change, Size, Stream, frozen, random_batches

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

_COLUMNS = "g STRING, x INT, d DOUBLE, s STRING"
_CHANGES = f"{_COLUMNS}, {KIND_COLUMN} TINYINT"
_NAMES = ("g", "x", "d", "s")


def _order(*terms: str) -> tuple[Order, ...]:
    """`x DESC NULLS FIRST` as terms."""
    found = []
    for term in terms:
        sql, _, words = term.partition(" ")
        found.append(Order(Expr(sql, BIGINT), "DESC" in words, "FIRST" in words))
    return tuple(found)


# All columns: an order without ties, which a batch would break as it likes.
_TOTAL = _order("`x` DESC NULLS FIRST", "`d` ASC NULLS LAST", "`s` DESC NULLS LAST", "`g`")
_TIED = _order("`x`%3 ASC NULLS FIRST", "`d` DESC NULLS LAST")


def _row(choice: random.Random) -> Change:
    return (
        choice.choice(["a", "b", None]),
        choice.choice([None, *range(9)]),
        choice.choice([None, -1.5, -0.0, 0.0, 2.0]),
        choice.choice([None, "a", "b", "ü"]),
    )


def _batches(seed: int, *, retract: bool) -> list[Batch]:
    return random_batches(_row, Size(7, 60), seed=seed, retract=retract)


def _expected(
    spark: SparkSession,
    rows: list[Change],
    over: str,
    *,
    first: int,
    last: int | str,
    numbered: bool,
) -> Counter[Change]:
    if not rows:
        return Counter()
    spark.createDataFrame(rows, _COLUMNS).createOrReplaceTempView("ranked_rows")
    columns = "g, x, d, s" + ", n" * numbered
    text = f"SELECT *, {over} AS n FROM ranked_rows"
    found = spark.sql(f"SELECT {columns} FROM ({text}) WHERE n BETWEEN {first} AND {last}")
    return Counter(tuple(map(frozen, row)) for row in found.collect())


@pytest.mark.parametrize("retract", [False, True], ids=["append", "retract"])
@pytest.mark.parametrize(
    ("function", "order", "partition", "first", "last", "numbered"),
    [
        ("ROW_NUMBER", _TOTAL, ("`g`",), 1, 1, False),
        ("ROW_NUMBER", _TOTAL, ("`g`", "`s`"), 2, 5, True),
        ("ROW_NUMBER", _TOTAL, (), 1, 40, False),
        ("RANK", _TIED, ("`g`",), 1, 7, True),
        ("DENSE_RANK", _TIED, ("`g`",), 2, 3, False),
        ("ROW_NUMBER", _TOTAL, ("`g`", "`x`"), 2, "x", True),
    ],
    ids=["one", "range", "all", "rank", "dense", "column"],
)
def test_ranks_are_those_of_a_batch(
    spark: SparkSession,
    tmp_path: Path,
    function: str,
    order: tuple[Order, ...],
    partition: tuple[str, ...],
    first: int,
    last: int | str,
    numbered: bool,
    retract: bool,
) -> None:
    most = last if isinstance(last, int) else 2**31 - 1

    def operator(frame: DataFrame) -> DataFrame:
        return rank(
            frame,
            _NAMES,
            partition=partition,
            order=order,
            first=first,
            last=most,
            last_by=last if isinstance(last, str) else "",
            function=function,
            number="n" if numbered else "",
        )

    stream = Stream(spark, tmp_path, _CHANGES if retract else _COLUMNS)
    batches = _batches(most, retract=retract)
    for number, (changes, _) in enumerate(batches):
        stream.add(*(changes if retract else [change[:-1] for change in changes]))
        if number == 2:
            stream.run(operator)
    stream.run(operator)
    by = f"PARTITION BY {', '.join(partition)}" if partition else ""
    over = f"{function.lower()}() OVER ({by} ORDER BY {', '.join(term.sql for term in order)})"
    for table, (_, rows) in zip(stream.tables(), batches, strict=True):
        expected = _expected(spark, rows, over, first=first, last=last, numbered=numbered)
        assert table == expected


def _changes(
    spark: SparkSession,
    folder: Path,
    batches: Iterable[Iterable[Change]],
    **asked: Any,
) -> list[list[Change]]:
    """What comes out of rows `k, x, v`, with their place in the batch as their order."""
    retract = any(len(row) == 4 for batch in batches for row in batch)
    columns = f"k STRING, x INT, v STRING{f', {KIND_COLUMN} TINYINT' * retract}, at BIGINT"
    stream = Stream(spark, folder, columns)
    for batch in batches:
        stream.add(*((*row, at) for at, row in enumerate(batch)))

    def operator(frame: DataFrame) -> DataFrame:
        placed = "struct(at AS offset, 0 AS partition, 0 AS place)"
        ordered = frame.selectExpr("*", f"{placed} AS __order").drop("at")
        return rank(ordered, ("k", "x", "v"), partition=("`k`",), **asked)

    stream.run(operator)
    return [sorted(stream.batches[n], key=lambda row: str(row[1])) for n in sorted(stream.batches)]


def test_rows_move_only_where_their_number_is_asked_for(
    spark: SparkSession, tmp_path: Path
) -> None:
    batches = [[("a", 2, "p"), ("a", 4, "q")], [("a", 1, "r")], [("a", 9, "s")]]
    asked = {"order": _order("`x`"), "first": 1, "last": 2}
    assert _changes(spark, tmp_path / "rows", batches, **asked) == [
        [("+I", "a", 2, "p"), ("+I", "a", 4, "q")],
        [("-D", "a", 4, "q"), ("+I", "a", 1, "r")],
        [],
    ]
    assert _changes(spark, tmp_path / "numbers", batches, number="n", **asked) == [
        [("+I", "a", 2, "p", 1), ("+I", "a", 4, "q", 2)],
        [
            ("-U", "a", 2, "p", 1),
            ("+U", "a", 1, "r", 1),
            ("-U", "a", 4, "q", 2),
            ("+U", "a", 2, "p", 2),
        ],
        [],
    ]


def test_a_row_whose_rank_changes_is_updated(spark: SparkSession, tmp_path: Path) -> None:
    batches = [[("a", 2, "p"), ("a", 2, "q")], [("a", 1, "r")]]
    found = _changes(
        spark,
        tmp_path,
        batches,
        function="RANK",
        number="n",
        order=_order("`x`"),
        first=1,
        last=2,
        update_before=False,
    )
    assert sorted(found[1]) == [
        ("+I", "a", 1, "r", 1),
        ("+U", "a", 2, "p", 2),
        ("+U", "a", 2, "q", 2),
    ]


@pytest.mark.parametrize(
    ("newest_first", "expected"),
    [
        (False, [[("+I", "a", 5, "p")], [], [("+U", "a", 3, "s")], []]),
        (
            True,
            [[("+I", "a", 7, "q")], [("+U", "a", 7, "r")], [], [("+U", "a", 7, "q")]],
        ),
    ],
    ids=["first", "last"],
)
def test_deduplication_by_time(
    spark: SparkSession, tmp_path: Path, newest_first: bool, expected: list[list[Change]]
) -> None:
    """An equal time replaces the last row, not the first, also with a row that was there before."""
    batches = [
        [("a", 7, "o"), ("a", 5, "p"), ("a", 7, "q")],
        [("a", 5, "q"), ("a", 7, "r")],
        [("a", 3, "s")],
        [("a", 7, "r"), ("a", 7, "q")],
    ]
    order = _order("`x` DESC NULLS LAST" if newest_first else "`x`")
    found = _changes(
        spark,
        tmp_path,
        batches,
        order=order,
        first=1,
        last=1,
        newest_first=newest_first,
        update_before=False,
    )
    assert found == expected


def test_deduplication_by_arrival(spark: SparkSession, tmp_path: Path) -> None:
    batches = [[("a", 2, "p"), ("b", 1, "q"), ("a", 1, "r")], [("a", 0, "s"), ("b", 0, "t")]]
    asked = {"order": (), "first": 1, "last": 1}
    assert _changes(spark, tmp_path / "first", batches, **asked) == [
        [("+I", "a", 2, "p"), ("+I", "b", 1, "q")],
        [],
    ]
    assert _changes(spark, tmp_path / "last", batches, newest_first=True, **asked) == [
        [("+I", "a", 1, "r"), ("+I", "b", 1, "q")],
        [("-U", "a", 1, "r"), ("+U", "a", 0, "s"), ("-U", "b", 1, "q"), ("+U", "b", 0, "t")],
    ]


def test_first_rows_by_arrival_are_numbered_as_they_come(
    spark: SparkSession, tmp_path: Path
) -> None:
    batches = [[("a", 1, "p"), ("a", 1, "o")], [("a", 1, "r"), ("a", 1, "q"), ("a", 1, "p")]]
    found = _changes(spark, tmp_path, batches, order=(), first=2, last=4, number="n")
    assert found == [
        [("+I", "a", 1, "o", 2)],
        [("+I", "a", 1, "r", 3), ("+I", "a", 1, "q", 4)],
    ]


def test_others_follow_however_many_go(spark: SparkSession, tmp_path: Path) -> None:
    """More than stand ready behind the first ones: all rows are looked at again."""
    rows = [("a", x, "v") for x in range(300)]
    batches = [[(*row, KINDS["+I"]) for row in rows]]
    batches += [[(*row, KINDS["-D"]) for row in rows[low : low + 50]] for low in range(0, 300, 50)]
    found = _changes(spark, tmp_path, batches, order=_order("`x`"), first=1, last=2)
    expected = [[("-D", "a", low), ("-D", "a", low + 1)] for low in range(0, 300, 50)]
    for number, low in enumerate(range(50, 300, 50)):
        expected[number] += [("+I", "a", low), ("+I", "a", low + 1)]
    assert [[change[:3] for change in batch] for batch in found[1:]] == expected


def test_of_rows_alike_the_oldest_is_first(spark: SparkSession, tmp_path: Path) -> None:
    gone, came = KINDS["-D"], KINDS["+I"]
    batches = [
        [("a", 1, "z", came), ("a", 1, "y", came)],
        [("a", 1, "x", came)],
        [("a", 1, "z", gone)],
        [("a", 1, "z", came), ("a", 1, "y", gone)],
    ]
    found = _changes(spark, tmp_path, batches, order=_order("`x`"), first=1, last=1)
    assert found == [
        [("+I", "a", 1, "z")],
        [],
        [("-U", "a", 1, "z"), ("+U", "a", 1, "y")],
        [("-U", "a", 1, "y"), ("+U", "a", 1, "x")],
    ]


def test_nothing_asked_for_nothing_comes(spark: SparkSession, tmp_path: Path) -> None:
    batches = [[("a", 1, "p")], [("a", 0, "q")]]
    assert _changes(spark, tmp_path, batches, order=_order("`x`"), first=1, last=0) == [[], []]


def test_rows_of_which_no_column_is_asked_for(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(spark, tmp_path, "x INT")
    stream.add(*((x,) for x in range(5)))
    stream.run(lambda frame: rank(frame, (), partition=(), order=(), first=2, last=4))
    assert list(stream.batches.values()) == [[("+I",)] * 3]
