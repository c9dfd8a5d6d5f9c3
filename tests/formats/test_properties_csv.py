"""Random rows through the `csv` format and Python's own library, in both directions."""

from __future__ import annotations

import base64
import csv
import datetime
import decimal
import io
import json
import math
import struct
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import functions as F
from pyspark.sql import types as T

from tests.formats.random_rows import (
    ROWS,
    SCALARS,
    TEXTS,
    examples,
    frame,
    plain,
    readable,
    schemas,
    seconds_text,
)

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

pytestmark = pytest.mark.spark

_NULL = "∅"
_ELEMENT = ";"
_MARK = "\ufeff"
_DIALECTS = (
    {},
    {"field-delimiter": "|"},
    {"field-delimiter": "\t", "quote-character": "'"},
)


def _texts(*, inside: bool) -> st.SearchStrategy[str]:
    """Without what the format takes for something else: the NULL, and blanks for no element."""
    banned = (_NULL, _ELEMENT, _MARK) if inside else (_NULL, _MARK)
    found = TEXTS.filter(lambda text: not any(mark in text for mark in banned))
    return found.filter(lambda text: text.strip(" ") != "") if inside else found


def _values(type_: T.DataType, *, inside: bool = False) -> st.SearchStrategy[Any]:
    if isinstance(type_, T.StructType):
        return st.tuples(*(_values(field.dataType, inside=True) for field in type_.fields))
    if isinstance(type_, T.ArrayType):
        return st.lists(_values(type_.elementType, inside=True), min_size=1, max_size=4)
    if isinstance(type_, T.StringType):
        return st.none() | _texts(inside=inside)
    if isinstance(type_, T.BinaryType) and inside:
        return st.none() | st.binary(min_size=1, max_size=20)
    return st.none() | SCALARS[type_]


def _tables() -> st.SearchStrategy[tuple[T.StructType, list[Any]]]:
    def rows(schema: T.StructType) -> st.SearchStrategy[tuple[T.StructType, list[Any]]]:
        row = st.tuples(*(_values(field.dataType) for field in schema.fields))
        return st.tuples(st.just(schema), st.lists(row, min_size=ROWS, max_size=ROWS))

    return schemas(nested=False).flatmap(rows)


def _options(dialect: dict[str, str]) -> Column:
    return F.lit(json.dumps({**dialect, "null-literal": _NULL}))


def _decoded(schema: T.StructType, value: Column, dialect: dict[str, str]) -> Column:
    options = _options(dialect)
    rows = F.call_function("penstock_csv_decode", value, F.lit(schema.json()), options)
    return rows.cast(readable(schema))[0]


def _python(dialect: dict[str, str]) -> dict[str, Any]:
    return {
        "delimiter": dialect.get("field-delimiter", ","),
        "quotechar": dialect.get("quote-character", '"'),
    }


def _text(value: Any, type_: T.DataType) -> str:
    """The text of a field; of numbers, one of several."""
    if value is None:
        return _NULL
    if isinstance(type_, T.StructType):
        types = [field.dataType for field in type_.fields]
        return _ELEMENT.join(map(_text, value, types))
    if isinstance(type_, T.ArrayType):
        return _ELEMENT.join(_text(item, type_.elementType) for item in value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
    if isinstance(value, datetime.datetime):
        return seconds_text(value) + ("Z" if isinstance(type_, T.TimestampType) else "")
    return str(value)


def _same(found: str, expected: Any, type_: T.DataType) -> bool:
    """Whether a field has the text of a value; numbers by what they stand for."""
    if isinstance(type_, T.StructType | T.ArrayType):
        parts = found.split(_ELEMENT)
        inner = (
            [field.dataType for field in type_.fields]
            if isinstance(type_, T.StructType)
            else [type_.elementType] * len(expected)
        )
        return all(_same(*three) for three in zip(parts, expected, inner, strict=True))
    if isinstance(expected, float) and math.isfinite(expected):
        form = ">f" if isinstance(type_, T.FloatType) else ">d"
        return struct.pack(form, float(found)) == struct.pack(form, expected)
    if isinstance(expected, decimal.Decimal):
        return decimal.Decimal(found) == expected
    return found == _text(expected, type_)


@pytest.mark.parametrize("dialect", _DIALECTS, ids=str)
def test_library_and_ours_read_what_ours_writes(
    spark: SparkSession, dialect: dict[str, str]
) -> None:
    @examples
    @given(_tables())
    def check(table: tuple[T.StructType, list[Any]]) -> None:
        schema, rows = table
        written = F.call_function("penstock_csv_encode", F.col("row"), _options(dialect))
        lines = frame(spark, schema, rows).select(written.alias("line"))
        both = lines.select("line", _decoded(schema, F.col("line"), dialect)).collect()
        types = [field.dataType for field in schema.fields]
        for row, (line, again) in zip(rows, both, strict=True):
            text = io.StringIO(bytes(line).decode(), newline="")
            (fields,) = csv.reader(text, strict=True, **_python(dialect))
            assert all(_same(*three) for three in zip(fields, row, types, strict=True)), line
            assert plain(again) == plain(row), line

    check()


@pytest.mark.parametrize("dialect", _DIALECTS, ids=str)
def test_ours_reads_what_the_library_writes(spark: SparkSession, dialect: dict[str, str]) -> None:
    @examples
    @given(_tables(), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    def check(table: tuple[T.StructType, list[Any]], quoting: int) -> None:
        schema, rows = table
        types = [field.dataType for field in schema.fields]
        lines = []
        for row in rows:
            out = io.StringIO(newline="")
            writer = csv.writer(out, quoting=quoting, lineterminator="", **_python(dialect))
            writer.writerow(map(_text, row, types))
            lines.append((out.getvalue().encode(),))
        messages = spark.createDataFrame(lines, "value BINARY").coalesce(1)
        found = messages.select(_decoded(schema, F.col("value"), dialect)).collect()
        for row, (read,), (line,) in zip(rows, found, lines, strict=True):
            assert plain(read) == plain(row), line

    check()
