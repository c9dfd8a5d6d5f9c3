"""What ClickHouse's Avro writes: files that another library reads as it reads ClickHouse's own."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fastavro
import pytest
from pyspark.sql import functions as F

from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionReader, OptionValue
from penstock.model.types import spark_schema_text
from penstock.sql.clickhouse.type_reader import type_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from penstock.model.types import Fields

pytestmark = pytest.mark.spark

_CASES = Path(__file__).with_name("ch_avro.jsonl").read_text(encoding="utf-8").splitlines()
_WRITTEN = [
    pytest.param(case, id=case["types"]["a"])
    for case in map(json.loads, _CASES)
    if case["name"].endswith("as ClickHouse writes it")
]


def _content(file: bytes) -> tuple[Any, list[Any]]:
    reader = fastavro.reader(io.BytesIO(file))
    return reader.writer_schema, list(reader)


def _rewritten(frame: DataFrame, fields: Fields, **settings: str) -> bytes:
    """The rows that the only message of a frame holds, as a new message."""
    values = [OptionValue(f"output_format_avro_{key}", value) for key, value in settings.items()]
    format_ = CLICKHOUSE_FORMATS["Avro"].of_table(OptionReader("t", values), 0)
    told = json.dumps(format_.told(fields))
    schema = F.lit(spark_schema_text(fields))
    rows = F.call_function(format_.DECODE, F.col("value"), schema, F.lit(told))
    message = frame.select(rows.alias("rows"))
    found = message.select(F.expr(format_.encode_rows("rows", fields))).first()
    assert found is not None
    return bytes(found[0])


def _frame(spark: SparkSession, message: bytes) -> DataFrame:
    return spark.createDataFrame([(bytearray(message),)], "value BINARY")


@pytest.mark.parametrize("case", _WRITTEN)
def test_a_file_is_as_clickhouse_writes_it(spark: SparkSession, case: dict[str, Any]) -> None:
    fields = tuple((name, type_of(text, name)) for name, text in case["types"].items())
    theirs = base64.b64decode(case["base64"])
    assert _content(_rewritten(_frame(spark, theirs), fields, codec="null")) == _content(theirs)


_MANY = (("a", type_of("UInt32", "a")), ("b", type_of("String", "b")))


def _many() -> bytes:
    schema = {
        "type": "record",
        "name": "row",
        "fields": [{"name": "a", "type": "int"}, {"name": "b", "type": "string"}],
    }
    file = io.BytesIO()
    fastavro.writer(file, schema, [{"a": i, "b": "x" * 100} for i in range(1000)])
    return file.getvalue()


@pytest.mark.parametrize(
    ("codec", "used"),
    [("", b"snappy"), ("null", b"null"), ("deflate", b"deflate"), ("zstd", b"zstandard")],
)
def test_codecs(spark: SparkSession, codec: str, used: bytes) -> None:
    file = _rewritten(_frame(spark, _many()), _MANY, codec=codec)
    assert b"avro.codec" + bytes([2 * len(used)]) + used in file
    assert _content(_rewritten(_frame(spark, file), _MANY, codec="null")) == _content(_many())


def test_blocks_end_at_the_interval(spark: SparkSession) -> None:
    file = _rewritten(_frame(spark, _many()), _MANY, sync_interval="1000", codec="null")
    sizes = [len(list(block)) for block in fastavro.block_reader(io.BytesIO(file))]
    assert sum(sizes) == 1000
    assert max(sizes) <= 1000 // 100 + 1


def test_texts_that_are_bytes(spark: SparkSession) -> None:
    file = _rewritten(_frame(spark, _many()), _MANY, string_column_pattern="^a", codec="null")
    schema, rows = _content(file)
    assert [field["type"] for field in schema["fields"]] == ["int", "bytes"]
    assert rows[0] == {"a": 0, "b": b"x" * 100}
