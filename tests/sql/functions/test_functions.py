"""Flink's functions, operators and casts on Spark, and what is refused before Spark sees it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock.errors import PenstockError
from penstock.sql.functions import AGGREGATE, FORMS, SCALAR, TOPICS
from tests.sql.expression_cases import Case, batches, cases_in
from tests.sql.functions.expressions import ROW_SQL, ZONES, compiled, parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _pytest.mark import ParameterSet
    from pyspark.sql import SparkSession

    from penstock.model.types import DataType

_ALL = cases_in(Path(__file__).parent)
_REFUSED = [case for case in _ALL if case.error]
_FAILING = [case for case in _ALL if case.fails]
_VALUED = [case for case in _ALL if case.type]
# The files whose cases are run in each of the zones.
_ZONED = ("casts", "casts_more", "temporal")


def _holds_in(case: Case, zone: str) -> bool:
    if case.zone:
        return case.zone == zone
    return zone in (ZONES if case.file in _ZONED else ZONES[:1])


def _batches() -> Iterator[ParameterSet]:
    for zone in (*ZONES, *sorted({case.zone for case in _VALUED} - {"", *ZONES})):
        chosen = [case for case in _VALUED if _holds_in(case, zone)]
        for batch in batches(chosen):
            yield pytest.param(zone, batch, id=f"{zone} from {batch[0]}")


@pytest.mark.spark
@pytest.mark.parametrize(("zone", "batch"), [*_batches()])
def test_values_and_types(
    in_zone: Callable[[str], SparkSession], zone: str, batch: tuple[Case, ...]
) -> None:
    expressions = [compiled(case.sql) for case in batch]
    columns = ", ".join(f"{expr.sql} AS c{i}" for i, expr in enumerate(expressions))
    frame = in_zone(zone).sql(f"SELECT {columns} FROM ({ROW_SQL} FROM range(1))")
    texts = [f"CAST(c{i} AS STRING) AS c{i}" for i in range(len(batch))]
    values = frame.selectExpr(*texts).collect()[0]
    found = {
        case.sql: (value, str(expr.type), field.dataType.simpleString().lower())
        for case, value, expr, field in zip(
            batch, values, expressions, frame.schema.fields, strict=True
        )
    }
    expected = {
        case.sql: (case.value, case.type, _spark_name(expr.type))
        for case, expr in zip(batch, expressions, strict=True)
    }
    assert found == expected


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
    assert caught.value.span is not None or case.error == "UNSUPPORTED_TYPE"


def test_there_are_cases_of_every_function() -> None:
    called = {
        node.name.upper() for case in _VALUED for node in parsed(case.sql).walk() if node.name
    }
    words = " ".join(case.sql.upper() for case in _VALUED)
    missing = [name for name in SCALAR if name not in called and f"{name}(" not in words]
    assert not missing
    assert len(_ALL) > 700


def test_the_reference_can_be_written_from_the_tables() -> None:
    assert len(SCALAR) == sum(len(topic) for topic in TOPICS.values()), "a name in two topics"
    for name, signatures in [*SCALAR.items(), *AGGREGATE.items()]:
        assert signatures, name
        assert all(signature.describe() and signature.describe_result() for signature in signatures)
    assert all(syntax and result for syntax, result in FORMS.values())
