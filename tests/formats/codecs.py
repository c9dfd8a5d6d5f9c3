"""The cases of `*.jsonl` for the functions that read and write messages; one line is one case.

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
    from pyspark.sql import Column

_FOLDER = Path(__file__).parent
Case = dict[str, Any]


@cache
def cases_of(format_name: str) -> tuple[Case, ...]:
    lines = (_FOLDER / f"{format_name}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple({"format": format_name, **json.loads(line)} for line in lines)


def named(*keys: str) -> list[Any]:
    cases = [case for file in sorted(_FOLDER.glob("*.jsonl")) for case in cases_of(file.stem)]
    return [
        pytest.param(case, id=f"{case['format']}: {case['name']}")
        for case in cases
        if any(key in case for key in keys)
    ]


@dataclass(frozen=True)
class Codec:
    """The functions of a case's format, with the type of its rows and what Java is told."""

    schema: StructType
    options: str
    decode: str
    encode: str


def codec_of(case: Case) -> Codec:
    if "types" not in case:
        name = f"penstock_{str(case['format']).replace('-', '_')}"
        schema = StructType.fromDDL(case["columns"])
        options = case.get("options", {})
        if "message" in case:
            options = told(case["message"], schema, options)
        return Codec(schema, json.dumps(options), f"{name}_decode", f"{name}_encode")
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
    return Codec(schema, json.dumps(format_.told(fields)), format_.DECODE, format_.ENCODE)


def _open(schema: str) -> StructType:
    """A schema whose arrays and maps may hold NULL: what a decoder gives can be cast to it."""
    return StructType.fromJson(
        json.loads(re.sub(r'"(containsNull|valueContainsNull)":false', r'"\1":true', schema))
    )


def decode(case: Case, value: Column) -> Column:
    codec = codec_of(case)
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


def message_of(case: Case) -> bytes | None:
    if case.get("null"):
        return None
    return base64.b64decode(case["base64"]) if "base64" in case else case["in"].encode()


def encode(case: Case) -> Column:
    codec = codec_of(case)
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


def plain(value: Any) -> Any:
    if isinstance(value, Row | list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value) if isinstance(value, decimal.Decimal) else value
