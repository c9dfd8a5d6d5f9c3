"""Flink's types as a script writes them: what they mean, and which are refused, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.errors import SqlError
from penstock.sql.parse import parse
from penstock.sql.statements import CreateTable, Mistake

if TYPE_CHECKING:
    from penstock.model.types import DataType

_BEFORE = "CREATE TABLE t (\n  x "

# as written → Flink's name, Spark's name
_TYPES = [
    ("BOOLEAN", "BOOLEAN", "BOOLEAN"),
    ("INTEGER", "INT", "INT"),
    ("INT NOT NULL", "INT NOT NULL", "INT"),
    ("INT NULL", "INT", "INT"),
    ("DOUBLE PRECISION", "DOUBLE", "DOUBLE"),
    ("DEC(5, 2)", "DECIMAL(5, 2)", "DECIMAL(5, 2)"),
    ("NUMERIC(5)", "DECIMAL(5, 0)", "DECIMAL(5, 0)"),
    ("NUMERIC", "DECIMAL(10, 0)", "DECIMAL(10, 0)"),
    ("DECIMAL(38, 38)", "DECIMAL(38, 38)", "DECIMAL(38, 38)"),
    ("CHAR", "CHAR(1)", "STRING"),
    ("CHARACTER(3)", "CHAR(3)", "STRING"),
    ("CHARACTER VARYING(5)", "VARCHAR(5)", "STRING"),
    ("VARCHAR", "STRING", "STRING"),
    ("VARCHAR(2147483647)", "STRING", "STRING"),
    ("STRING", "STRING", "STRING"),
    ("BINARY(4)", "BINARY(4)", "BINARY"),
    ("BINARY VARYING(4)", "VARBINARY(4)", "BINARY"),
    ("VARBINARY", "BYTES", "BINARY"),
    ("BYTES", "BYTES", "BINARY"),
    ("DATE", "DATE", "DATE"),
    ("TIME", "TIME(0)", "TIME(6)"),
    ("TIME(3) WITHOUT TIME ZONE", "TIME(3)", "TIME(6)"),
    ("TIME(9)", "TIME(9)", "TIME(6)"),
    ("TIMESTAMP", "TIMESTAMP(6)", "TIMESTAMP_NTZ"),
    ("TIMESTAMP(0)", "TIMESTAMP(0)", "TIMESTAMP_NTZ"),
    ("TIMESTAMP(3) WITHOUT TIME ZONE", "TIMESTAMP(3)", "TIMESTAMP_NTZ"),
    ("TIMESTAMP WITH LOCAL TIME ZONE", "TIMESTAMP_LTZ(6)", "TIMESTAMP"),
    ("TIMESTAMP(3) WITH LOCAL TIME ZONE", "TIMESTAMP_LTZ(3)", "TIMESTAMP"),
    ("TIMESTAMP_LTZ(3)", "TIMESTAMP_LTZ(3)", "TIMESTAMP"),
    ("INTERVAL YEAR", "INTERVAL YEAR TO MONTH", "INT"),
    ("INTERVAL YEAR(4) TO MONTH", "INTERVAL YEAR TO MONTH", "INT"),
    ("INTERVAL DAY(3) TO SECOND(3)", "INTERVAL DAY TO SECOND", "BIGINT"),
    ("INTERVAL HOUR TO MINUTE", "INTERVAL DAY TO SECOND", "BIGINT"),
    ("ARRAY<INT NOT NULL>", "ARRAY<INT NOT NULL>", "ARRAY<INT>"),
    ("INT ARRAY", "ARRAY<INT>", "ARRAY<INT>"),
    ("INT NOT NULL ARRAY NOT NULL", "ARRAY<INT NOT NULL> NOT NULL", "ARRAY<INT>"),
    ("TIME(3) ARRAY ARRAY", "ARRAY<ARRAY<TIME(3)>>", "ARRAY<ARRAY<TIME(6)>>"),
    ("MULTISET<STRING>", "MULTISET<STRING>", "MAP<STRING, INT>"),
    ("STRING MULTISET", "MULTISET<STRING>", "MAP<STRING, INT>"),
    ("MAP<STRING, ARRAY<INT>>", "MAP<STRING, ARRAY<INT>>", "MAP<STRING, ARRAY<INT>>"),
    ("ROW<a INT, `b c` STRING>", "ROW<`a` INT, `b c` STRING>", "STRUCT<`a`: INT, `b c`: STRING>"),
    ("ROW(a INT, b STRING)", "ROW<`a` INT, `b` STRING>", "STRUCT<`a`: INT, `b`: STRING>"),
    ("ROW<a INT COMMENT 'it''s', b INT>", "ROW<`a` INT, `b` INT>", "STRUCT<`a`: INT, `b`: INT>"),
    (
        "ROW<t TIME(3), r ROW<n INT>> ARRAY",
        "ARRAY<ROW<`t` TIME(3), `r` ROW<`n` INT>>>",
        "ARRAY<STRUCT<`t`: TIME(6), `r`: STRUCT<`n`: INT>>>",
    ),
    (
        "ROW<date DATE, `time` TIME>",
        "ROW<`date` DATE, `time` TIME(0)>",
        "STRUCT<`date`: DATE, `time`: TIME(6)>",
    ),
]

# as written → part of the message
_REFUSED = [
    ("CHAR(0)", "CHAR(n) needs 1 <= n"),
    ("VARCHAR(0)", "VARCHAR(n) needs 1 <= n"),
    ("BINARY(0)", "BINARY(n) needs 1 <= n"),
    ("VARCHAR(2147483648)", "n <= 2147483647"),
    ("STRING(3)", "no length or precision"),
    ("INT(3)", "no length or precision"),
    ("DECIMAL(39, 0)", "1 <= p <= 38"),
    ("DECIMAL(0)", "1 <= p <= 38"),
    ("DECIMAL(5, 6)", "s <= p"),
    ("DECIMAL(5, 2, 1)", "not supported"),
    ("TIME(10)", "TIME(p) needs 0 <= p <= 9"),
    ("TIMESTAMP(10)", "TIMESTAMP(p) needs 0 <= p <= 9"),
    ("TIMESTAMP(9)", "Spark keeps microseconds: use TIMESTAMP(6)"),
    ("TIMESTAMP_LTZ(7)", "Spark keeps microseconds: use TIMESTAMP_LTZ(6)"),
    ("TIMESTAMP(9) WITH LOCAL TIME ZONE", "use TIMESTAMP_LTZ(6)"),
    ("ARRAY<TIMESTAMP(9)>", "use TIMESTAMP(6)"),
    ("TIMESTAMP(3) WITH TIME ZONE", "Use TIMESTAMP_LTZ"),
    ("RAW('java.lang.String', 'AAA')", "use BYTES"),
    ("STRUCTURED<'com.example.User', a INT>", "use ROW<…>"),
    ("NULL", "the type of a bare NULL"),
    ("VARIANT", "Use STRING for JSON text"),
    ("DESCRIPTOR", "arguments of table functions"),
    ("BITMAP", "COUNT(DISTINCT …)"),
    ("DATETIME", "Use TIMESTAMP(3)"),
    ("JSON", "describe it as ROW<…>"),
    ("INTERVAL DAY TO MONTH", "INTERVAL YEAR TO MONTH or INTERVAL DAY TO SECOND"),
    ("INTERVAL SECOND TO DAY", "INTERVAL YEAR TO MONTH or INTERVAL DAY TO SECOND"),
    ("MAP<STRING>", "MAP<type, type>"),
    ("ROW<a INT, a STRING>", "stands twice"),
]


def _declared(written: str) -> DataType:
    script = parse(f"{_BEFORE}{written},\n  y INT) WITH ('connector' = 'print');")
    statement = script.statements[0]
    if isinstance(statement, Mistake):
        raise statement.error
    assert isinstance(statement, CreateTable)
    assert [column.name for column in statement.table.columns] == ["x", "y"]
    found = statement.table.columns[0].type
    assert found is not None
    return found


@pytest.mark.parametrize(("written", "flink", "spark"), _TYPES)
def test_what_a_type_means(written: str, flink: str, spark: str) -> None:
    found = _declared(written)
    assert (str(found), found.spark_sql()) == (flink, spark)


@pytest.mark.parametrize(("written", "says"), _REFUSED)
def test_what_is_refused(written: str, says: str) -> None:
    with pytest.raises(SqlError) as caught:
        _declared(written)
    assert caught.value.code == "UNSUPPORTED_TYPE"
    assert says in str(caught.value)
    span = caught.value.span
    assert span is not None
    assert span.line == 2
    assert span.column >= 5


@pytest.mark.parametrize("written", ["ROW<>", "ARRAY<", "MAP", "ROW<INT, STRING>", "ARRAY INT"])
def test_what_is_no_type(written: str) -> None:
    with pytest.raises(SqlError) as caught:
        _declared(written)
    assert caught.value.code in ("SYNTAX_ERROR", "UNSUPPORTED_TYPE")
    assert caught.value.span is not None
