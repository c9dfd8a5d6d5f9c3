"""Messages that are too large or too deep to be kept in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from penstock.formats.canal_json import CanalJson
from penstock.formats.json import Json
from penstock.model.types import INT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.formats.base import Format

pytestmark = pytest.mark.spark

_TEN_MEGABYTES = 10 << 20
_LEVELS = 10_000


def _rows(
    spark: SparkSession, format_name: str, columns: str, message: bytes, options: str = "{}"
) -> Any:
    schema = F.lit(StructType.fromDDL(columns).json())
    rows = F.call_function(f"penstock_{format_name}_decode", F.col("value"), schema, F.lit(options))
    messages = spark.createDataFrame([(bytearray(message),)], "value BINARY")
    found = messages.select(rows).first()
    assert found is not None
    return found[0]


@pytest.mark.parametrize(
    ("columns", "opening", "closing"),
    [
        ("a STRING", b'{"a":' + b"[" * _LEVELS, b"]" * _LEVELS + b"}"),
        ("a STRING", b'{"a":' * _LEVELS, b"}" * _LEVELS),
        ("a INT", b'{"other":' + b"[" * _LEVELS, b"]" * _LEVELS + b"}"),
        ("a ARRAY<ARRAY<INT>>", b'{"a":' + b"[" * _LEVELS, b"]" * _LEVELS + b"}"),
        ("a INT", b"[" * _LEVELS, b"]" * _LEVELS),
    ],
)
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "cut off"])
def test_deep_json_is_an_error(
    spark: SparkSession, columns: str, opening: bytes, closing: bytes, whole: bool
) -> None:
    message = opening + (b"1" + closing if whole else b"")
    with pytest.raises(Exception, match="PENSTOCK_BAD_MESSAGE"):
        _rows(spark, "json", columns, message)
    assert _rows(spark, "json", columns, message, '{"ignore-parse-errors": "true"}') is None


def test_json_of_ten_megabytes(spark: SparkSession) -> None:
    text = "é" * (_TEN_MEGABYTES // 2)
    numbers = ",".join(map(str, range(200_000)))
    message = f'{{"skipped":"{text}","s":"{text}","n":[{numbers}],"last":1}}'.encode()
    (row,) = _rows(spark, "json", "s STRING, n ARRAY<INT>, last INT", message)
    assert (row.s, row.n, row.last) == (text, list(range(200_000)), 1)


@pytest.mark.parametrize(
    ("format_", "opening", "closing"),
    [(Json(), b"[", b"]"), (CanalJson(), b'{"type":"INSERT","data":[', b"]}")],
    ids=["array", "canal"],
)
def test_rows_of_ten_megabytes(
    spark: SparkSession, format_: Format, opening: bytes, closing: bytes
) -> None:
    """As many rows as a message of that size can have: none is larger than this one."""
    count = _TEN_MEGABYTES // len(b'{"n":1},')
    message = opening + b",".join([b'{"n":1}'] * count) + closing
    columns = "value BINARY, topic STRING, partition INT, offset BIGINT"
    messages = spark.createDataFrame([(bytearray(message), "t", 0, 0)], columns)
    rows = messages.select(F.explode(F.expr(format_.decode("value", (("n", INT),)))).alias("row"))
    assert rows.agg(F.count("*"), F.sum("row.n")).first() == (count, count)


def test_csv_of_ten_megabytes(spark: SparkSession) -> None:
    text = '"é\n' * (_TEN_MEGABYTES // 4)
    quoted = text.replace('"', '""')
    numbers = ";".join(map(str, range(200_000)))
    message = f'"{quoted}",{numbers},1'.encode()
    (row,) = _rows(spark, "csv", "s STRING, n ARRAY<INT>, last INT", message)
    assert (row.s, row.n, row.last) == (text, list(range(200_000)), 1)


def test_csv_of_ten_megabytes_without_its_last_quote(spark: SparkSession) -> None:
    with pytest.raises(Exception, match="Missing closing quote"):
        _rows(spark, "csv", "s STRING, n INT", b'"' + b"x," * (_TEN_MEGABYTES // 2))


def test_csv_of_a_million_fields(spark: SparkSession) -> None:
    with pytest.raises(Exception, match="Too many entries"):
        _rows(spark, "csv", "a INT, b INT", b"1," * 1_000_000)


def test_raw_of_ten_megabytes(spark: SparkSession) -> None:
    text = "é" * (_TEN_MEGABYTES // 2)
    (row,) = _rows(spark, "raw", "s STRING", text.encode())
    assert row.s == text


@pytest.mark.parametrize("digits", [400, 2_000, 1_000_000])
def test_long_number_is_read_or_refused_at_once(spark: SparkSession, digits: int) -> None:
    ignoring = '{"ignore-parse-errors": "true"}'
    columns = "a DECIMAL(38, 0), b INT"
    for format_name, message in (
        ("json", f'{{"a":{"9" * digits},"b":1}}'),
        ("json", f'{{"a":"{"9" * digits}","b":1}}'),
        ("csv", f"{'9' * digits},1"),
    ):
        found = _rows(spark, format_name, columns, message.encode(), ignoring)
        assert found is None or [tuple(row) for row in found] == [(None, 1)]


def test_error_does_not_repeat_a_long_value(spark: SparkSession) -> None:
    with pytest.raises(Exception, match=r'reason=not a valid INT: For input string: "9{100,300}…'):
        _rows(spark, "csv", "a INT, b INT", b"9" * 1_000_000 + b",1")
