"""Random rows through the `json` format and Python's own library, in both directions."""

from __future__ import annotations

import base64
import datetime
import decimal
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


def _values(type_: T.DataType) -> st.SearchStrategy[Any]:
    if isinstance(type_, T.StructType):
        found = st.tuples(*(_values(field.dataType) for field in type_.fields))
    elif isinstance(type_, T.ArrayType):
        found = st.lists(_values(type_.elementType), max_size=3)
    elif isinstance(type_, T.MapType):
        found = st.dictionaries(TEXTS, _values(type_.valueType), max_size=3)
    else:
        found = SCALARS[type_]
    return st.none() | found


def _tables() -> st.SearchStrategy[tuple[T.StructType, list[Any]]]:
    def rows(schema: T.StructType) -> st.SearchStrategy[tuple[T.StructType, list[Any]]]:
        row = st.tuples(*(_values(field.dataType) for field in schema.fields))
        return st.tuples(st.just(schema), st.lists(row, min_size=ROWS, max_size=ROWS))

    return schemas(nested=True).flatmap(rows)


def _decoded(schema: T.StructType, value: Column) -> Column:
    rows = F.call_function("penstock_json_decode", value, F.lit(schema.json()), F.lit("{}"))
    return rows.cast(readable(schema))[0]


def _tree(value: Any, type_: T.DataType) -> Any:
    """What the library must see, or is given to write."""
    if value is None:
        return None
    if isinstance(type_, T.StructType):
        pairs = zip(type_.fields, value, strict=True)
        return {field.name: _tree(item, field.dataType) for field, item in pairs}
    if isinstance(type_, T.ArrayType):
        return [_tree(item, type_.elementType) for item in value]
    if isinstance(type_, T.MapType):
        return {key: _tree(item, type_.valueType) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
    return _scalar(value, type_)


def _scalar(value: Any, type_: T.DataType) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.datetime):
        return seconds_text(value) + ("Z" if isinstance(type_, T.TimestampType) else "")
    return value.isoformat() if isinstance(value, datetime.date) else value


def _same(found: Any, expected: Any, type_: T.DataType) -> bool:
    """Whether the library reads the value that was written; numbers by what they stand for."""
    if isinstance(type_, T.StructType) and expected is not None:
        assert list(found) == list(expected)
        types = [field.dataType for field in type_.fields]
        return all(map(_same, found.values(), expected.values(), types))
    if isinstance(type_, T.ArrayType | T.MapType) and expected is not None:
        inner = type_.elementType if isinstance(type_, T.ArrayType) else type_.valueType
        if isinstance(expected, dict):
            assert found.keys() == expected.keys()
            return all(_same(found[key], expected[key], inner) for key in expected)
        return all(_same(f, e, inner) for f, e in zip(found, expected, strict=True))
    if isinstance(expected, float):
        form = ">f" if isinstance(type_, T.FloatType) else ">d"
        return struct.pack(form, float(found)) == struct.pack(form, expected)
    return bool(found == expected and isinstance(found, bool) == isinstance(expected, bool))


def test_library_and_ours_read_what_ours_writes(spark: SparkSession) -> None:
    @examples
    @given(_tables())
    def check(table: tuple[T.StructType, list[Any]]) -> None:
        schema, rows = table
        written = F.call_function("penstock_json_encode", F.col("row"), F.lit("{}"))
        both = (
            frame(spark, schema, rows)
            .select(written.alias("text"))
            .select("text", _decoded(schema, F.col("text")))
        )
        for row, (text, again) in zip(rows, both.collect(), strict=True):
            tree = json.loads(bytes(text), parse_float=decimal.Decimal)
            assert _same(tree, _tree(row, schema), schema), bytes(text)
            assert plain(again) == plain(row), bytes(text)

    check()


def _spelled(chance: Any, tree: Any) -> bytes:
    """Another spelling of the same object: escapes, blanks, the order of fields."""
    if chance.random() < 0.5:
        tree = dict(chance.sample(list(tree.items()), len(tree)))
    options = {"ensure_ascii": chance.random() < 0.5, "indent": chance.choice([None, 1, "\t"])}
    return json.dumps(tree, default=str, **options).encode()


def test_ours_reads_what_the_library_writes(spark: SparkSession) -> None:
    @examples
    @given(_tables(), st.randoms(use_true_random=False))
    def check(table: tuple[T.StructType, list[Any]], chance: Any) -> None:
        schema, rows = table
        texts = [(_spelled(chance, _tree(row, schema)),) for row in rows]
        messages = spark.createDataFrame(texts, "value BINARY").coalesce(1)
        found = messages.select(_decoded(schema, F.col("value"))).collect()
        for row, (read,), (text,) in zip(rows, found, texts, strict=True):
            assert plain(read) == plain(row), text

    check()
