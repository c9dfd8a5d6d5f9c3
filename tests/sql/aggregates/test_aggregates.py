"""Flink's aggregates on Spark: each line of `aggregates.jsonl` is one call over the rows below.

    {"sql": …, "is": …, "type": …}    over all rows, its value as Spark prints it, its type
    {"sql": …, "none": …}             over no rows at all
    {"sql": …, "nulls": …}            over a row of NULLs
    {"sql": …, "ordered": …}          over all rows when the column `o` gives their order
    {"sql": …, "fails": …}            it fails at run time, with this in the message
    {"sql": …, "error": …, "says": …} it is refused when planned, with this code

Values come from Flink's documentation, source and tests, never from what Penstock gives.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlglot import exp

from penstock.errors import PenstockError
from penstock.model.types import BOOLEAN, INT, STRING, DataType
from penstock.plan.aggregate import AggregateCompiler
from penstock.plan.expressions import FLINK, ExpressionCompiler
from penstock.plan.scope import Field, Scope
from penstock.sql.flink import Flink
from penstock.sql.functions import AGGREGATE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.model.expression import Expr

Case = dict[str, Any]
_PLAIN_PER_QUERY, _DISTINCT_PER_QUERY = 40, 6

_COLUMNS = {
    "o": INT,
    "i": INT,
    "s": STRING,
    "k": STRING,
    "b": BOOLEAN,
    "tm": DataType("TIME", 0),
}
_ROWS = """VALUES
    (3, 2, 'b', 'C', true, TIME'00:00:03'),
    (1, 1, 'b', 'A', false, TIME'00:00:10'),
    (5, 5, 'c', 'E', true, TIME'00:00:05'),
    (2, 2, 'a', 'B', NULL, TIME'00:00:01'),
    (4, NULL, NULL, 'D', true, NULL) AS t(o, i, s, k, b, tm)"""
_INPUT = f"(SELECT * FROM {_ROWS})"
_SCOPE = Scope((("t", tuple(Field(name, type_, name) for name, type_ in _COLUMNS.items())),))

_LINES = Path(__file__).with_name("aggregates.jsonl").read_text(encoding="utf-8").splitlines()
_CASES: list[Case] = [json.loads(line) for line in _LINES]
# key of the expected value → the rows it is over
_INPUTS = {
    "is": _INPUT,
    "none": f"(SELECT * FROM {_INPUT} WHERE o > 99)",
    "nulls": f"(SELECT o, i, s, k, CAST(NULL AS BOOLEAN) AS b, tm FROM {_INPUT} WHERE o = 4)",
    "ordered": _INPUT,
}


def _parsed(sql: str) -> exp.Expr:
    query = Flink().parse(f"SELECT {sql}")[0]
    assert isinstance(query, exp.Select)
    return query.expressions[0]


def _compiled(case: Case) -> tuple[Expr, AggregateCompiler]:
    compiler = AggregateCompiler(_SCOPE, FLINK, keys={}, windows=[])
    return compiler.compile(_parsed(case["sql"])), compiler


def _query(cases: list[Case], key: str) -> str:
    """One row with the values of all cases."""
    below, above = [], []
    for number, case in enumerate(cases):
        result, compiler = _compiled(case)
        sql = result.sql
        for name, built in compiler.aggregates.values():
            text = _ordered(case) if key == "ordered" else built.sql
            below.append(f"{text} AS {name}_{number}")
            sql = sql.replace(name, f"{name}_{number}")
        above.append(f"CAST({sql} AS STRING)")
    inner = f"SELECT {', '.join(below)} FROM {_INPUTS[key]}"
    return f"SELECT {', '.join(above)} FROM ({inner})"


def _ordered(case: Case) -> str:
    """The one aggregate of the case with a column that orders the rows."""
    call = _parsed(case["sql"])
    condition = ""
    below = ExpressionCompiler(_SCOPE, FLINK)
    if isinstance(call, exp.Filter):
        condition, call = below.condition(call.expression.this).sql, call.this
    arguments = list(call.expressions)
    distinct = isinstance(arguments[0], exp.Distinct)
    if distinct:
        arguments = [*arguments[0].expressions, *arguments[1:]]
    compiled = [below.compile(argument) for argument in arguments]
    chosen = next(s for s in AGGREGATE[call.name.upper()] if s.matches(compiled))
    built = chosen.aggregate(compiled, distinct=distinct, condition=condition, order="o")
    assert built is not None
    return built.sql


@pytest.mark.spark
@pytest.mark.parametrize("key", _INPUTS)
def test_values(spark: SparkSession, key: str) -> None:
    found = {}
    for part in _parts([case for case in _CASES if key in case]):
        values = spark.sql(_query(part, key)).collect()[0]
        found |= {case["sql"]: value for case, value in zip(part, values, strict=True)}
    assert found == {case["sql"]: case[key] for case in _CASES if key in case}


def _parts(cases: list[Case]) -> list[list[Case]]:
    """Spark plans aggregates of distinct values by copying the rows: few of them in a query."""
    plain = [case for case in cases if "DISTINCT " not in case["sql"]]
    distinct = [case for case in cases if case not in plain]
    return [
        kind[start : start + size]
        for kind, size in ((plain, _PLAIN_PER_QUERY), (distinct, _DISTINCT_PER_QUERY))
        for start in range(0, len(kind), size)
    ]


@pytest.mark.parametrize("case", [c for c in _CASES if "type" in c], ids=lambda c: c["sql"])
def test_types(case: Case) -> None:
    assert str(_compiled(case)[0].type) == case["type"]


@pytest.mark.spark
def test_what_fails_at_run_time(spark: SparkSession) -> None:
    for case in (case for case in _CASES if "fails" in case):
        with pytest.raises(Exception) as caught:
            spark.sql(_query([case], "is")).collect()
            pytest.fail(f"{case} gave a value")
        assert case["fails"] in str(caught.value), case


@pytest.mark.parametrize("case", [c for c in _CASES if "error" in c], ids=lambda c: c["sql"])
def test_refused_when_planned(case: Case) -> None:
    with pytest.raises(PenstockError) as caught:
        _compiled(case)
    assert caught.value.code == case["error"], caught.value
    assert case["says"] in str(caught.value)
    assert caught.value.span is not None


def test_there_are_cases_of_every_aggregate() -> None:
    words = " ".join(case["sql"].upper() for case in _CASES if "is" in case or "ordered" in case)
    assert not [name for name in AGGREGATE if f"{name}(" not in words]
