"""Several rows in a message, as `kafka_max_rows_per_message` asks: made within a task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as F

from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionReader
from penstock.sql.clickhouse.type_reader import type_of

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

_COLUMNS = (
    ("a", "CAST(id AS DECIMAL(20, 0))", type_of("UInt64", "a")),
    ("b", "concat('x', id)", type_of("String", "b")),
)


def _messages(rows: DataFrame, format_name: str, size: int) -> DataFrame:
    format_ = CLICKHOUSE_FORMATS[format_name].of_table(OptionReader("t", ()), 0)
    batch, columns = format_.message_of(_COLUMNS, [("key", "concat('x', id)")], size)
    batches = rows.select(F.expr(batch).alias("batch"))
    return batches.select(*(F.expr(sql).alias(name) for name, sql in columns))


def _texts(messages: DataFrame) -> list[tuple[str, str]]:
    return [(bytes(row["value"]).decode(), row["key"]) for row in messages.collect()]


@pytest.mark.parametrize(
    ("format_name", "expected"),
    [
        ("JSONEachRow", '{"a":0,"b":"x0"}\n{"a":1,"b":"x1"}\n'),
        ("JSONCompactEachRow", '[0, "x0"]\n[1, "x1"]\n'),
        ("CSV", '0,"x0"\n1,"x1"\n'),
        ("CSVWithNames", '"a","b"\n0,"x0"\n1,"x1"\n'),
        ("TSV", "0\tx0\n1\tx1\n"),
        ("TSVWithNames", "a\tb\n0\tx0\n1\tx1\n"),
    ],
)
def test_messages_of_two_rows(spark: SparkSession, format_name: str, expected: str) -> None:
    first, second, third = _texts(_messages(spark.range(0, 5, 1, 1), format_name, 2))
    assert first == (expected, "x1")
    last = [line for line in expected.splitlines(keepends=True) if "1" not in line]
    assert second == (expected.replace("1", "3").replace("0", "2"), "x3")
    assert third == ("".join(last).replace("0", "4"), "x4")


@pytest.mark.parametrize(
    ("rows", "size", "counts"),
    [(0, 3, []), (2, 3, [2]), (3, 3, [3]), (7, 3, [3, 3, 1]), (3, 1, [1, 1, 1]), (5, 100, [5])],
)
def test_sizes(spark: SparkSession, rows: int, size: int, counts: list[int]) -> None:
    found = _texts(_messages(spark.range(0, rows, 1, 1), "TSV", size))
    assert [text.count("\n") for text, _ in found] == counts
    assert "".join(text for text, _ in found) == "".join(f"{i}\tx{i}\n" for i in range(rows))


def test_rows_of_two_tasks_are_not_joined(spark: SparkSession) -> None:
    found = _texts(_messages(spark.range(0, 10, 1, 2), "TSV", 4))
    assert [text.count("\n") for text, _ in found] == [4, 1, 4, 1]


def test_rows_of_a_join_and_a_filter(spark: SparkSession) -> None:
    joined = spark.range(0, 6, 1, 1).join(F.broadcast(spark.range(100)), "id").where("id <> 2")
    (message,) = _texts(_messages(joined, "TSV", 10))
    assert message == ("0\tx0\n1\tx1\n3\tx3\n4\tx4\n5\tx5\n", "x5")


def test_every_batch_of_a_stream_ends_its_messages(spark: SparkSession, tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"{number}.txt").write_text("".join(f"{i}\n" for i in range(3)))
    options = {"maxFilesPerTrigger": 1}
    lines = spark.readStream.options(**options).text(str(tmp_path))
    sizes: list[list[int]] = []

    def collect(batch: DataFrame, _: int) -> None:
        sizes.append([text.count("\n") for text, _ in _texts(batch)])

    messages = _messages(lines.selectExpr("CAST(value AS BIGINT) AS id"), "TSV", 2)
    query: Any = messages.writeStream.foreachBatch(collect).trigger(availableNow=True).start()
    query.awaitTermination()
    assert sizes == [[2, 1], [2, 1]]


def test_a_single_message_of_protobuf_has_one_row(spark: SparkSession) -> None:
    told = '{"framing": "single", "message": "{\\"fields\\": []}", "columns": "[]"}'
    rows = F.expr("array(named_struct('a', 1), named_struct('a', 2))")
    sql = F.call_function("penstock_ch_protobuf_encode", rows, F.lit(told))
    with pytest.raises(Exception, match="ProtobufSingle format can't be used to write"):
        spark.range(1).select(sql).collect()
