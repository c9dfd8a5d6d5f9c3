"""Rows into Kafka tables and files: INSERT, keys, times, headers, bound files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError, Session
from tests.clickhouse.queue import WAIT_S

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.clickhouse.queue import Queue

HEADED = (
    "n Int64, _key String, _timestamp DateTime, `_headers.name` Array(String), "
    "`_headers.value` Array(String)"
)


@pytest.mark.kafka
def test_rows_of_the_script_are_inserted(queue: Queue) -> None:
    job = queue.start(
        queue.script("INSERT INTO copies VALUES (1), (2); INSERT INTO copies SELECT 3;")
    )
    assert job.wait(WAIT_S)
    assert [one.rows_in for one in job.progress()] == [2, 1]
    assert queue.copies() == [1, 2, 3]


@pytest.mark.kafka
def test_each_row_is_a_message(queue: Queue) -> None:
    table = queue.table("copies", queue.sink, "key UInt64, value UInt64")
    rows = ", ".join(f"({n}, {n})" for n in range(50))
    queue.run(table.replace("JSONEachRow", "TSV") + f"INSERT INTO copies VALUES {rows};")
    found = {message.value for message in queue.messages(queue.sink)}
    assert found == {b"%d\t%d\n" % (n, n) for n in range(50)}


@pytest.mark.kafka
@pytest.mark.parametrize(
    ("writers", "rows"), [(4, 2_500), pytest.param(16, 10_000, marks=pytest.mark.slow)]
)
def test_rows_of_many_inserts_at_once_are_read_back(writers: int, rows: int, queue: Queue) -> None:
    """Each of them is a job of its own."""
    table = queue.table("queue", queue.source, "of UInt64, n UInt64")
    jobs = [
        queue.session.execute(
            f"{table}INSERT INTO queue SELECT {writer}, n "
            f"FROM (SELECT 1) ARRAY JOIN range({rows}) AS n;",
            name=f"writer-{writer}",
        )
        for writer in range(writers)
    ]
    assert all(job.wait(WAIT_S) for job in jobs)
    view = "SELECT count() AS total, uniqExact(of, n) AS pairs FROM queue;"
    copies = queue.table("copies", queue.sink, "total UInt64, pairs UInt64")
    queue.run(f"{table}{copies}CREATE MATERIALIZED VIEW v TO copies AS {view}")
    assert queue.rows() == [{"total": writers * rows, "pairs": writers * rows}]


@pytest.mark.kafka
def test_no_rows_are_no_messages(queue: Queue) -> None:
    queue.run(queue.script("INSERT INTO copies SELECT 1 AS n WHERE n > 1;"))
    assert queue.messages(queue.sink) == []


@pytest.mark.kafka
def test_key_time_and_headers_of_a_message(queue: Queue) -> None:
    script = queue.table("copies", queue.sink, HEADED, kafka_map_virtual_columns_on_write=1)
    rows = "(1, 'a', '2020-01-01 00:00:01', ['x', '', 'x'], ['1', '2', '3']), (2, '', 0, [], [])"
    queue.run(script + f"INSERT INTO copies VALUES {rows};")
    first, second = sorted(queue.messages(queue.sink), key=lambda record: record.value or b"")
    assert (first.key, first.value, first.timestamp) == (b"a", b'{"n":1}\n', 1577836801000)
    assert first.headers == (("x", b"1"), ("", b"2"), ("x", b"3"))
    assert (second.key, second.value, second.timestamp) == (b"", b'{"n":2}\n', 0)
    assert second.headers == ()


@pytest.mark.kafka
def test_headers_stay_in_the_payload_unless_columns_leave_it(queue: Queue) -> None:
    script = queue.table("copies", queue.sink, HEADED)
    queue.run(script + "INSERT INTO copies VALUES (1, 'a', 1, ['x'], ['y']);")
    (message,) = queue.messages(queue.sink)
    assert (message.key, message.timestamp, message.headers) == (b"a", 1000, ())
    assert json.loads(message.value or b"") == {
        "n": 1,
        "_key": "a",
        "_timestamp": "1970-01-01 00:00:01",
        "_headers.name": ["x"],
        "_headers.value": ["y"],
    }


@pytest.mark.kafka
def test_a_header_without_a_value_stops_the_job(queue: Queue) -> None:
    script = queue.table("copies", queue.sink, HEADED, kafka_map_virtual_columns_on_write=1)
    with pytest.raises(PenstockError) as caught:
        queue.run(script + "INSERT INTO copies VALUES (1, 'a', 1, ['x', 'y'], ['1']);")
    assert caught.value.code == "BAD_VALUE"


@pytest.mark.kafka
@pytest.mark.parametrize(("codec", "level"), [("gzip", 3), ("snappy", 0), ("lz4", 3), ("zstd", 3)])
def test_compression(codec: str, level: int, queue: Queue) -> None:
    settings = {"kafka_compression_codec": codec, "kafka_compression_level": level}
    script = queue.table("copies", queue.sink, **settings)
    queue.run(script + "INSERT INTO copies VALUES (1);")
    assert queue.copies() == [1]


@pytest.mark.kafka
def test_a_table_of_the_engine_null_takes_every_row(queue: Queue) -> None:
    queue.send(range(3))
    tables = "CREATE TABLE nowhere (n Int64) ENGINE = Null;"
    view = "CREATE MATERIALIZED VIEW v TO nowhere AS SELECT n FROM queue;"
    assert queue.run(queue.script(tables + view))["queue"].rows_in == 3


@pytest.mark.spark
def test_tables_bound_to_files(spark: SparkSession, tmp_path: Path) -> None:
    script = """
        CREATE TABLE queue (id UInt64, tags Array(String))
          ENGINE = Kafka('x:1', 't', 'g', 'CSV');
        CREATE TABLE totals (tag String, total UInt64, keys Array(String), day Date DEFAULT 1)
          ENGINE = SummingMergeTree ORDER BY tag;
        CREATE MATERIALIZED VIEW v TO totals AS
          SELECT tag, count() AS total, arraySort(groupArray(_key)) AS keys
          FROM queue ARRAY JOIN tags AS tag GROUP BY tag;
    """
    rows, out = tmp_path / "rows.jsonl", tmp_path / "totals.jsonl"
    rows.write_text('{"id": 1, "tags": ["a", "b"], "_key": "k"}\n{"id": 2, "tags": ["a"]}\n')
    bindings = {"queue": str(rows), "totals": str(out)}
    job = Session(spark, bindings=bindings, state_dir=tmp_path).execute(script)
    assert job.wait(60)
    found = sorted(out.read_text().splitlines())
    assert [json.loads(line) for line in found] == [
        {"tag": "a", "total": 2, "keys": ["", "k"], "day": "1970-01-02"},
        {"tag": "b", "total": 1, "keys": ["k"], "day": "1970-01-02"},
    ]
