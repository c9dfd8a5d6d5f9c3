"""Written through a Kafka table and read back: rows, keys, headers, times, topics, bounds."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from confluent_kafka import TopicPartition
from confluent_kafka.admin import AdminClient

from tests.kafka_table.tables import EARLIEST, FORMATS, TO_LATEST, Tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

BEHAVIORS = "user_id INT, item_id INT, behavior STRING"


@pytest.fixture
def tables(spark: SparkSession, broker: BrokerStatus, tmp_path: Path) -> Tables:
    return Tables(spark, broker.address, tmp_path)


@pytest.fixture(params=FORMATS)
def format_(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def _b64(text: str) -> str:
    return base64.b64encode(bytes.fromhex(text)).decode()


def test_windows_over_a_computed_event_time(
    tables: Tables, topic: Callable[..., str], format_: str
) -> None:
    tables.create(
        "kafka",
        "`computed-price` AS price + 1.0, price DECIMAL(38, 18), currency STRING, log_date DATE, "
        "log_time TIME(3), log_ts TIMESTAMP(3), ts AS log_ts + INTERVAL '1' SECOND, "
        "WATERMARK FOR ts AS ts",
        f"'topic' = '{topic()}', {EARLIEST}, 'format' = '{format_}'",
    )
    tables.run(
        "INSERT INTO kafka SELECT CAST(price AS DECIMAL(10, 2)), currency, "
        "CAST(d AS DATE), CAST(t AS TIME(0)), CAST(ts AS TIMESTAMP(3)) FROM (VALUES "
        "(2.02, 'Euro', '2019-12-12', '00:00:01', '2019-12-12 00:00:01.001001'), "
        "(1.11, 'US Dollar', '2019-12-12', '00:00:02', '2019-12-12 00:00:02.002001'), "
        "(50, 'Yen', '2019-12-12', '00:00:03', '2019-12-12 00:00:03.004001'), "
        "(3.1, 'Euro', '2019-12-12', '00:00:04', '2019-12-12 00:00:04.005001'), "
        "(5.33, 'US Dollar', '2019-12-12', '00:00:05', '2019-12-12 00:00:05.006001'), "
        "(0, 'DUMMY', '2019-12-12', '00:00:10', '2019-12-12 00:00:10')) "
        "AS orders (price, currency, d, t, ts);"
    )
    found = tables.rows(
        "SELECT CAST(TUMBLE_END(ts, INTERVAL '5' SECOND) AS VARCHAR), "
        "CAST(MAX(log_date) AS VARCHAR), CAST(MAX(log_time) AS VARCHAR), "
        "CAST(MAX(ts) AS VARCHAR), COUNT(*), CAST(MAX(price) AS DECIMAL(10, 2)) "
        "FROM kafka GROUP BY TUMBLE(ts, INTERVAL '5' SECOND)",
        "window_end STRING, d STRING, t STRING, ts STRING, n BIGINT, price DECIMAL(10, 2)",
        drain=True,
    )
    assert [list(row.values()) for row in found] == [
        ["2019-12-12 00:00:05.000", "2019-12-12", "00:00:03.0", "2019-12-12 00:00:04.004", 3, 50.0],
        ["2019-12-12 00:00:10.000", "2019-12-12", "00:00:05.0", "2019-12-12 00:00:06.006", 2, 5.33],
    ]


@pytest.mark.parametrize("by", ["list", "pattern"])
def test_rows_go_to_the_topic_they_name(
    tables: Tables, topic: Callable[..., str], format_: str, by: str
) -> None:
    first = topic("t1")
    second = topic(f"{first}_t2")
    which = f"'topic' = '{first};{second}'" if by == "list" else f"'topic-pattern' = '{first}.*'"
    options = f"{TO_LATEST}, 'format' = '{format_}'"
    tables.create("kafka", f"`topic` STRING METADATA, {BEHAVIORS}", f"{which}, {options}")
    tables.create("one", BEHAVIORS, f"'topic' = '{first}', {options}")
    tables.create("two", BEHAVIORS, f"'topic' = '{second}', {options}")
    tables.run(
        f"INSERT INTO kafka VALUES ('{first}', 1, 1102, 'behavior 1'), "
        f"('{second}', 2, 1103, 'behavior 2');"
    )
    row_1 = {"user_id": 1, "item_id": 1102, "behavior": "behavior 1"}
    row_2 = {"user_id": 2, "item_id": 1103, "behavior": "behavior 2"}
    both = tables.rows("SELECT * FROM kafka", f"`topic` STRING, {BEHAVIORS}")
    assert sorted(both, key=lambda row: row["user_id"]) == [
        {"topic": first, **row_1},
        {"topic": second, **row_2},
    ]
    assert tables.rows("SELECT * FROM one", BEHAVIORS) == [row_1]
    assert tables.rows("SELECT * FROM two", BEHAVIORS) == [row_2]


@pytest.mark.parametrize("naming", ["POOLING", "INCREMENTING"])
def test_exactly_once_is_read_back(
    tables: Tables, topic: Callable[..., str], format_: str, naming: str
) -> None:
    name = topic("eo")
    tables.create(
        "kafka",
        BEHAVIORS,
        f"'topic' = '{name}', {TO_LATEST}, 'format' = '{format_}', "
        f"'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = '{name}', "
        f"'sink.transaction-naming-strategy' = '{naming}', "
        "'properties.isolation.level' = 'read_committed'",
    )
    tables.run("INSERT INTO kafka VALUES (1, 1102, 'behavior 1'), (2, 1103, 'behavior 2');")
    found = tables.rows("SELECT * FROM kafka", BEHAVIORS)
    assert sorted(tuple(row.values()) for row in found) == [
        (1, 1102, "behavior 1"),
        (2, 1103, "behavior 2"),
    ]


THREE = "INSERT INTO kafka VALUES (1, 1102, 'behavior 1'), (2, 1103, 'behavior 2'), {third};"
THIRD = "(3, 1104, 'behavior 3')"


def test_deleted_records_are_no_rows(
    tables: Tables, topic: Callable[..., str], format_: str
) -> None:
    name = topic()
    tables.create(
        "kafka",
        BEHAVIORS,
        f"'topic' = '{name}', 'format' = '{format_}', 'scan.startup.mode' = 'specific-offsets', "
        "'scan.startup.specific-offsets' = 'partition:0,offset:1', "
        "'scan.bounded.mode' = 'specific-offsets', "
        "'scan.bounded.specific-offsets' = 'partition:0,offset:3'",
    )
    tables.run(THREE.format(third=THIRD))
    client = AdminClient(tables.properties)
    deleted = client.delete_records([TopicPartition(name, 0, 3)])
    assert [future.result().low_watermark for future in deleted.values()] == [3]
    assert tables.rows("SELECT * FROM kafka", BEHAVIORS) == []


def test_bounded_by_an_offset(tables: Tables, topic: Callable[..., str], format_: str) -> None:
    tables.create(
        "kafka",
        BEHAVIORS,
        f"'topic' = '{topic()}', 'format' = '{format_}', {EARLIEST}, "
        "'scan.bounded.mode' = 'specific-offsets', "
        "'scan.bounded.specific-offsets' = 'partition:0,offset:2'",
    )
    tables.run(THREE.format(third=THIRD), **{"spark.sql.shuffle.partitions": "1"})
    found = tables.rows("SELECT * FROM kafka", BEHAVIORS)
    assert [row["user_id"] for row in found] == [1, 2]


def test_bounded_by_a_time(tables: Tables, topic: Callable[..., str], format_: str) -> None:
    tables.create(
        "kafka",
        f"{BEHAVIORS}, event_time TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'",
        f"'topic' = '{topic()}', 'format' = '{format_}', {EARLIEST}, "
        "'scan.bounded.mode' = 'timestamp', 'scan.bounded.timestamp-millis' = '5'",
    )
    tables.run(
        "INSERT INTO kafka VALUES (1, 1102, 'behavior 1', TO_TIMESTAMP_LTZ(0, 3)), "
        "(2, 1103, 'behavior 2', TO_TIMESTAMP_LTZ(3, 3)), "
        "(3, 1104, 'behavior 3', TO_TIMESTAMP_LTZ(7, 3));"
    )
    found = tables.rows("SELECT * FROM kafka", f"{BEHAVIORS}, event_time TIMESTAMP_LTZ(3)")
    assert [(row["user_id"], row["event_time"]) for row in found] == [
        (1, "1970-01-01 00:00:00Z"),
        (2, "1970-01-01 00:00:00.003Z"),
    ]


def test_a_list_of_topics_is_read(tables: Tables, topic: Callable[..., str], format_: str) -> None:
    names = [topic(name) for name in ("euro", "dollar", "yen", "dummy")]
    for name in names:
        tables.create(name, "currency STRING", f"'topic' = '{name}', 'format' = '{format_}'")
    tables.create(
        "currencies",
        "currency STRING",
        f"'topic' = '{';'.join(names)}', 'format' = '{format_}', {TO_LATEST}",
    )
    shown = {name: name.partition("_")[0].capitalize() for name in names}
    tables.run("".join(f"INSERT INTO {n} VALUES ('{shown[n]}');" for n in names))
    found = tables.rows("SELECT * FROM currencies", "currency STRING")
    assert sorted(row["currency"] for row in found) == ["Dollar", "Dummy", "Euro", "Yen"]


def test_metadata(tables: Tables, topic: Callable[..., str], format_: str) -> None:
    name = topic("metadata")
    tables.create(
        "kafka",
        "physical_1 STRING, physical_2 INT, `timestamp-type` STRING METADATA VIRTUAL, "
        "`timestamp` TIMESTAMP(3) METADATA, `leader-epoch` INT METADATA VIRTUAL, "
        "headers MAP<STRING, BYTES> METADATA, `partition` INT METADATA VIRTUAL, "
        "`topic` STRING METADATA VIRTUAL, physical_3 BOOLEAN",
        f"'topic' = '{name}', 'format' = '{format_}', {TO_LATEST}",
    )
    tables.run(
        "INSERT INTO kafka VALUES "
        "('data 1', 1, TIMESTAMP '2020-03-08 13:12:11.123', "
        "MAP['k1', X'C0FFEE', 'k2', X'BABE01'], TRUE), "
        "('data 2', 2, TIMESTAMP '2020-03-09 13:12:11.123', "
        "CAST(NULL AS MAP<STRING, BYTES>), FALSE), "
        "('data 3', 3, TIMESTAMP '2020-03-10 13:12:11.123', "
        "MAP['k1', X'102030', 'k2', X'203040'], TRUE);"
    )
    found = tables.rows(
        "SELECT * FROM kafka",
        "physical_1 STRING, physical_2 INT, `timestamp-type` STRING, `timestamp` TIMESTAMP(3), "
        "`leader-epoch` INT, headers MAP<STRING, BYTES>, `partition` INT, `topic` STRING, "
        "physical_3 BOOLEAN",
    )
    places = ["CreateTime", 0, 0, name]
    headers = [
        {"k1": _b64("C0FFEE"), "k2": _b64("BABE01")},
        {},
        {"k1": _b64("102030"), "k2": _b64("203040")},
    ]
    assert [list(row.values()) for row in found] == [
        [
            f"data {n}",
            n,
            places[0],
            f"2020-03-{7 + n:02} 13:12:11.123",
            places[1],
            headers[n - 1],
            places[2],
            places[3],
            n != 2,
        ]
        for n in (1, 2, 3)
    ]


def test_a_header_without_a_value_stays(tables: Tables, topic: Callable[..., str]) -> None:
    columns = "id INT, headers MAP<STRING, BYTES>"
    tables.create(
        "kafka",
        "id INT, headers MAP<STRING, BYTES> METADATA",
        f"'topic' = '{topic()}', 'format' = 'json', {TO_LATEST}",
    )
    tables.run("INSERT INTO kafka VALUES (1, MAP['k1', X'C0FFEE', 'k2', CAST(NULL AS BYTES)]);")
    found = tables.rows("SELECT * FROM kafka", columns)
    assert found == [{"id": 1, "headers": {"k1": _b64("C0FFEE"), "k2": None}}]


LIST = "ARRAY<ROW<key STRING, `value` BYTES>>"


def test_headers_as_a_list(tables: Tables, topic: Callable[..., str], format_: str) -> None:
    tables.create(
        "kafka",
        f"id INT, `header-list` {LIST} METADATA",
        f"'topic' = '{topic()}', 'format' = '{format_}', {TO_LATEST}",
    )
    no_key = "CAST(NULL AS STRING)"
    tables.run(
        "INSERT INTO kafka SELECT 1, ARRAY[ROW('k1', X'C0FFEE'), ROW('k1', X'BABE01')] UNION ALL "
        f"SELECT 2, CAST(NULL AS {LIST}) UNION ALL "
        f"SELECT 3, ARRAY[ROW({no_key}, X'01'), ROW('k2', CAST(NULL AS BYTES))] UNION ALL "
        f"SELECT 4, ARRAY[ROW('k1', X'01'), CAST(NULL AS ROW<key STRING, `value` BYTES>)];"
    )
    found = tables.rows("SELECT * FROM kafka", f"id INT, `header-list` {LIST}")
    assert {row["id"]: row["header-list"] for row in found} == {
        1: [{"key": "k1", "value": _b64("C0FFEE")}, {"key": "k1", "value": _b64("BABE01")}],
        2: [],
        3: [{"key": "k2", "value": None}],
        4: [{"key": "k1", "value": _b64("01")}],
    }


@pytest.mark.parametrize("written", ["headers", "header-list"])
def test_one_writes_headers_and_both_read_them(
    tables: Tables, topic: Callable[..., str], written: str
) -> None:
    virtual = {"headers": "", "header-list": ""} | {
        name: " VIRTUAL" for name in ("headers", "header-list") if name != written
    }
    tables.create(
        "kafka",
        f"id INT, headers MAP<STRING, BYTES> METADATA{virtual['headers']}, "
        f"`header-list` {LIST} METADATA{virtual['header-list']}",
        f"'topic' = '{topic()}', 'format' = 'json', {TO_LATEST}",
    )
    value = "MAP['k1', X'C0FFEE']" if written == "headers" else "ARRAY[ROW('k1', X'C0FFEE')]"
    tables.run(f"INSERT INTO kafka VALUES (1, {value});")
    found = tables.rows(
        "SELECT * FROM kafka", f"id INT, headers MAP<STRING, BYTES>, `header-list` {LIST}"
    )
    assert found == [
        {
            "id": 1,
            "headers": {"k1": _b64("C0FFEE")},
            "header-list": [{"key": "k1", "value": _b64("C0FFEE")}],
        }
    ]


def test_key_and_partial_value(tables: Tables, topic: Callable[..., str], format_: str) -> None:
    columns = (
        "k_user_id BIGINT, name STRING, `timestamp` TIMESTAMP(3){}, k_event_id BIGINT, "
        "user_id INT, payload STRING"
    )
    tables.create(
        "kafka",
        columns.format(" METADATA"),
        f"'topic' = '{topic()}', {TO_LATEST}, 'key.format' = '{format_}', "
        "'key.fields' = 'k_event_id; k_user_id', 'key.fields-prefix' = 'k_', "
        f"'value.format' = '{format_}', 'value.fields-include' = 'EXCEPT_KEY'",
    )
    rows = [
        [n, f"name {n}", f"2020-03-{7 + n:02} 13:12:11.123", 99 + n, 40 + n, f"payload {n}"]
        for n in (1, 2, 3)
    ]
    tables.run(
        "INSERT INTO kafka VALUES "
        + ", ".join(
            f"({k}, '{name}', TIMESTAMP '{ts}', {event}, {user}, '{payload}')"
            for k, name, ts, event, user, payload in rows
        )
        + ";"
    )
    found = tables.rows("SELECT * FROM kafka", columns.format(""))
    assert sorted(list(row.values()) for row in found) == rows


def test_key_and_full_value(tables: Tables, topic: Callable[..., str], format_: str) -> None:
    columns = (
        "user_id BIGINT, name STRING, `timestamp` TIMESTAMP(3){}, event_id BIGINT, payload STRING"
    )
    tables.create(
        "kafka",
        columns.format(" METADATA"),
        f"'topic' = '{topic()}', {TO_LATEST}, 'key.format' = '{format_}', "
        f"'key.fields' = 'event_id; user_id', 'value.format' = '{format_}', "
        "'value.fields-include' = 'ALL'",
    )
    rows = [
        [n, f"name {n}", f"2020-03-{7 + n:02} 13:12:11.123", 99 + n, f"payload {n}"]
        for n in (1, 2, 3)
    ]
    tables.run(
        "INSERT INTO kafka VALUES "
        + ", ".join(
            f"({user}, '{name}', TIMESTAMP '{ts}', {event}, '{payload}')"
            for user, name, ts, event, payload in rows
        )
        + ";"
    )
    found = tables.rows("SELECT * FROM kafka", columns.format(""))
    assert sorted(list(row.values()) for row in found) == rows
