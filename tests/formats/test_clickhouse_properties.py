"""Random rows through ClickHouse's formats and back."""

from __future__ import annotations

import datetime
import decimal
import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionReader
from penstock.model.types import spark_schema_text
from penstock.sql.clickhouse.type_reader import type_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

_TYPES = {
    "a": "UInt64",
    "b": "String",
    "c": "Array(Nullable(Int32))",
    "d": "Map(String, Float64)",
    "e": "DateTime64(6, 'Asia/Tokyo')",
    "f": "Nullable(String)",
    "g": "Decimal(18, 4)",
    "h": "Array(String)",
    "i": "Bool",
    "j": "Date32",
}
_FIELDS = tuple((name, type_of(text, name)) for name, text in _TYPES.items())
_LETTERS = "ab \"'\\,;/\t\n\r\0\x01é漢😀{}[]():=%N`"
_ROWS = 300


def _row(source: random.Random) -> tuple[Any, ...]:
    def text() -> str:
        return "".join(source.choices(_LETTERS, k=source.randint(0, 6)))

    def maybe(value: Any) -> Any:
        return None if source.random() < 0.2 else value

    return (
        decimal.Decimal(source.getrandbits(64)),
        text(),
        [maybe(source.randint(-(2**31), 2**31 - 1)) for _ in range(source.randint(0, 3))],
        {text(): source.uniform(-1e9, 1e9) for _ in range(source.randint(0, 2))},
        datetime.datetime(1990, 1, 1, tzinfo=datetime.UTC)
        + datetime.timedelta(microseconds=source.randint(0, 10**15)),
        maybe(text()),
        decimal.Decimal(source.randint(-(10**18) + 1, 10**18 - 1)).scaleb(-4),
        [text() for _ in range(source.randint(0, 3))],
        source.random() < 0.5,
        datetime.date(1950, 1, 1) + datetime.timedelta(days=source.randint(0, 60_000)),
    )


@pytest.mark.parametrize(
    "name", ["JSONEachRow", "JSONStringsEachRow", "JSONCompactEachRow", "CSV", "TSV", "Avro"]
)
def test_rows_come_back(spark: SparkSession, name: str) -> None:
    format_ = CLICKHOUSE_FORMATS[name].of_table(OptionReader("t", ()), 0)
    schema = spark_schema_text(_FIELDS)
    source = random.Random(7)
    rows = [_row(source) for _ in range(_ROWS)]
    frame = spark.createDataFrame(rows, StructType.fromJson(json.loads(schema)), verifySchema=False)
    columns = [(field, field, type_) for field, type_ in _FIELDS]
    messages = frame.select("*", F.expr(format_.encode(columns)).alias("value"))
    told = F.lit(json.dumps(format_.told(_FIELDS)))
    decoded = F.call_function(format_.DECODE, F.col("value"), F.lit(schema), told)
    back = messages.select(
        F.struct(*_TYPES).alias("before"), F.element_at(decoded, 1).alias("after")
    )
    for before, after in back.collect():
        assert before == after
