"""Runs the cases of `*.jsonl`, generated and interpreted; one line is one message or one row.

Keys of a case: `name`, `columns` (Spark DDL), `digits` that columns of TIME declare, `hidden` (DDL
of what the decoder is asked for beside the columns, without `__`), `options` of the format,
`message` (a type of Protobuf: `two.Inner` is `penstock.two.Inner` in `protobuf/two.proto`), then
for reading `in` (text), `base64` or `null`, and `row`, `rows`, `skip` or `error` (what the parts of
the error text contain); for writing `values` (SQL, one per column; null for a row that is NULL as a
whole) and `out` (text), `out64` or `tombstone`. Expected values are Flink's: bytes in base64;
FLOAT, decimals, times, keys of maps as text; nested rows as lists.

Cases of ClickHouse's formats (`ch_*.jsonl`) name their `format`, have ClickHouse's `types` in place
of `columns` and its settings as `options`; `schema` is `file:Message` of a file in `protobuf/`,
`skipped_bytes` is what the table drops of a message, `several` are the values of the rows of one
message. Their expected values are ClickHouse's.
"""

from __future__ import annotations

import base64
import datetime
import decimal
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import Row
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, StructType

from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionReader, OptionValue
from penstock.model.types import spark_schema_text
from penstock.sql.clickhouse.type_reader import type_of
from tests.formats.protobuf_schemas import told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import Column, DataFrame, SparkSession

pytestmark = pytest.mark.spark

_FOLDER = Path(__file__).parent
_BAD_MESSAGE = re.compile(
    r"PENSTOCK_BAD_MESSAGE topic=(?P<topic>\S+) partition=(?P<partition>\S+) "
    r"offset=(?P<offset>\S+) field=(?P<field>\S+) reason=(?P<reason>.*?) message=(?P<message>.*)"
)
# Spark leaves a projection of more columns than this uncompiled.
_CASES_PER_JOB = 90

Case = dict[str, Any]


