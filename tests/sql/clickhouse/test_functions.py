"""ClickHouse's functions, operators and casts on Spark, and what is refused before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock.errors import PenstockError
from penstock.plan.clickhouse.calls import CALLS
from penstock.sql.clickhouse.numbers import as_number
from penstock.sql.clickhouse.type_reader import type_of
from penstock.sql.clickhouse.types import type_name
from penstock.sql.functions.clickhouse import (
    AGGREGATE,
    AGGREGATES,
    ALIASES,
    ANY_CASE,
    TOPICS,
    WINDOWS,
)
from tests.sql.clickhouse.expressions import ROW_SQL, compiled, parsed
from tests.sql.expression_cases import Case, batches, cases_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _pytest.mark import ParameterSet
    from pyspark.sql import SparkSession

    from penstock.model.expression import Expr
    from penstock.model.types import DataType

_ALL = cases_in(Path(__file__).parent)
_REFUSED = [case for case in _ALL if case.error]
_FAILING = [case for case in _ALL if case.fails]
_VALUED = [case for case in _ALL if case.type]


def _batches() -> Iterator[ParameterSet]:
    for zone in sorted({case.zone or "UTC" for case in _VALUED}):
        chosen = [case for case in _VALUED if (case.zone or "UTC") == zone]
        for batch in batches(chosen):
            yield pytest.param(zone, batch, id=f"{zone} from {batch[0]}")


@pytest.mark.spark
@pytest.mark.parametrize(("zone", "batch"), [*_batches()])
def test_values_and_types(
    in_zone: Callable[[str], SparkSession], zone: str, batch: tuple[Case, ...]
) -> None:
    types = [compiled(case.sql).type for case in batch]
    shown = [_shown(compiled(case.sql)) for case in batch]
    columns = ", ".join(f"{expr.sql} AS c{i}" for i, expr in enumerate(shown))
    frame = in_zone(zone).sql(f"SELECT {columns} FROM ({ROW_SQL} FROM range(1))")
    texts = [f"CAST(c{i} AS STRING) AS c{i}" for i in range(len(batch))]
    values = frame.selectExpr(*texts).collect()[0]
    found = {
        case.sql: (value, type_name(type_), field.dataType.simpleString().lower())
        for case, value, type_, field in zip(batch, values, types, frame.schema.fields, strict=True)
    }
    expected = {
        case.sql: (case.value, case.type, _spark_name(expr.type))
        for case, expr in zip(batch, shown, strict=True)
    }
    assert found == expected


def _shown(expr: Expr) -> Expr:
    """What a comparison gives is a UInt8 to whoever asks."""
    return as_number(expr) if expr.type.precision and expr.type.root == "BOOLEAN" else expr


def _spark_name(type_: DataType) -> str:
    return type_.spark_sql().lower().replace(", ", ",").replace(": ", ":").replace("`", "")


@pytest.mark.spark
def test_what_fails_at_run_time(in_zone: Callable[[str], SparkSession]) -> None:
    session = in_zone("UTC")
    for case in _FAILING:
        frame = session.sql(f"SELECT {compiled(case.sql).sql} FROM ({ROW_SQL} FROM range(1))")
        with pytest.raises(Exception) as caught:
            frame.collect()
            pytest.fail(f"{case} gave a value")
        assert case.fails.lower() in str(caught.value).lower(), case


@pytest.mark.parametrize("case", _REFUSED, ids=str)
def test_refused_when_planned(case: Case) -> None:
    with pytest.raises(PenstockError) as caught:
        compiled(case.sql)
    assert caught.value.code == case.error, caught.value
    assert case.says in str(caught.value)


def test_there_are_cases_of_every_function() -> None:
    called = {node.name for case in _VALUED for node in parsed(case.sql).walk() if node.name}
    words = " ".join(case.sql for case in _VALUED)
    names = [name for topic in TOPICS.values() for name in topic]
    missing = [name for name in names if name not in called and f"{name}(" not in words]
    assert not missing


def test_the_reference_can_be_written_from_the_tables() -> None:
    names = [name for topic in TOPICS.values() for name in topic]
    assert len(names) == len(set(names)), "a name in two topics"
    for topic in (*TOPICS.values(), AGGREGATES):
        for name, signatures in topic.items():
            assert all(s.describe() and s.describe_result() for s in signatures), name
    known = {*names, *AGGREGATES, *WINDOWS, *CALLS}
    assert {ALIASES[alias] for alias in ALIASES} <= known
    assert {name for name in ANY_CASE if name not in ALIASES} <= known


# Rows of (5), (8) and (NULL) where the type allows it: call, type of x → value, type of the result.
_AGGREGATES = [
    ("count()", "UInt8", "3", "UInt64"),
    ("count(x)", "Nullable(UInt8)", "2", "UInt64"),
    ("countIf(x)", "Nullable(UInt8)", "2", "UInt64"),
    ("sum(x)", "UInt8", "13", "UInt64"),
    ("sum(x)", "Nullable(Int32)", "13", "Nullable(Int64)"),
    ("sum(x)", "Float32", "13.0", "Float64"),
    ("sum(x)", "Decimal(5, 1)", "13.0", "Decimal(38, 1)"),
    ("avg(x)", "Nullable(UInt8)", "6.5", "Nullable(Float64)"),
    ("min(x)", "Nullable(UInt8)", "5", "Nullable(UInt8)"),
    ("max(x)", "UInt64", "8", "UInt64"),
    ("uniq(x)", "Nullable(UInt8)", "2", "UInt64"),
    ("uniqExact(x)", "Nullable(UInt8)", "2", "UInt64"),
    ("argMax(x, x)", "Nullable(UInt8)", "8", "Nullable(UInt8)"),
    ("argMin(x, x)", "Nullable(UInt8)", "5", "Nullable(UInt8)"),
    ("any(x)", "Nullable(UInt8)", "5", "Nullable(UInt8)"),
    ("anyLast(x)", "Nullable(UInt8)", "8", "Nullable(UInt8)"),
    ("groupArray(x)", "Nullable(UInt8)", "[5, 8]", "Array(UInt8)"),
    ("median(x)", "Nullable(UInt8)", "6.5", "Nullable(Float64)"),
    ("quantile(0.5)(x)", "Nullable(UInt8)", "6.5", "Nullable(Float64)"),
    ("quantileExact(0.5)(x)", "Nullable(UInt8)", "8", "Nullable(UInt8)"),
    ("sumIf(x, x > 6)", "Nullable(UInt8)", "8", "Nullable(UInt64)"),
    ("countIf(x > 6)", "Nullable(UInt8)", "1", "UInt64"),
    ("argMaxIf(x, x, x < 8)", "UInt8", "5", "UInt8"),
    ("argMin(nullIf(x, 5), x)", "Nullable(UInt8)", "8", "Nullable(UInt8)"),
    ("max(x / (x - 5))", "UInt8", "Infinity", "Float64"),
    ("max((x - 5) / (x - 5))", "UInt8", "1.0", "Float64"),
    ("uniq((x - 8) * toFloat64(0))", "UInt8", "2", "UInt64"),
    ("countIf(x, x > 6)", "Nullable(UInt8)", "1", "UInt64"),
    # What no row meets is the default of the type, not NULL.
    ("sumIf(x, 0)", "UInt8", "0", "UInt64"),
    ("minIf(x, 0)", "UInt8", "0", "UInt8"),
    ("avgIf(x, 0)", "UInt8", "NaN", "Float64"),
    ("anyIf(x, 0)", "String", "", "String"),
    ("quantiles(0, 0.5, 1)(x)", "Nullable(UInt8)", "[5.0, 6.5, 8.0]", "Array(Float64)"),
    ("quantilesExact(0.1, 0.9)(x)", "Nullable(UInt8)", "[5, 8]", "Array(UInt8)"),
    ("quantilesIf(0.5)(x, 0)", "UInt8", "[NaN]", "Array(Float64)"),
    ("quantilesExactIf(0.5)(x, 0)", "UInt8", "[0]", "Array(UInt8)"),
    ("quantileIf(1)(x, x < 8)", "UInt8", "5.0", "Float64"),
    ("topK(1)(intDiv(x, 9))", "Nullable(UInt8)", "[0]", "Array(UInt8)"),
    ("topKIf(x, x > 5)", "Nullable(UInt8)", "[8]", "Array(UInt8)"),
    ("groupArray(1)(x)", "Nullable(UInt8)", "[5]", "Array(UInt8)"),
    ("groupArraySorted(1)(-x)", "Nullable(UInt8)", "[-8]", "Array(Int16)"),
    ("groupUniqArray(1)(x * 0)", "Nullable(UInt8)", "[0]", "Array(UInt16)"),
    ("groupBitOr(x)", "Nullable(UInt8)", "13", "Nullable(UInt8)"),
    ("groupBitAnd(x)", "Nullable(UInt64)", "0", "Nullable(UInt64)"),
    ("groupBitXorIf(x, x > 5)", "Int8", "8", "Int8"),
    ("groupBitAndIf(x, 0)", "UInt64", "18446744073709551615", "UInt64"),
    ("groupBitAndIf(x, 0)", "Int8", "-1", "Int8"),
    ("sumOrNullIf(x, 0)", "UInt8", None, "Nullable(UInt64)"),
    ("sumIfOrDefault(x, 0)", "UInt8", "0", "UInt64"),
    ("avgOrDefaultIf(x, 0)", "UInt8", "0.0", "Float64"),
    ("avgOrNull(x)", "UInt8", "6.5", "Nullable(Float64)"),
    ("countOrNullIf(x > 9)", "UInt8", None, "Nullable(UInt64)"),
    ("countIfOrNull(x > 9)", "UInt8", "0", "Nullable(UInt64)"),
    ("uniqIfOrNull(x, x > 9)", "UInt8", "0", "Nullable(UInt64)"),
    ("minIfOrNull(x, x > 9)", "UInt8", None, "Nullable(UInt8)"),
    ("avgIfOrDefault(x, x > 9)", "UInt8", "NaN", "Float64"),
    ("minIfOrDefault(x, x > 9)", "Nullable(UInt8)", "0", "Nullable(UInt8)"),
    ("minOrDefaultIf(x, x > 9)", "Nullable(UInt8)", None, "Nullable(UInt8)"),
    ("argMaxOrNullIf(x, x, x > 9)", "UInt8", None, "Nullable(UInt8)"),
    ("quantilesExactIf(0.5)(x, x > 9)", "Float64", "[0.0]", "Array(Float64)"),
    ("sumSimpleState(x)", "UInt8", "13", "SimpleAggregateFunction(sum, UInt64)"),
    ("maxSimpleStateIf(x, x < 8)", "UInt8", "5", "SimpleAggregateFunction(max, UInt8)"),
    ("anyLastSimpleState(x)", "UInt8", "8", "SimpleAggregateFunction(anyLast, UInt8)"),
]


@pytest.mark.spark
def test_aggregates(in_zone: Callable[[str], SparkSession]) -> None:
    columns = []
    for call, type_, _, _ in _AGGREGATES:
        built = _aggregate(call, type_)
        columns.append((f"CAST(({built.sql}) AS STRING)", type_name(built.type)))
    rows = "VALUES (1, 5), (2, 8), (3, NULL) AS t(i, v)"
    selected = ", ".join(f"{sql} AS c{i}" for i, (sql, _) in enumerate(columns))
    values = in_zone("UTC").sql(f"SELECT {selected} FROM {rows}").collect()[0]
    found = [(v, t) for v, (_, t) in zip(values, columns, strict=True)]
    assert found == [(value, type_) for _, _, value, type_ in _AGGREGATES]


def _aggregate(call: str, type_: str) -> Expr:
    from penstock.plan.clickhouse import CLICKHOUSE
    from penstock.plan.expressions import ExpressionCompiler
    from penstock.plan.scope import Field, Scope

    argument = type_of(type_, "x")
    sql = f"CAST(v AS {argument.spark_sql()})"
    compiler = ExpressionCompiler(Scope((("", (Field("x", argument, sql),)),)), CLICKHOUSE)
    node = parsed(call)
    arguments = [compiler.compile(part) for part in node.expressions]
    signatures = AGGREGATE[node.name.upper()]
    built = next(s for s in signatures if s.matches(arguments)).aggregate(arguments)
    assert built is not None
    return built
