"""Temporal joins by event time over topics: Flink's own tests of its Kafka tables, row by row."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from penstock.kafka.record import Record
from penstock.kafka.records import produce
from tests.kafka_table.tables import EARLIEST, TO_LATEST, Tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka


@pytest.fixture
def tables(spark: SparkSession, broker: BrokerStatus, tmp_path: Path) -> Tables:
    found = Tables(spark, broker.address, tmp_path)
    found.statement("SET 'table.local-time-zone' = 'UTC';")
    return found


ORDERS = """
INSERT INTO orders SELECT o, p, CAST(t AS TIMESTAMP(3)), q, who FROM (VALUES
  ('o_001', 'p_001', '2020-10-01 00:01:00', 1, 'Alice'),
  ('o_002', 'p_002', '2020-10-01 00:02:00', 1, 'Bob'),
  ('o_003', 'p_001', '2020-10-01 12:00:00', 2, 'Tom'),
  ('o_004', 'p_002', '2020-10-01 12:00:00', 2, 'King'),
  ('o_005', 'p_001', '2020-10-01 18:00:00', 10, 'Leonard'),
  ('o_006', 'p_002', '2020-10-01 18:00:00', 10, 'Leonard'),
  ('o_007', 'p_002', '2020-10-01 18:00:01', 10, 'Robinson')) AS v (o, p, t, q, who);
"""
NOON_MS, EVENING_MS, LATER_MS = 1601553600000, 1601575200000, 1601576200000
SCOOTER, BASKETBALL = ("p_001", "scooter"), ("p_002", "basketball")
# The product, its price before and after, the operation and its time in the database.
PRODUCT_CHANGES = [
    (SCOOTER, None, 11.11, "c", 0),
    (BASKETBALL, None, 23.11, "c", 0),
    (SCOOTER, 11.11, 12.99, "u", NOON_MS),
    (BASKETBALL, 23.11, 19.99, "u", NOON_MS),
    (SCOOTER, 12.99, 11.99, "u", EVENING_MS),
    (BASKETBALL, 19.99, None, "d", EVENING_MS),
    (SCOOTER, 11.99, None, "d", LATER_MS),
]
JOINED = (
    "SELECT order_id, CAST(order_time AS STRING), p.product_id, CAST(p.update_time AS STRING), "
    "CAST(product_price AS STRING), purchaser, product_name, quantity, "
    "CAST(quantity * product_price AS STRING) FROM orders {hint} AS o LEFT JOIN products {hint} "
    "FOR SYSTEM_TIME AS OF o.order_time AS p ON o.product_id = p.product_id"
)
JOINED_COLUMNS = (
    "order_id STRING, order_time STRING, product_id STRING, since STRING, price STRING, "
    "purchaser STRING, product STRING, quantity INT, amount STRING"
)
START = "1970-01-01 00:00:00.000"
MORNING = "2020-10-01 00:0{}:00.000"
NOON, EVENING = "2020-10-01 12:00:00.000", "2020-10-01 18:00:00.000"
EXPECTED = [
    ["o_001", MORNING.format(1), "p_001", START, "11.1100", "Alice", "scooter", 1, "11.1100"],
    ["o_002", MORNING.format(2), "p_002", START, "23.1100", "Bob", "basketball", 1, "23.1100"],
    ["o_003", NOON, "p_001", NOON, "12.9900", "Tom", "scooter", 2, "25.9800"],
    ["o_004", NOON, "p_002", NOON, "19.9900", "King", "basketball", 2, "39.9800"],
    ["o_005", EVENING, "p_001", EVENING, "11.9900", "Leonard", "scooter", 10, "119.9000"],
    ["o_006", EVENING, None, None, None, "Leonard", None, 10, None],
]
# The watermark of the orders never passes it; where they end, all are told.
LAST = ["o_007", "2020-10-01 18:00:01.000", None, None, None, "Robinson", None, 10, None]


def _message(
    product: tuple[str, str], before: float | None, after: float | None, op: str, ts_ms: int
) -> Record:
    def row(price: float | None) -> dict[str, Any] | None:
        named = {"product_id": product[0], "product_name": product[1], "product_price": price}
        return None if price is None else named

    source = {"connector": "mysql", "ts_ms": ts_ms, "db": "inventory", "table": "products"}
    value = {"before": row(before), "after": row(after), "source": source, "op": op, "ts_ms": 0}
    return Record(value=json.dumps(value).encode())


@pytest.mark.parametrize("format_", ["json", "avro"])
def test_orders_meet_the_product_of_their_time(
    tables: Tables, topic: Callable[..., str], format_: str
) -> None:
    products = topic("products")
    produce(tables.properties, products, [_message(*change) for change in PRODUCT_CHANGES])
    tables.create(
        "orders",
        "order_id STRING, product_id STRING, order_time TIMESTAMP(3), quantity INT, "
        "purchaser STRING, WATERMARK FOR order_time AS order_time - INTERVAL '1' SECOND",
        f"'topic' = '{topic('orders')}', {EARLIEST}, 'format' = '{format_}'",
    )
    tables.create(
        "products",
        "product_id STRING, product_name STRING, product_price DECIMAL(10, 4), "
        "update_time TIMESTAMP(3) METADATA FROM 'value.source.timestamp' VIRTUAL, "
        "PRIMARY KEY (product_id) NOT ENFORCED, "
        "WATERMARK FOR update_time AS update_time - INTERVAL '1' SECOND",
        f"'topic' = '{products}', {EARLIEST}, 'value.format' = 'debezium-json'",
    )
    tables.run(ORDERS)
    found = tables.rows(JOINED.format(hint=""), JOINED_COLUMNS, drain=True)
    assert sorted(list(row.values()) for row in found) == EXPECTED
    bounded = JOINED.format(hint=f"/*+ OPTIONS({TO_LATEST}) */")
    found = tables.rows(bounded, JOINED_COLUMNS)
    assert sorted(list(row.values()) for row in found) == [*EXPECTED, LAST]


USERS = """
INSERT INTO users SELECT u, n, r, CAST(t AS TIMESTAMP(3)) FROM (VALUES
  (100, 'Bob', 'Beijing', '2020-08-15 00:00:01'),
  (101, 'Alice', 'Shanghai', '2020-08-15 00:00:02'),
  (102, 'Greg', 'Berlin', '2020-08-15 00:00:03'),
  (103, 'Richard', 'Berlin', '2020-08-16 00:01:05'),
  (101, 'Alice', 'Wuhan', '2020-08-16 00:02:00'),
  (104, 'Tomato', 'Hongkong', '2020-08-16 00:05:05'),
  (105, 'Tim', 'Shenzhen', '2020-08-16 00:06:00'),
  (103, 'Richard', 'London', '2020-08-16 01:01:05'),
  (101, 'Alice', 'Hangzhou', '2020-08-16 01:04:05'),
  (104, 'Tomato', 'Shenzhen', '2020-08-16 01:05:05'),
  (105, 'Tim', 'Hongkong', '2020-08-16 01:06:00')) AS v (u, n, r, t);
