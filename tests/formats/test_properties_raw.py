"""Random values through the `raw` format and Python's own conversions, in both directions."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import functions as F
from pyspark.sql import types as T

from tests.formats.random_rows import SCALARS, examples, frame, plain

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

pytestmark = pytest.mark.spark

_SIZES = {T.ByteType(): 1, T.ShortType(): 2, T.IntegerType(): 4, T.LongType(): 8}
_FORMS = {T.FloatType(): "f", T.DoubleType(): "d"}
_CHARSETS = {"UTF-8": "utf-8", "UTF-16LE": "utf-16-le", "UTF-16BE": "utf-16-be"}
_ROWS = 30  # of so many columns; Hypothesis gives up on larger examples
# column → its type and options
_COLUMNS: dict[str, tuple[T.DataType, dict[str, str]]] = {
    **{
        f"{type_.typeName()} {order}": (type_, {"endianness": order})
        for type_ in (*_SIZES, *_FORMS, T.BooleanType())
        for order in ("big-endian", "little-endian")
    },
    **{f"string {name}": (T.StringType(), {"charset": name}) for name in _CHARSETS},
    "binary": (T.BinaryType(), {}),
}
_SCHEMA = T.StructType([T.StructField(name, type_) for name, (type_, _) in _COLUMNS.items()])


def _rows() -> st.SearchStrategy[list[Any]]:
    row = st.tuples(*(st.none() | SCALARS[type_] for type_, _ in _COLUMNS.values()))
    return st.lists(row, min_size=_ROWS, max_size=_ROWS)


def _bytes(value: Any, name: str) -> bytes | None:
    """The bytes that a value must have."""
    type_, options = _COLUMNS[name]
    little = options.get("endianness") == "little-endian"
    if value is None or isinstance(value, bytes):
        return value
    if type_ in _SIZES:
        return int(value).to_bytes(_SIZES[type_], "little" if little else "big", signed=True)
    if type_ in _FORMS:
        return struct.pack(("<" if little else ">") + _FORMS[type_], value)
    if isinstance(value, bool):
        return bytes([value])
    return str(value).encode(_CHARSETS[options["charset"]])


def _options(name: str) -> Column:
    return F.lit(json.dumps(_COLUMNS[name][1]))


def _decoded(name: str, value: Column) -> Column:
    schema = T.StructType([T.StructField("v", _COLUMNS[name][0])])
    rows = F.call_function("penstock_raw_decode", value, F.lit(schema.json()), _options(name))
    return rows[0]["v"]


def test_python_and_ours_read_what_ours_writes(spark: SparkSession) -> None:
    @examples
    @given(_rows())
    def check(rows: list[Any]) -> None:
        written = [
            F.call_function("penstock_raw_encode", F.struct(F.col("row")[name]), _options(name))
            for name in _COLUMNS
        ]
        again = [_decoded(name, value) for name, value in zip(_COLUMNS, written, strict=True)]
        found = frame(spark, _SCHEMA, rows).select(F.struct(*written), F.struct(*again)).collect()
        for row, (texts, read) in zip(rows, found, strict=True):
            expected = list(map(_bytes, row, _COLUMNS))
            assert _without_nan(plain(texts)) == _without_nan(expected)
            assert plain(read) == plain(row)

    check()


def test_ours_reads_what_python_writes(spark: SparkSession) -> None:
    @examples
    @given(_rows())
    def check(rows: list[Any]) -> None:
        schema = T.StructType([T.StructField(name, T.BinaryType()) for name in _COLUMNS])
        texts = [tuple(map(_bytes, row, _COLUMNS)) for row in rows]
        messages = spark.createDataFrame(texts, schema)
        read = [_decoded(name, F.col(name)) for name in _COLUMNS]
        for row, found in zip(rows, messages.coalesce(1).select(*read).collect(), strict=True):
            assert plain(found) == plain(row)

    check()


def _without_nan(row: list[Any]) -> list[Any]:
    """There are many, and Java need not keep the bits of each."""
    return [
        None if value is not None and _is_nan(value, name) else value
        for value, name in zip(row, _COLUMNS, strict=True)
    ]


def _is_nan(value: bytes, name: str) -> bool:
    type_, options = _COLUMNS[name]
    if type_ not in _FORMS:
        return False
    order = "<" if options["endianness"] == "little-endian" else ">"
    number = struct.unpack(order + _FORMS[type_], value)[0]
    return bool(number != number)
