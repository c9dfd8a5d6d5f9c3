"""What a Kafka message has beside its value, written and read back: times, headers, keys."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from tests.kafka_table.tables import TO_LATEST

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.kafka_table.tables import Tables

pytestmark = pytest.mark.kafka


def _b64(text: str) -> str:
    return base64.b64encode(bytes.fromhex(text)).decode()


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
