"""Processors that are called for each row, as in real time: the same tables as of whole batches."""

from __future__ import annotations

import random
import subprocess
import zipfile
from collections import Counter, defaultdict
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyspark
import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from penstock.jars.java import find_java
from penstock.jars.module import module_jar
from penstock.model.changelog import KIND_COLUMN
from penstock.model.expression import Expr
from penstock.model.types import BIGINT
from penstock.plan.nodes import ORDER_COLUMN, Order
from penstock.spark.operators.aggregate import aggregate
from penstock.spark.operators.join import AT_COLUMN, join
from penstock.spark.operators.normalize import normalize
from penstock.spark.operators.packed import order_sql
from penstock.spark.operators.rank import rank
from tests.spark.changelogs import KINDS, Change, Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_PROGRAM = Path(__file__).with_name("RowByRow.java")
_COLUMNS = f"k INT, x INT, s STRING, {KIND_COLUMN} TINYINT, n BIGINT"
_BATCHES, _ROWS = 3, 24
_SIDES = ("s = 'a'", "s <> 'a'")
_AGGREGATES = ("count(*)", "sum(x)", "avg(x)", "min(x)", "max(s)", "count(DISTINCT x)")
_AGGREGATES += ("sort_array(collect_list(s))", "sum(DISTINCT x) FILTER (WHERE s = 'a')")


def _upserts(frame: DataFrame) -> DataFrame:
    """The same rows as versions of the row of their key."""
    kind = F.when(F.col(KIND_COLUMN) == KINDS["+I"], KINDS["+U"]).otherwise(KINDS["-D"])
    return frame.withColumn(KIND_COLUMN, kind.cast("tinyint"))


def _normalized(frame: DataFrame) -> DataFrame:
    return normalize(_upserts(frame), ["k", "x", "s"], key=["k"], at="n")


def _aggregated(frame: DataFrame) -> DataFrame:
    found = tuple((f"a{n}", Expr(sql, BIGINT)) for n, sql in enumerate(_AGGREGATES))
    return aggregate(frame, keys=(("k", Expr("k", BIGINT)),), aggregates=found)


def _top(frame: DataFrame) -> DataFrame:
    order = (Order(Expr("`x`", BIGINT), True, False), Order(Expr("`s`", BIGINT), False, False))
    return rank(
        frame, ["k", "x", "s"], partition=["k"], order=order, first=1, last=3, number="place"
    )


def _deduplicated(newest_first: bool) -> Callable[[DataFrame], DataFrame]:
    def operator(frame: DataFrame) -> DataFrame:
        placed = frame.withColumn(ORDER_COLUMN, F.expr(order_sql("n", "0", "0")))
        added = placed.where(f"{KIND_COLUMN} = 0").drop(KIND_COLUMN)
        asked: Any = {"partition": ["k"], "order": (), "first": 1, "last": 1}
        return rank(added, ["k", "x", "s"], newest_first=newest_first, **asked)

    return operator


def _joined(frame: DataFrame) -> DataFrame:
    left, right = (
        frame.where(of_side).selectExpr(f"k AS k{side}", f"x AS x{side}", KIND_COLUMN)
        for side, of_side in enumerate(_SIDES)
    )
    return join(left, right, condition="k0 = k1 AND x0 < x1", kind="FULL")


def _joined_upserts(frame: DataFrame) -> DataFrame:
    left, right = (
        _upserts(frame)
        .where(of_side)
        .selectExpr(f"k AS k{side}", f"x AS x{side}", KIND_COLUMN, f"n AS {AT_COLUMN}")
        for side, of_side in enumerate(_SIDES)
    )
    return join(left, right, condition="k0 = k1", kind="LEFT", rows=("LAST", "LAST"))


OPERATORS = {
    "normalize": _normalized,
    "aggregate": _aggregated,
    "top 3": _top,
    "first by arrival": _deduplicated(newest_first=False),
    "last by arrival": _deduplicated(newest_first=True),
    "join": _joined,
    "join of upserts": _joined_upserts,
}


