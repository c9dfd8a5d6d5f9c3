"""GROUP BY over changelogs: each batch's table equals what Spark's batch says of the rows left."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from penstock.model.changelog import KIND_COLUMN
from penstock.model.expression import Expr
from penstock.model.types import BIGINT
from penstock.spark.operators.aggregate import aggregate
from tests.spark.changelogs import KINDS, Batch, Change, Size, Stream, frozen, random_batches

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from penstock.plan.nodes import Named

pytestmark = pytest.mark.spark

_COLUMNS = "g STRING, x INT, d DOUBLE, s STRING, m DECIMAL(10, 2)"
_CHANGES = f"{_COLUMNS}, {KIND_COLUMN} TINYINT"
_RETRACTABLE = (
    "count(*)",
    "count(x)",
    "sum(x)",
    "sum(d)",
    "try_sum(m)",
    "avg(x)",
    "avg(d)",
    "min(x)",
    "max(s)",
    "min(m)",
    "max(d)",
    "var_pop(d)",
    "var_samp(CAST(x AS DOUBLE))",
    "count(DISTINCT x)",
    "count(DISTINCT x, s)",
    "count(DISTINCT s) FILTER (WHERE x > 3)",
    "sum(DISTINCT x)",
    "avg(DISTINCT d)",
    "min(x) FILTER (WHERE s = 'a')",
    "sum(x) FILTER (WHERE d > 0) + coalesce(max(x), 0)",
    "sort_array(collect_list(x))",
    "sort_array(collect_list(DISTINCT s))",
    "percentile(x, 0.5D)",
    "max_by(s, struct(x, s))",
    "nullif(count(x), 0)",
)
_APPEND = (*_RETRACTABLE, "approx_count_distinct(x)", "first(g, true)", "bool_or(x > 4)")


def _named(prefix: str, texts: tuple[str, ...]) -> Named:
    return tuple((f"{prefix}{number}", Expr(sql, BIGINT)) for number, sql in enumerate(texts))


def _row(choice: random.Random) -> Change:
    return (
        choice.choice(["a", "b", "c", None]),
        choice.choice([None, *range(8)]),
        choice.choice([None, -1.5, 0.0, 0.25, 2.0]),
        choice.choice([None, "a", "b", "ü"]),
        choice.choice([None, "1.10", "-2.25", "99999999.99"]),
    )


def _batches(seed: int, *, retract: bool) -> list[Batch]:
    return random_batches(_row, Size(6, 25), seed=seed, retract=retract)


def _expected(
    spark: SparkSession, rows: list[Change], keys: Named, aggregates: Named
) -> Counter[Change]:
    if not rows:
        return Counter()
    frame = spark.createDataFrame(rows, "g STRING, x INT, d DOUBLE, s STRING, m STRING")
    frame = frame.selectExpr("g", "x", "d", "s", "CAST(m AS DECIMAL(10, 2)) AS m")
    frame.createOrReplaceTempView("changed_rows")
    texts = ", ".join(f"{expr.sql} AS {name}" for name, expr in (*keys, *aggregates))
    by = f" GROUP BY {', '.join(expr.sql for _, expr in keys)}" if keys else ""
    if not aggregates:
        texts = f"DISTINCT {texts}"
    found = spark.sql(f"SELECT {texts} FROM changed_rows{by}").collect()
    return Counter(tuple(map(frozen, row)) for row in found)


@pytest.mark.parametrize("retract", [False, True], ids=["append", "retract"])
@pytest.mark.parametrize("keys", [("g",), ("g", "x % 2"), ()], ids=["one", "two", "global"])
def test_groups_are_those_of_a_batch(
    spark: SparkSession, tmp_path: Path, keys: tuple[str, ...], retract: bool
) -> None:
    grouped, calls = _named("k", keys), _named("a", _RETRACTABLE if retract else _APPEND)
    stream = Stream(spark, tmp_path, _CHANGES if retract else _COLUMNS)
    batches = _batches(len(keys), retract=retract)

    def operator(frame: DataFrame) -> DataFrame:
        return aggregate(frame, keys=grouped, aggregates=calls)

    for number, (changes, _) in enumerate(batches):
        stream.add(*(changes if retract else [change[:-1] for change in changes]))
        if number == 2:
            stream.run(operator)
    stream.run(operator)
    for table, (_, rows) in zip(stream.tables(), batches, strict=True):
        assert table == _expected(spark, rows, grouped, calls)


def test_without_aggregates_each_group_is_there_while_it_has_a_row(
    spark: SparkSession, tmp_path: Path
) -> None:
    keys = _named("k", ("g", "s"))
    stream = Stream(spark, tmp_path, _CHANGES)
    batches = _batches(7, retract=True)
    for changes, _ in batches:
        stream.add(*changes)
    stream.run(lambda frame: aggregate(frame, keys=keys, aggregates=()))
    for table, (_, rows) in zip(stream.tables(), batches, strict=True):
        assert table == _expected(spark, rows, keys, ())


def test_a_result_that_stays_the_same_is_not_told(spark: SparkSession, tmp_path: Path) -> None:
    keys, calls = _named("k", ("g",)), _named("a", ("max(x)", "sum(x) div count(x)"))
    stream = Stream(spark, tmp_path, _CHANGES)
    stream.add(("a", 4, None, None, None, 0), ("a", 4, None, None, None, 0))
    stream.add(("a", 4, None, None, None, 0))
    stream.add(("a", 4, None, None, None, 3), ("a", 5, None, None, None, 0))
    stream.run(lambda frame: aggregate(frame, keys=keys, aggregates=calls))
    assert stream.changes() == [
        [("+I", "a", 4, 4)],
        [],
        [("-U", "a", 4, 4), ("+U", "a", 5, 4)],
    ]


def test_updates_without_the_old_row(spark: SparkSession, tmp_path: Path) -> None:
    keys, calls = _named("k", ("g",)), _named("a", ("count(*)",))
    stream = Stream(spark, tmp_path, _CHANGES)
    stream.add(("a", 1, None, None, None, 0))
    stream.add(("a", 1, None, None, None, 2))
    stream.add(("a", 1, None, None, None, 1), ("a", 1, None, None, None, 3))
    stream.run(lambda f: aggregate(f, keys=keys, aggregates=calls, update_before=False))
    assert stream.changes() == [[("+I", "a", 1)], [("+U", "a", 2)], [("-D", "a", 2)]]


def test_the_next_smallest_follows_however_many_go(spark: SparkSession, tmp_path: Path) -> None:
    calls = _named("a", ("min(x)", "max(x)"))
    stream = Stream(spark, tmp_path, _CHANGES)
    stream.add(*(("a", value, None, None, None, 0) for value in range(200)))
    for low in range(0, 200, 20):
        gone = range(low, low + 20)
        stream.add(*(("a", value, None, None, None, 3) for value in gone))
    stream.run(lambda frame: aggregate(frame, keys=(), aggregates=calls))
    expected = [Counter({(low, 199): 1}) for low in range(0, 200, 20)]
    assert stream.tables() == [*expected, Counter()]


def test_zeros_and_nans_are_one_key_and_one_value(spark: SparkSession) -> None:
    rows = "(0.0D, -0.0D), (-0.0D, 0.0D), (double('NaN'), 1D), (-double('NaN'), 1D)"
    frame = spark.sql(f"SELECT * FROM VALUES {rows} AS t(k, v)")
    keys, calls = _named("k", ("k",)), _named("a", ("count(DISTINCT v)", "count(*)"))
    found = aggregate(frame, keys=keys, aggregates=calls).collect()
    assert sorted(str(tuple(row)) for row in found) == ["(0.0, 1, 2, 0)", "(nan, 1, 2, 0)"]


def test_what_goes_leaves_nothing_behind(spark: SparkSession, tmp_path: Path) -> None:
    """Be it infinite, no number, far larger than the others, or a zero of another sign."""
    calls = _named("a", ("sum(d)", "avg(d)", "var_pop(d)", "var_samp(d)", "min(d)", "max(d)"))
    stream = Stream(spark, tmp_path, _CHANGES)
    kept, passing = [0.0, 0.1, 0.2, 0.3], ["Infinity", "-Infinity", "NaN", 1e300, 1e17, -0.0]

    def rows(values: list[float | str], kind: str) -> list[Change]:
        return [("a", 1, value, None, None, KINDS[kind]) for value in values]

    stream.add(*rows([*kept, *passing], "+I"))
    stream.add(*rows(passing, "-D"))
    stream.add(*rows(kept[2:], "-D"))
    stream.run(lambda frame: aggregate(frame, keys=(), aggregates=calls))
    told = [row for batch in stream.changes()[1:] for row in batch if row[0] == "+U"]
    assert told == [
        ("+U", 0.6, 0.15, 0.0125, 0.016667, 0.0, 0.3),
        ("+U", 0.1, 0.05, 0.0025, 0.005, 0.0, 0.1),
    ]


def test_maps_are_the_same_in_any_order(spark: SparkSession) -> None:
    one, other = "map('a', 1, 'b', 2)", "map('b', 2, 'a', 1)"
    found = spark.sql(
        f"SELECT penstock_pack(m) = penstock_pack(n), penstock_pack(array(m)) = "
        f"penstock_pack(array(n)), penstock_pack_key(m) = penstock_pack_key(n) "
        f"FROM VALUES ({one}, {other}) AS t(m, n)"
    )
    assert tuple(found.first()) == (True, True, True)  # type: ignore[arg-type]
