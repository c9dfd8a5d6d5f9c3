"""ClickHouse's types: their names, their Spark types, their default values."""

from __future__ import annotations

import pytest

from penstock.errors import SqlError
from penstock.sql.clickhouse.numbers import UINT8, UINT64
from penstock.sql.clickhouse.type_reader import type_of
from penstock.sql.clickhouse.types import default_sql, type_name
from penstock.sql.functions.clickhouse.states import state_type

# as written, as toTypeName gives it, Spark's type, the default value
_TYPES = [
    ("UInt8", "UInt8", "SMALLINT", "0S"),
    ("UInt16", "UInt16", "INT", "0"),
    ("UInt32", "UInt32", "BIGINT", "0L"),
    ("UInt64", "UInt64", "DECIMAL(20, 0)", "CAST(0 AS DECIMAL(20, 0))"),
    ("Int8", "Int8", "TINYINT", "0Y"),
    ("Int64", "Int64", "BIGINT", "0L"),
    ("Float32", "Float32", "FLOAT", "0F"),
    ("String", "String", "STRING", "''"),
    ("varchar(255)", "String", "STRING", "''"),
    ("INT UNSIGNED", "UInt32", "BIGINT", "0L"),
    ("double precision", "Float64", "DOUBLE", "0D"),
    ("FixedString(2)", "FixedString(2)", "STRING", "repeat('\\0', 2)"),
    ("Nullable(String)", "Nullable(String)", "STRING", "CAST(NULL AS STRING)"),
    ("LowCardinality(Nullable(String))", "Nullable(String)", "STRING", "CAST(NULL AS STRING)"),
    ("Date", "Date", "DATE", "DATE'1970-01-01'"),
    ("Date32", "Date32", "DATE", "DATE'1900-01-01'"),
    ("DateTime", "DateTime", "TIMESTAMP", "timestamp_seconds(0)"),
    ("DateTime('Asia/Tokyo')", "DateTime('Asia/Tokyo')", "TIMESTAMP", "timestamp_seconds(0)"),
    ("DateTime64(3, 'UTC')", "DateTime64(3, 'UTC')", "TIMESTAMP", "timestamp_seconds(0)"),
    ("Decimal(10, 2)", "Decimal(10, 2)", "DECIMAL(10, 2)", "CAST(0 AS DECIMAL(10, 2))"),
    ("Decimal64(4)", "Decimal(18, 4)", "DECIMAL(18, 4)", "CAST(0 AS DECIMAL(18, 4))"),
    ("Bool", "Bool", "BOOLEAN", "FALSE"),
    ("Enum('b', 'a')", "Enum8('b' = 1, 'a' = 2)", "STRING", "'b'"),
    ("Enum('b' = 5, 'a' = -1)", "Enum8('a' = -1, 'b' = 5)", "STRING", "'a'"),
    ("Enum('x' = 1000)", "Enum16('x' = 1000)", "STRING", "'x'"),
    ("UUID", "UUID", "STRING", "'00000000-0000-0000-0000-000000000000'"),
    ("IPv4", "IPv4", "STRING", "'0.0.0.0'"),
    ("Array(Array(UInt8))", "Array(Array(UInt8))", "ARRAY<ARRAY<SMALLINT>>", None),
    ("Map(String, UInt64)", "Map(String, UInt64)", "MAP<STRING, DECIMAL(20, 0)>", None),
    (
        "Tuple(a UInt8, b String)",
        "Tuple(a UInt8, b String)",
        "STRUCT<`a`: SMALLINT, `b`: STRING>",
        "named_struct('a', 0S, 'b', '')",
    ),
    ("Tuple(UInt8)", "Tuple(UInt8)", "STRUCT<`1`: SMALLINT>", "named_struct('1', 0S)"),
    (
        "SimpleAggregateFunction(sum, UInt64)",
        "SimpleAggregateFunction(sum, UInt64)",
        "DECIMAL(20, 0)",
        None,
    ),
    (
        "AggregateFunction(avg, UInt64)",
        "AggregateFunction(avg, UInt64)",
        "STRUCT<`s`: DOUBLE, `c`: BIGINT>",
        None,
    ),
]


@pytest.mark.parametrize(("written", "name", "spark", "default"), _TYPES, ids=lambda v: str(v))
def test_names_and_values(written: str, name: str, spark: str, default: str | None) -> None:
    type_ = type_of(written, "c")
    assert type_name(type_) == name
    assert type_.spark_sql() == spark
    if default is not None:
        assert default_sql(type_) == default


def test_a_state_of_count_takes_a_value_and_a_condition() -> None:
    assert state_type("countIf", (UINT64, UINT8)) is not None
    assert state_type("countIf", (UINT64, UINT64)) is None


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("Int256", "38 digits"),
        ("JSON", "String"),
        ("AggregateFunction(median, UInt64)", "groupArray"),
        ("AggregateFunction(quantiles(0.5, 0.9), UInt64)", "groupArray"),
        ("AggregateFunction(topK(2), UInt64)", "groupArray"),
        ("AggregateFunction(corr, UInt64, UInt64)", "States"),
        ("AggregateFunction(countIf, String)", "with and without -If"),
        ("AggregateFunction(sum, Nullable(UInt64))", "Nullable"),
        ("SimpleAggregateFunction(avg, UInt64)", "Supported"),
        ("SimpleAggregateFunction(sum, UInt8)", "sumWithOverflow keeps the type"),
        ("SimpleAggregateFunction(sum, Decimal(9, 2))", "Decimal(38, s)"),
        ("SimpleAggregateFunction(groupBitOr, String)", "takes numbers"),
        ("SimpleAggregateFunction(groupArrayArray, UInt8)", "takes an Array"),
        ("Enum8('a' = 200)", "-128 and 127"),
        ("Enum('a' = 1, 'a' = 2)", "twice"),
        ("Enum('a' = 1, 'b' = 1)", "twice"),
        ("Nullable(Array(UInt8))", "cannot be Nullable"),
        ("DateTime64(9)", "microseconds"),
        ("DateTime('Nowhere/X')", "no time zone"),
        ("Decimal(50, 2)", "1 <= P <= 38"),
        ("FixedString(0)", "N > 0"),
        ("Array(UInt8, String)", "1 type"),
        ("Tuple(a UInt8, String)", "all fields"),
        ("Foo", "Foo"),
    ],
)
def test_refused_with_a_reason(written: str, says: str) -> None:
    with pytest.raises(SqlError) as caught:
        type_of(written, "c")
    assert says in str(caught.value)
    assert caught.value.span is not None