@pytest.fixture(scope="module")
def row_by_row(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[DataFrame], DataFrame]:
    """Makes of what an operator gives what it gives row by row."""
    java: Any = spark.sparkContext._jvm
    gateway: Any = spark.sparkContext._gateway
    jar = _compiled(tmp_path_factory.mktemp("classes"))
    context: Any = spark.sparkContext._jsc
    context.addJar(str(jar))
    urls = gateway.new_array(java.java.net.URL, 1)
    urls[0] = java.java.io.File(str(jar)).toURI().toURL()
    parent = java.java.lang.Thread.currentThread().getContextClassLoader()
    loaded = java.java.net.URLClassLoader(urls, parent).loadClass("RowByRow")

    def called(changes: DataFrame) -> DataFrame:
        (made,) = loaded.getConstructors()
        made.newInstance(gateway.new_array(java.Object, 0)).into(changes._jdf)
        return changes

    return called


def _compiled(folder: Path) -> Path:
    class_path = f"{Path(pyspark.__file__).parent / 'jars' / '*'}:{module_jar()}"
    javac = find_java().path.resolve().with_name("javac")
    command = [javac, "-J-XX:TieredStopAtLevel=1", "-cp", class_path, "-d", folder, _PROGRAM]
    subprocess.run(command, check=True)
    jar = folder / "row_by_row.jar"
    with zipfile.ZipFile(jar, "w") as content:
        content.write(folder / "RowByRow.class", "RowByRow.class")
    return jar


def _batches() -> list[list[Change]]:
    """Rows that come, and some of those of earlier batches that go."""
    choice = random.Random(7)
    rows: list[Change] = []
    found = []
    for _ in range(_BATCHES):
        choice.shuffle(rows)
        gone = [(*row, KINDS["-D"]) for row in rows[: _ROWS // 3]]
        del rows[: len(gone)]
        new = [
            (choice.randrange(4), choice.randrange(6), choice.choice("abc")) for _ in range(_ROWS)
        ]
        rows += new
        changes = [*gone, *((*row, KINDS["+I"]) for row in new)]
        choice.shuffle(changes)
        found.append([(*change, n) for n, change in enumerate(changes)])
    return found


def _told(name: str, how: str, changes: DataFrame) -> DataFrame:
    """The changes of one operator as those of all: its name, how it was called, the row as text."""
    row = F.to_json(F.struct([name for name in changes.columns if name != KIND_COLUMN]))
    return changes.select(F.lit(name), F.lit(how), row, KIND_COLUMN)


def test_the_tables_are_those_of_whole_batches(
    spark: SparkSession, tmp_path: Path, row_by_row: Callable[[DataFrame], DataFrame]
) -> None:
    stream = Stream(spark, tmp_path, _COLUMNS)
    for batch in _batches():
        stream.add(*batch)

    def all_of_them(frame: DataFrame) -> DataFrame:
        found = []
        for name, operator in OPERATORS.items():
            found.append(_told(name, "at once", operator(frame)))
            found.append(_told(name, "row by row", row_by_row(operator(frame))))
        return reduce(DataFrame.union, found)

    stream.run(all_of_them)
    tables: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    told: Counter[tuple[str, str]] = Counter()
    for number in range(_BATCHES):
        for kind, name, how, row in stream.batches[number]:
            tables[name, how][row] += 1 if kind in ("+I", "+U") else -1
            # Each change is of a row that is there, in the order in which they are told.
            assert tables[name, how][row] >= 0, (number, name, how, kind, row)
            told[name, how] += 1
        for name in OPERATORS:
            at_once, single = (+tables[name, how] for how in ("at once", "row by row"))
            assert single == at_once != Counter(), (number, name)
    # What is in between is told, too.
    for name in ("normalize", "aggregate", "top 3", "last by arrival", "join"):
        assert told[name, "row by row"] > told[name, "at once"], name
