"""System tables, named collections, and Kafka tables that are read and written by statements."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from penstock import PenstockError
from tests.clickhouse.queue import WAIT_S

if TYPE_CHECKING:
    from tests.clickhouse.queue import Queue

pytestmark = pytest.mark.kafka

_DIALECT = "-- dialect: clickhouse\n"
_KEPT = "CREATE TABLE kept (n Int64, day Date DEFAULT '2024-05-01') ENGINE = MergeTree ORDER BY n;"
_VIEW = "CREATE MATERIALIZED VIEW v TO kept AS SELECT n FROM queue;"


def _shown(queue: Queue, script: str, capsys: pytest.CaptureFixture[str]) -> list[Any]:
    capsys.readouterr()
    queue.start(_DIALECT + script).wait(WAIT_S)
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_direct_select_is_a_peek(queue: Queue, capsys: pytest.CaptureFixture[str]) -> None:
    queue.send([5, 6, 7])
    tables = queue.script("")
    select = (
        f"SELECT n, _partition, _offset, _topic = '{queue.source}' FROM queue ORDER BY n "
        "SETTINGS stream_like_engine_allow_direct_select = 1 FORMAT JSONCompactEachRow;"
    )
    rows = [[5, 0, 0, 1], [6, 1, 0, 1], [7, 0, 1, 1]]
    assert _shown(queue, tables + select, capsys) == rows
    empty = "SET stream_like_engine_allow_direct_select = 1; SELECT count() FROM copies FORMAT TSV;"
    assert _shown(queue, tables + empty, capsys) == [0]
    assert _shown(queue, tables + select, capsys) == rows
    assert queue.committed() == {}
    with pytest.raises(PenstockError) as caught:
        queue.start(tables + _KEPT + _VIEW + select)
    assert caught.value.code == "VIEW_ATTACHED"


def test_rows_of_the_script_become_messages(queue: Queue) -> None:
    script = queue.script(
        "INSERT INTO copies VALUES (1), (2);\n"
        'INSERT INTO copies FORMAT JSONEachRow {"n": 3}{"n": "4"};\n'
        "INSERT INTO copies (n) FORMAT CSV\n5\n6\n;\n"
        "INSERT INTO copies SELECT 7 AS n FORMAT JsonEachRow;\n"
        "INSERT INTO copies SELECT n FROM (SELECT 8 AS n) WHERE n > 8;"
    )
    queue.start(script).wait(WAIT_S)
    assert queue.copies() == [1, 2, 3, 4, 5, 6, 7]


def test_system_tables_tell_of_tables_consumers_and_letters(
    queue: Queue, capsys: pytest.CaptureFixture[str]
) -> None:
    created = (
        "CREATE NAMED COLLECTION c AS kafka_broker_list = 'x:1', "
        f"kafka_group_name = '{queue.group}'"
        f", kafka_topic_list = '{queue.source}', kafka_handle_error_mode = 'dead_letter_queue';\n"
        "CREATE TABLE queue (n Int64) ENGINE = Kafka(c, kafka_format = 'JSONEachRow');"
    )
    letters = (
        "SELECT table, kafka_partition, kafka_offset, raw_message FROM system.dead_letter_queue "
        "ORDER BY kafka_offset FORMAT JSONCompactEachRow;"
    )
    tables = (
        "SELECT name, engine FROM system.tables WHERE database = 'default' ORDER BY name "
        "FORMAT JSONCompactEachRow;"
        "SELECT name, type, default_kind, is_in_sorting_key FROM system.columns "
        "WHERE table = 'kept' ORDER BY position FORMAT JSONCompactEachRow;"
        "SELECT table, assignments.partition_id, assignments.current_offset, exceptions.text, "
        "num_messages_read, dependencies FROM system.kafka_consumers FORMAT JSONCompactEachRow;"
    )
    assert _shown(queue, created + letters, capsys) == []
    queue.send([1, b"oops", 2, b"{", 3])
    script = created + _KEPT + _VIEW
    queue.start(script).wait(WAIT_S)
    assert _shown(queue, letters + tables, capsys) == [
        ["queue", 1, 0, "oops"],
        ["queue", 1, 1, "{"],
        ["kept", "MergeTree"],
        ["queue", "Kafka"],
        ["v", "MaterializedView"],
        ["n", "Int64", "", 1],
        ["day", "Date", "DEFAULT", 0],
        ["queue", [0, 1], [3, 2], [], 5, [["default", "v"]]],
    ]
    assert _shown(queue, script + "SELECT count() FROM kept FORMAT TSV;", capsys) == [3]
