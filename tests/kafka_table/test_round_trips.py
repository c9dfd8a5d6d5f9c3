"""Written through a Kafka table and read back: rows, topics, transactions, bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from confluent_kafka import TopicPartition
from confluent_kafka.admin import AdminClient

from tests.kafka_table.tables import EARLIEST, TO_LATEST

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.kafka_table.tables import Tables

pytestmark = pytest.mark.kafka

BEHAVIORS = "user_id INT, item_id INT, behavior STRING"


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