@cache
def _cases(format_name: str) -> tuple[Case, ...]:
    lines = (_FOLDER / f"{format_name}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple({"format": format_name, **json.loads(line)} for line in lines)


def _named(*keys: str) -> list[Any]:
    cases = [case for file in sorted(_FOLDER.glob("*.jsonl")) for case in _cases(file.stem)]
    return [
        pytest.param(case, id=f"{case['format']}: {case['name']}")
        for case in cases
        if any(key in case for key in keys)
    ]


@dataclass(frozen=True)
class _Codec:
    """The functions of a case's format, with the type of its rows and what Java is told."""

    schema: StructType
    options: str
    decode: str
    encode: str


def _codec(case: Case) -> _Codec:
    if "types" not in case:
        name = f"penstock_{str(case['format']).replace('-', '_')}"
        schema = StructType.fromDDL(case["columns"])
        options = case.get("options", {})
        if "message" in case:
            options = told(case["message"], schema, options)
        return _Codec(schema, json.dumps(options), f"{name}_decode", f"{name}_encode")
    fields = tuple((name, type_of(text, name)) for name, text in case["types"].items())
    settings = [OptionValue(key, str(value)) for key, value in case.get("options", {}).items()]
    reader = OptionReader("t", settings)
    format_ = CLICKHOUSE_FORMATS[case["format"]].of_table(
        reader,
        case.get("skipped_bytes", 0),
        schema=case.get("schema", ""),
        folders=(str(_FOLDER / "protobuf"),),
    )
    reader.finish()
    schema = _open(spark_schema_text(fields))
    return _Codec(schema, json.dumps(format_.told(fields)), format_.DECODE, format_.ENCODE)


def _open(schema: str) -> StructType:
    """A schema whose arrays and maps may hold NULL: what a decoder gives can be cast to it."""
    return StructType.fromJson(
        json.loads(re.sub(r'"(containsNull|valueContainsNull)":false', r'"\1":true', schema))
    )


def _decode(case: Case, value: Column) -> Column:
    codec = _codec(case)
    schema = codec.schema
    for name, digits in case.get("digits", {}).items():
        schema[name].metadata = {"digits": digits}
    for field in StructType.fromDDL(case.get("hidden", "")).fields:
        schema = schema.add(f"__{field.name}", field.dataType, metadata={"hidden": field.name})
    return F.call_function(
        codec.decode,
        value,
        F.lit(schema.json()),
        F.lit(codec.options),
        F.lit("orders"),
        F.lit(3),
        F.lit(42).cast("bigint"),
    ).cast(ArrayType(_readable(schema)))


def _readable(schema: StructType) -> StructType:
    """Types whose values Python gives as they are: in no zone of the machine, FLOAT unrounded."""
    text = schema.json().replace('"timestamp"', '"timestamp_ntz"').replace('"float"', '"string"')
    return StructType.fromJson(json.loads(text))


def _message(case: Case) -> bytes | None:
    if case.get("null"):
        return None
    return base64.b64decode(case["base64"]) if "base64" in case else case["in"].encode()


def _encode(case: Case) -> Column:
    codec = _codec(case)
    if "several" in case:
        rows = F.array(*(_row(values, codec.schema) for values in case["several"]))
    else:
        rows = _row(case["values"], codec.schema)
    return F.call_function(codec.encode, rows, F.lit(codec.options))


def _row(values: list[str] | None, schema: StructType) -> Column:
    if values is None:
        return F.lit(None).cast(schema)
    pairs = zip(values, schema.fields, strict=True)
    return F.struct(*(F.expr(sql).cast(f.dataType).alias(f.name) for sql, f in pairs))


def _plain(value: Any) -> Any:
    if isinstance(value, Row | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value) if isinstance(value, decimal.Decimal) else value


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
    cases = [param.values[0] for param in _named("row", "rows", "skip")]
    return _results(spark, cases, lambda case: _decode(case, F.lit(_message(case)).cast("binary")))


@pytest.fixture(scope="module")
def encoded(spark: SparkSession, mode: str) -> Results:
    cases = [param.values[0] for param in _named("out", "out64", "tombstone")]
    return _results(spark, cases, _encode)


@pytest.mark.parametrize("case", _named("row", "rows", "skip"))
def test_decode(decoded: Results, case: Case) -> None:
    rows = decoded[case["format"] + case["name"]]
    expected = None if case.get("skip") else case.get("rows", [case.get("row")])
    assert _plain(rows) == expected


@pytest.mark.parametrize("case", _named("out", "out64", "tombstone"))
def test_encode(encoded: Results, case: Case) -> None:
    value = encoded[case["format"] + case["name"]]
    if case.get("tombstone"):
        assert value is None
    elif "out64" in case:
        assert bytes(value) == base64.b64decode(case["out64"])
    else:
        assert bytes(value).decode() == case["out"]


@pytest.mark.parametrize("case", _named("error"))
def test_decode_error(spark: SparkSession, case: Case) -> None:
    # A row of literals is evaluated while planning: hundreds of jobs less.
    facts = _failure(spark.sql("VALUES (1)"), case)
    assert (facts["topic"], facts["partition"], facts["offset"]) == ("orders", "3", "42")
    for key, part in case["error"].items():
        assert facts[key] == part if key == "field" else part in facts[key]


def _failure(rows: DataFrame, case: Case) -> dict[str, str]:
    with pytest.raises(Exception, match="PENSTOCK_BAD_MESSAGE") as caught:
        rows.select(_decode(case, F.lit(_message(case)).cast("binary"))).collect()
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
        spark.range(1).select(_decode(case, F.lit(b"")))
    with pytest.raises(Exception, match=re.escape(reason)):
        spark.range(1).select(_encode(case))


def test_a_filter_that_is_no_pattern(spark: SparkSession) -> None:
    case = {
        "format": "canal-json",
        "columns": "a INT",
        "hidden": "kind TINYINT",
        "options": {"table.include": "(a"},
    }
    reason = "'canal-json.table.include' = '(a' is no regular expression: Unclosed group"
    with pytest.raises(Exception, match=re.escape(reason)):
        spark.range(1).select(_decode(case, F.lit(b"")))


def test_message_is_decoded_once_for_filter_and_columns(spark: SparkSession) -> None:
    case = {"format": "json", "columns": "a INT, b INT"}
    messages = spark.range(1).select(F.expr("CAST('{}' AS BINARY)").alias("value"))
    rows = messages.select(F.explode(_decode(case, F.col("value"))).alias("row"))
    plan = rows.where("row.a > 1").select("row.*")._jdf.queryExecution().executedPlan().toString()
    assert plan.count("penstock_json_decode") == 1
