"""Runs the cases of `*.jsonl`, generated and interpreted; see `codecs`."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from tests.formats.codecs import Case, decode, encode, message_of, named, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import Column, DataFrame, SparkSession

pytestmark = pytest.mark.spark

_BAD_MESSAGE = re.compile(
    r"PENSTOCK_BAD_MESSAGE topic=(?P<topic>\S+) partition=(?P<partition>\S+) "
    r"offset=(?P<offset>\S+) field=(?P<field>\S+) reason=(?P<reason>.*?) message=(?P<message>.*)"
)
# Spark leaves a projection of more columns than this uncompiled.
_CASES_PER_JOB = 90

Results = dict[str, Any]


@pytest.fixture(scope="module", params=["generated", "interpreted"])
def mode(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[str]:
    keys = {
        "spark.sql.codegen.wholeStage": str(request.param == "generated").lower(),
        "spark.sql.codegen.fallback": "false",
        "spark.sql.codegen.factoryMode": "CODEGEN_ONLY"
        if request.param == "generated"
        else "NO_CODEGEN",
    }
    for key, value in keys.items():
        spark.conf.set(key, value)
    yield request.param
    for key in keys:
        spark.conf.unset(key)


def _results(spark: SparkSession, cases: list[Case], column: Callable[[Case], Column]) -> Results:
    results: Results = {}
    for start in range(0, len(cases), _CASES_PER_JOB):
        part = cases[start : start + _CASES_PER_JOB]
        columns = [column(case).alias(f"c{i}") for i, case in enumerate(part)]
        # Spark would evaluate a row of literals while planning; a range it must run.
        values = spark.range(1).select(*columns).first()
        assert values is not None
        for case, value in zip(part, values, strict=True):
            results[case["format"] + case["name"]] = value
    return results


@pytest.fixture(scope="module")
def decoded(spark: SparkSession, mode: str) -> Results:
    cases = [param.values[0] for param in named("row", "rows", "skip")]
    return _results(spark, cases, lambda case: decode(case, F.lit(message_of(case)).cast("binary")))


@pytest.fixture(scope="module")
def encoded(spark: SparkSession, mode: str) -> Results:
    cases = [param.values[0] for param in named("out", "out64", "tombstone")]
    return _results(spark, cases, encode)


@pytest.mark.parametrize("case", named("row", "rows", "skip"))
def test_decode(decoded: Results, case: Case) -> None:
    rows = decoded[case["format"] + case["name"]]
    expected = None if case.get("skip") else case.get("rows", [case.get("row")])
    assert plain(rows) == expected


@pytest.mark.parametrize("case", named("out", "out64", "tombstone"))
def test_encode(encoded: Results, case: Case) -> None:
    value = encoded[case["format"] + case["name"]]
    if case.get("tombstone"):
        assert value is None
    elif "out64" in case:
        assert bytes(value) == base64.b64decode(case["out64"])
    else:
        assert bytes(value).decode() == case["out"]


@pytest.mark.parametrize("case", named("error"))
def test_decode_error(spark: SparkSession, case: Case) -> None:
    # A row of literals is evaluated while planning: hundreds of jobs less.
    facts = _failure(spark.sql("VALUES (1)"), case)
    assert (facts["topic"], facts["partition"], facts["offset"]) == ("orders", "3", "42")
    for key, part in case["error"].items():
        assert facts[key] == part if key == "field" else part in facts[key]


def _failure(rows: DataFrame, case: Case) -> dict[str, str]:
    with pytest.raises(Exception, match="PENSTOCK_BAD_MESSAGE") as caught:
        rows.select(decode(case, F.lit(message_of(case)).cast("binary"))).collect()
    found = _BAD_MESSAGE.search(str(caught.value))
    assert found
    return found.groupdict()


def test_error_is_the_same_without_generated_code(spark: SparkSession, mode: str) -> None:
    case = {"format": "json", "columns": "r STRUCT<a: INT>", "in": '{"r":{"a":"x"}}'}
    assert _failure(spark.range(1), case) == {
        "topic": "orders",
        "partition": "3",
        "offset": "42",
        "field": "r.a",
        "reason": 'not a valid INT: For input string: "x"',
        "message": '{"r":{"a":"x"}}',
    }


def test_place_of_a_message_is_optional(spark: SparkSession, mode: str) -> None:
    schema = StructType.fromDDL("a INT").json()
    row = F.call_function("penstock_json_decode", F.lit(b"{"), F.lit(schema), F.lit("{}"))
    with pytest.raises(Exception, match="topic=- partition=- offset=- field=- reason="):
        spark.range(1).select(row).collect()


@pytest.mark.parametrize(
    ("null_key_mode", "entries"),
    [("drop", {"no-null key": 1}), ("LITERAL", {"no-null key": 1, "nullKey": 2})],
)
def test_map_with_null_key(
    spark: SparkSession, null_key_mode: str, entries: dict[str, int]
) -> None:
    options = {"map-null-key.mode": null_key_mode, "map-null-key.literal": "nullKey"}
    assert json.loads(_null_key(spark, options)) == {"m": entries}


def test_map_with_null_key_fails(spark: SparkSession) -> None:
    with pytest.raises(Exception, match="PENSTOCK_BAD_ROW field=m reason=JSON format doesn't supp"):
        _null_key(spark, {})


def _null_key(spark: SparkSession, options: dict[str, str]) -> str:
    rows = [({"no-null key": 1, None: 2},)]
    frame = spark.createDataFrame(rows, "m MAP<STRING, INT>", verifySchema=False)
    row = F.call_function("penstock_json_encode", F.struct("m"), F.lit(json.dumps(options)))
    value = frame.select(row).first()
    assert value is not None
    return bytes(value[0]).decode()


@pytest.mark.parametrize(
    ("format_name", "columns", "reason"),
    [
        ("json", "a MAP<INT, INT>", "non-string as key type of map"),
        ("csv", "a MAP<STRING, INT>", "CSV format doesn't support the type MAP<STRING, INT>"),
        ("csv", "a ARRAY<ARRAY<INT>>", "second level nesting of fields 'a' but was: ARRAY<INT>"),
        ("raw", "a DATE", "The 'raw' format doesn't supports 'DATE' as column type."),
        ("raw", "a INT, b INT", "The 'raw' format only supports single physical column."),
        ("json", "a INTERVAL DAY", "JSON format doesn't support the type INTERVAL DAY"),
    ],
)
def test_unsupported_types(
    spark: SparkSession, format_name: str, columns: str, reason: str
) -> None:
    case = {"format": format_name, "columns": columns, "values": None}
    with pytest.raises(Exception, match=re.escape(reason)):
        spark.range(1).select(decode(case, F.lit(b"")))
    with pytest.raises(Exception, match=re.escape(reason)):
        spark.range(1).select(encode(case))


def test_a_filter_that_is_no_pattern(spark: SparkSession) -> None:
    case = {
        "format": "canal-json",
        "columns": "a INT",
        "hidden": "kind TINYINT",
        "options": {"table.include": "(a"},
    }
    reason = "'canal-json.table.include' = '(a' is no regular expression: Unclosed group"
    with pytest.raises(Exception, match=re.escape(reason)):
        spark.range(1).select(decode(case, F.lit(b"")))


def test_message_is_decoded_once_for_filter_and_columns(spark: SparkSession) -> None:
    case = {"format": "json", "columns": "a INT, b INT"}
    messages = spark.range(1).select(F.expr("CAST('{}' AS BINARY)").alias("value"))
    rows = messages.select(F.explode(decode(case, F.col("value"))).alias("row"))
    plan = rows.where("row.a > 1").select("row.*")._jdf.queryExecution().executedPlan().toString()
    assert plan.count("penstock_json_decode") == 1