INSERT INTO pageviews SELECT p, u, CAST(t AS TIMESTAMP(3)) FROM (VALUES
  (10001, 100, '2020-08-15 00:00:02'),
  (10002, 101, '2020-08-15 00:00:03'),
  (10002, 102, '2020-08-15 00:00:04'),
  (10002, 101, '2020-08-16 00:02:01'),
  (10004, 104, '2020-08-16 00:04:00'),
  (10003, 101, '2020-08-16 00:04:06'),
  (10004, 104, '2020-08-16 00:05:06')) AS v (p, u, t);
"""
VIEWED = [
    [10001, 100, "08-15 00:00:02", "Bob", "BEIJING", "08-15 00:00:01"],
    [10002, 101, "08-15 00:00:03", "Alice", "SHANGHAI", "08-15 00:00:02"],
    [10002, 101, "08-16 00:02:01", "Alice", "WUHAN", "08-16 00:02:00"],
    [10002, 102, "08-15 00:00:04", "Greg", "BERLIN", "08-15 00:00:03"],
    [10003, 101, "08-16 00:04:06", "Alice", "WUHAN", "08-16 00:02:00"],
    [10004, 104, "08-16 00:04:00", None, None, None],
    [10004, 104, "08-16 00:05:06", "Tomato", "HONGKONG", "08-16 00:05:05"],
]


# The versions of each user as they came.
VERSIONS = {
    100: [("Bob", "BEIJING", "15T00:00:01")],
    101: [
        ("Alice", "SHANGHAI", "15T00:00:02"),
        ("Alice", "WUHAN", "16T00:02"),
        ("Alice", "HANGZHOU", "16T01:04:05"),
    ],
    102: [("Greg", "BERLIN", "15T00:00:03")],
    103: [("Richard", "BERLIN", "16T00:01:05"), ("Richard", "LONDON", "16T01:01:05")],
    104: [("Tomato", "HONGKONG", "16T00:05:05"), ("Tomato", "SHENZHEN", "16T01:05:05")],
    105: [("Tim", "SHENZHEN", "16T00:06"), ("Tim", "HONGKONG", "16T01:06")],
}
ONE_BY_ONE = {"penstock.max-offsets-per-batch": "1"}


def _users_and_views(tables: Tables, topic: Callable[..., str], format_: str) -> None:
    tables.statement(
        "CREATE TABLE users (user_id BIGINT, user_name STRING, region STRING, "
        "upper_region AS UPPER(region), modification_time TIMESTAMP(3) METADATA FROM 'timestamp', "
        "WATERMARK FOR modification_time AS modification_time, "
        "PRIMARY KEY (user_id) NOT ENFORCED) WITH ('connector' = 'upsert-kafka', "
        f"'topic' = '{topic('users', partitions=2)}', 'properties.bootstrap.servers' = 'x:1', "
        f"'key.format' = '{format_}', 'value.format' = '{format_}');"
    )
    tables.create(
        "pageviews",
        "page_id BIGINT, user_id BIGINT, viewtime TIMESTAMP(3), proctime AS PROCTIME(), "
        "WATERMARK FOR viewtime AS viewtime",
        f"'topic' = '{topic('views')}', {EARLIEST}, 'format' = '{format_}'",
    )
    tables.run(USERS)


def _views_with_users(tables: Tables, **settings: str) -> list[list[Any]]:
    found = tables.rows(
        "SELECT p.page_id, p.user_id, DATE_FORMAT(p.viewtime, 'MM-dd HH:mm:ss'), u.user_name, "
        "u.upper_region, DATE_FORMAT(u.modification_time, 'MM-dd HH:mm:ss') FROM pageviews AS p "
        "LEFT JOIN users FOR SYSTEM_TIME AS OF p.viewtime AS u ON p.user_id = u.user_id",
        "page_id BIGINT, user_id BIGINT, at STRING, name STRING, region STRING, since STRING",
        drain=True,
        **settings,
    )
    return sorted((list(row.values()) for row in found), key=str)


@pytest.mark.parametrize("format_", ["json", "csv"])
def test_views_meet_the_user_of_their_time(
    tables: Tables, topic: Callable[..., str], format_: str
) -> None:
    _users_and_views(tables, topic, format_)
    assert _views_with_users(tables) == VIEWED


@pytest.mark.slow
def test_users_one_by_one(
    tables: Tables, topic: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The 16 changes of users, and the same join of them; at once the 6 users that are left."""
    _users_and_views(tables, topic, "json")
    assert _views_with_users(tables, **ONE_BY_ONE) == VIEWED
    tables.statement(
        "CREATE TABLE shown (user_id BIGINT, user_name STRING, region STRING, since TIMESTAMP(3)) "
        "WITH ('connector' = 'print');"
    )
    for settings, expected in ((ONE_BY_ONE, _changes(VERSIONS)), ({}, _changes(_last(VERSIONS)))):
        capsys.readouterr()
        tables.run(
            "INSERT INTO shown SELECT user_id, user_name, upper_region, modification_time "
            "FROM users;",
            drain=True,
            **settings,
        )
        lines = capsys.readouterr().out.splitlines()
        # The changes of a user come in their order.
        assert sorted(lines, key=lambda line: line[3:6]) == expected


def _changes(versions: dict[int, list[tuple[str, ...]]]) -> list[str]:
    found = []
    for user, rows in versions.items():
        texts = [f"[{user}, {name}, {region}, 2020-08-{at}]" for name, region, at in rows]
        found.append(f"+I{texts[0]}")
        for old, new in pairwise(texts):
            found += [f"-U{old}", f"+U{new}"]
    return found


def _last(versions: dict[int, list[tuple[str, ...]]]) -> dict[int, list[tuple[str, ...]]]:
    return {user: rows[-1:] for user, rows in versions.items()}
