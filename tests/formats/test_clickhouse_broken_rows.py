"""Messages of which some rows cannot be read: the others stay where broken ones are left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F

from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionReader
from penstock.model.types import spark_schema_text
from penstock.sql.clickhouse.type_reader import type_of

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

pytestmark = pytest.mark.spark

COLUMNS = (("id", "UInt8"), ("s", "String"))
# Format and message → the rows that ClickHouse 26.9 reads with input_format_allow_errors_num.
CASES: dict[tuple[str, str], list[list[object]]] = {
    ("JSONEachRow", '{"id": 4, "s": "a"}{"id": "x"}'): [[4, "a"]],
    ("JSONEachRow", '{"id": 4}{"id": "x"}{"id": 5}\n{"id": 6}'): [[4, ""], [6, ""]],
    ("JSONEachRow", '{"id": "x", "o": {"id": 9}}\n{"id": 5}'): [[5, ""]],
    ("JSONEachRow", '{"id": 4}\ngarbage\n\n{"id": 5}\n{"id": 6'): [[4, ""], [5, ""]],
    ("JSONEachRow", '{"id": "x}\n{"id": 4}\n{"id": 5}'): [[4, ""], [5, ""]],
    ("JSONEachRow", '{"id": "x", "s": "\\\n"}\n{"id": 4}'): [[4, ""]],
    ("JSONEachRow", '{"id": 3},\n{"id": "x"},\n{"id": 4}'): [[3, ""], [4, ""]],
    ("JSONStringsEachRow", '{"id":"1"}\n{"id":"x"}\n{"id":"2"}'): [[1, ""], [2, ""]],
    ("JSONCompactEachRow", '[1,"a"]\n["x","b"]\n[2]\n[3,"c"]'): [[1, "a"], [3, "c"]],
    ("JSONCompactEachRow", '[1,"a"]["x","b"][2,"c"]'): [[1, "a"]],
    ("CSV", "1,a\nx,b\n3\n4,b,c\n2,c\n"): [[1, "a"], [2, "c"]],
    ("CSV", '1,a\nx,"b\nz"\n2,c\nx'): [[1, "a"], [2, "c"]],
    ("CSV", "x,a\\\n2,c"): [[2, "c"]],
    ("CSVWithNames", "s,id\na,1\nb,x\nc,2\n"): [[1, "a"], [2, "c"]],
    ("TSV", "1\ta\nx\tb\n3\n4\tb\tc\n2\tc\n"): [[1, "a"], [2, "c"]],
    ("TSV", "1\ta\nx\tb\\\nq\n2\tc\nx"): [[1, "a"], [2, "c"]],
}


def _rows(format_name: str, message: str, handler: str) -> Column:
    format_ = CLICKHOUSE_FORMATS[format_name].of_table(OptionReader("t", ()), 0)
    fields = tuple((name, type_of(type_, name)) for name, type_ in COLUMNS)
    told = (spark_schema_text(fields), json.dumps(format_.told(fields)))
    place = (F.lit("topic"), F.lit(0), F.lit(7).cast("bigint"))
    handled = (F.lit("t"), F.lit(handler), F.lit(""))
    value = F.lit(bytearray(message.encode()))
    return F.call_function(format_.DECODE, value, *map(F.lit, told), *place, *handled)


def test_the_rows_beside_broken_ones(spark: SparkSession) -> None:
    columns = [_rows(*case, "skip").alias(str(at)) for at, case in enumerate(CASES)]
    (row,) = spark.range(1).select(*columns).collect()
    found = [[[one["id"], one["s"]] for one in rows or ()] for rows in row]
    assert dict(zip(CASES, found, strict=True)) == CASES


def test_the_first_of_them_is_told(spark: SparkSession) -> None:
    rows = _rows("CSV", "1,a\n2,b\nx,c\n4\n", "fail")
    with pytest.raises(Exception, match=r"offset=7 .*expected ',' before: 'x,c.*\(at row 3\)"):
        spark.range(1).select(rows).collect()


def test_an_array_with_a_broken_row_is_left_out_as_a_whole(spark: SparkSession) -> None:
    rows = _rows("JSONEachRow", '[{"id": 3},\n{"id": "x"},\n{"id": 4}]', "skip")
    assert spark.range(1).select(rows.isNull()).collect()[0][0]
