"""Messages of ClickHouse's formats that are too large to be kept in a file.

Each has so many parts that work for each part over what is left of the message would take hours.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F

from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionReader
from penstock.model.types import spark_schema_text
from penstock.sql.clickhouse.type_reader import type_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

pytestmark = pytest.mark.spark

_BYTES = 10 << 20
_MILLION = 1_000_000
# A machine with other work takes seconds.
_LIMIT_S = 120


def _rows(
    spark: SparkSession, format_name: str, type_: str, message: bytes
) -> tuple[DataFrame, Column]:
    format_ = CLICKHOUSE_FORMATS[format_name].of_table(OptionReader("t", ()), 0)
    fields = (("a", type_of(type_, "a")),)
    messages = spark.createDataFrame([(bytearray(message),)], "value BINARY")
    schema, told = F.lit(spark_schema_text(fields)), F.lit(json.dumps(format_.told(fields)))
    return messages, F.call_function(format_.DECODE, F.col("value"), schema, told)


@pytest.mark.parametrize(
    ("format_name", "type_", "line", "last"),
    [
        ("CSV", "String", b'"x""y"\n', 'x"y'),
        ("CSV", "Array(String)", b"\"['x''y']\"\n", ["x'y"]),
        ("CSV", "Float64", b"-inf\n", float("-inf")),
        ("TSV", "String", b"x\\ty\n", "x\ty"),
        ("TSV", "Array(String)", b"['x\\'y']\n", ["x'y"]),
        ("JSONEachRow", "String", b'{"a":"x\\ny"}', "x\ny"),
        ("JSONEachRow", "UInt8", b'{"x\\ny":"z\\u0041"}', 0),
        ("JSONEachRow", "Float32", b'{"a":"inf"}', float("inf")),
    ],
)
def test_many_texts(
    spark: SparkSession, format_name: str, type_: str, line: bytes, last: object
) -> None:
    count = _BYTES // len(line)
    messages, rows = _rows(spark, format_name, type_, line * count)
    start = time.monotonic()
    found = messages.select(F.size(rows), F.element_at(rows, -1)["a"]).first()
    assert time.monotonic() - start < _LIMIT_S
    assert found is not None
    assert tuple(found) == (count, last)


@pytest.mark.parametrize("format_name", ["CSV", "TSV", "JSONEachRow"])
def test_a_text_of_ten_megabytes(spark: SparkSession, format_name: str) -> None:
    text = "é\"\\\n\t'" * (_BYTES // 7)
    written = {
        "CSV": '"' + text.replace('"', '""') + '"',
        "TSV": text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t"),
        "JSONEachRow": json.dumps({"a": text}),
    }
    messages, rows = _rows(spark, format_name, "String", written[format_name].encode())
    found = messages.select(rows).first()
    assert found is not None
    assert [row["a"] for row in found[0]] == [text]


def test_a_header_of_many_names(spark: SparkSession) -> None:
    names = b",".join(b'"n%d"' % i for i in range(_MILLION))
    values = b",".join([b"1"] * _MILLION)
    messages, rows = _rows(spark, "CSVWithNames", "UInt8", names + b',"a"\n' + values + b",2\n")
    found = messages.select(rows).first()
    assert found is not None
    assert [row["a"] for row in found[0]] == [2]


@pytest.mark.parametrize(
    ("type_", "number", "value"),
    [
        ("Decimal(38, 10)", "0." + "9" * _MILLION, "0.9999999999"),
        ("Decimal(38, 10)", "0" * _MILLION + "1.5", "1.5000000000"),
        ("Decimal(9, 2)", "0." + "0" * _MILLION + "1e5", "0.00"),
        ("Float64", "1" * _MILLION, "Infinity"),
        ("UInt8", "1" + "0" * _MILLION, "0"),
    ],
)
def test_a_number_of_a_million_digits(
    spark: SparkSession, type_: str, number: str, value: str
) -> None:
    messages, rows = _rows(spark, "CSV", type_, number.encode())
    start = time.monotonic()
    found = messages.select(F.element_at(rows, -1)["a"].cast("string")).first()
    assert time.monotonic() - start < _LIMIT_S
    assert found is not None
    assert found[0] == value


def test_a_number_of_too_many_digits(spark: SparkSession) -> None:
    messages, rows = _rows(spark, "CSV", "Decimal(38, 10)", b"9" * _MILLION)
    with pytest.raises(Exception, match=r"Too many digits \(39 > 38\) in decimal value"):
        messages.select(rows).collect()


def test_a_block_of_avro_that_says_to_be_huge(spark: SparkSession) -> None:
    schema = b'{"type":"record","name":"r","fields":[{"name":"a","type":"int"}]}'
    length = bytes([len(schema) * 2 & 0x7F | 0x80, len(schema) * 2 >> 7])
    head = b"Obj\1\2\x16avro.schema" + length + schema + b"\0" + b"s" * 16
    messages, rows = _rows(spark, "Avro", "UInt8", head + b"\2\xfe\xff\xff\xff\x0f")
    with pytest.raises(Exception, match="the message ends before it: 2147483647 bytes"):
        messages.select(rows).collect()
