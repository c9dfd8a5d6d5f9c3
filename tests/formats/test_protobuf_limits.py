"""Messages of Protobuf that are large, deep, or cannot be written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from tests.formats.protobuf_schemas import message_class, told

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

_MEGABYTE = 1 << 20


def _decoded(spark: SparkSession, message: str, columns: str, content: bytes) -> Any:
    schema = StructType.fromDDL(columns)
    options = F.lit(json.dumps(told(message, schema, {})))
    value = F.col("value")
    row = F.call_function("penstock_protobuf_decode", value, F.lit(schema.json()), options)
    return spark.createDataFrame([(bytearray(content),)], "value BINARY").select(row[0]).first()[0]


def _encoded(spark: SparkSession, message: str, columns: str, *values: str) -> bytes:
    schema = StructType.fromDDL(columns)
    options = F.lit(json.dumps(told(message, schema, {})))
    pairs = zip(values, schema.fields, strict=True)
    row = F.struct(*(F.expr(sql).cast(f.dataType).alias(f.name) for sql, f in pairs))
    encoded = F.call_function("penstock_protobuf_encode", row, options)
    return bytes(spark.range(1).select(encoded).first()[0])


def test_message_of_ten_megabytes(spark: SparkSession) -> None:
    message = message_class("two.Everything")(str="é" * (5 * _MEGABYTE), packed=range(1_000_000))
    columns = "str STRING, packed ARRAY<INT>"
    content = message.SerializeToString()
    assert len(content) > 12 * _MEGABYTE
    row = _decoded(spark, "two.Everything", columns, content)
    assert (row.str, row.packed) == (message.str, list(range(1_000_000)))


def test_message_of_ten_megabytes_is_written(spark: SparkSession) -> None:
    columns = "inner STRUCT<b: STRING>, packed ARRAY<INT>"
    text = f"named_struct('b', repeat('x', {10 * _MEGABYTE}))"
    content = _encoded(spark, "two.Everything", columns, text, "sequence(0, 99999)")
    message = message_class("two.Everything").FromString(content)
    assert message.inner.b == "x" * (10 * _MEGABYTE)
    assert list(message.packed) == list(range(100_000))


def _tree(levels: int) -> bytes:
    content = b""
    for _ in range(levels):
        length = len(content)
        size = bytearray()
        while length > 127:
            size.append(length & 127 | 128)
            length >>= 7
        content = b"\x12" + bytes([*size, length]) + content
    return content


def test_messages_below_the_columns_are_skipped_however_deep(spark: SparkSession) -> None:
    columns = "value INT, branches ARRAY<STRUCT<value: INT>>"
    row = _decoded(spark, "two.Tree", columns, b"\x08\x01" + _tree(10_000))
    assert row.value == 1
    assert [branch.value for branch in row.branches] == [None]


def test_groups_ten_thousand_deep_are_an_error(spark: SparkSession) -> None:
    with pytest.raises(Exception, match="nested more than 100 deep"):
        _decoded(spark, "two.Tree", "value INT", b"\x1b" * 10_000 + b"\x1c" * 10_000)


@pytest.mark.parametrize(
    ("columns", "values", "field"),
    [
        ("id INT, name STRING", ["1", "NULL"], "-"),
        ("id INT", ["1"], "-"),
        (
            "id INT, name STRING, next STRUCT<id: INT, name: STRING>",
            ["1", "'a'", "named_struct('id', 2, 'name', NULL)"],
            "next",
        ),
    ],
)
def test_row_without_a_required_field_is_not_written(
    spark: SparkSession, columns: str, values: list[str], field: str
) -> None:
    reason = f"PENSTOCK_BAD_ROW field={field} reason=Message missing required fields: name"
    with pytest.raises(Exception, match=reason):
        _encoded(spark, "two.Strict", columns, *values)
