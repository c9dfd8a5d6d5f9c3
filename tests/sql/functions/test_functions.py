"""Flink's functions, operators and casts on Spark, and what is refused before Spark sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.errors import PenstockError
from penstock.model.expression import Expr
from penstock.model.types import BIGINT, DOUBLE, INT, STRING, DataType
from penstock.sql.functions import AGGREGATE, FORMS, SCALAR, TOPICS
from penstock.sql.functions.regex import group_certainty
from tests.sql.functions.expressions import ROW_SQL, ZONES, Case, cases, compiled, parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _pytest.mark import ParameterSet
    from pyspark.sql import SparkSession

_ALL = cases()
_REFUSED = [case for case in _ALL if case.error]
_FAILING = [case for case in _ALL if case.fails]
_VALUED = [case for case in _ALL if case.type]
# Spark leaves a projection of more columns than this uncompiled.
_CASES_PER_JOB = 90
# The files whose cases are run in each of the zones.
_ZONED = ("casts", "temporal")
# Folding constants would take the work away from the generated code.
_NO_FOLDING = "org.apache.spark.sql.catalyst.optimizer.ConstantFolding"


@pytest.fixture(scope="module")
def in_zone(spark: SparkSession) -> Callable[[str], SparkSession]:
    """Sessions of the settings that every job has, one per time zone."""
    from penstock.spark.session import session_settings

    sessions: dict[str, SparkSession] = {}

    def get(zone: str) -> SparkSession:
        if zone not in sessions:
            sessions[zone] = spark.newSession()
            for key, value in session_settings({"table.local-time-zone": zone}).items():
                sessions[zone].conf.set(key, value)
            sessions[zone].conf.set("spark.sql.optimizer.excludedRules", _NO_FOLDING)
        return sessions[zone]

    return get


def _holds_in(case: Case, zone: str) -> bool:
    if case.zone:
        return case.zone == zone
    return zone in (ZONES if case.file in _ZONED else ZONES[:1])


def _batches() -> Iterator[ParameterSet]:
    for zone in (*ZONES, *sorted({case.zone for case in _VALUED} - {"", *ZONES})):
        chosen = [case for case in _VALUED if _holds_in(case, zone)]
        for start in range(0, len(chosen), _CASES_PER_JOB):
            batch = tuple(chosen[start : start + _CASES_PER_JOB])
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


@pytest.mark.parametrize(
    ("regex", "expected"),
    [
        ("abc", []),
        ("a(b)(?<n>c)", [True, True]),
        (r"\(a\)[(](b)\Q(\E", [True]),
        ("(a)?(b)*(c)+(d){0,1}(e){2}", [False, False, True, False, True]),
        ("(a|b)c", [True]),
        ("((a)|b)c", [True, False]),
        ("(?:(a)(?i)b)(?!(c))(?=(d))", [True, False, True]),
        ("(a)|b", [False]),
        ("[[(]a](b)", [True]),
    ],
)
def test_which_groups_are_in_every_match(regex: str, expected: list[bool]) -> None:
    assert group_certainty(regex) == expected


# Rows of (5), (8) and (NULL): function, argument type → value, type of the result.
_AGGREGATES = [
    ("COUNT", INT, "2", "BIGINT"),
    ("SUM", INT, "13", "INT"),
    ("MIN", INT, "5", "INT"),
    ("MAX", INT, "8", "INT"),
    ("MAX", STRING, "8", "STRING"),
    ("AVG", INT, "6", "INT"),
    ("AVG", DataType("TINYINT"), "6", "TINYINT"),
    ("AVG", DOUBLE, "6.5", "DOUBLE"),
    ("SUM", DataType("DECIMAL", 5, 1), "13.0", "DECIMAL(38, 1)"),
    ("AVG", DataType("DECIMAL", 5, 1), "6.500000", "DECIMAL(38, 6)"),
    ("AVG", DataType("DECIMAL", 10, 8), "6.50000000", "DECIMAL(38, 8)"),
]


@pytest.mark.spark
def test_aggregates(in_zone: Callable[[str], SparkSession]) -> None:
    columns = []
    for name, type_, _, _ in _AGGREGATES:
        argument = Expr(f"CAST(x AS {type_.spark_sql()})", type_)
        chosen = next(s for s in AGGREGATE[name] if s.matches([argument]))
        built = chosen.call([argument])
        assert built is not None
        columns.append((f"CAST({built.sql} AS {built.type.spark_sql()})", str(built.type)))
    selected = ", ".join(f"CAST({sql} AS STRING)" for sql, _ in columns)
    session = in_zone("UTC")
    row = session.sql(f"SELECT {selected} FROM VALUES (5), (8), (NULL) AS t(x)").collect()[0]
    found = [(value, type_) for value, (_, type_) in zip(row, columns, strict=True)]
    assert found == [(value, type_) for _, _, value, type_ in _AGGREGATES]
    empty = session.sql(f"SELECT {selected} FROM VALUES (5) AS t(x) WHERE x > 9").collect()[0]
    assert [*empty] == ["0" if name == "COUNT" else None for name, *_ in _AGGREGATES]


def test_count_takes_no_argument_or_one() -> None:
    assert [s.describe() for s in AGGREGATE["COUNT"]] == ["()", "(any)"]
    built = AGGREGATE["COUNT"][0].call([])
    assert built == Expr("count(*)", BIGINT)
