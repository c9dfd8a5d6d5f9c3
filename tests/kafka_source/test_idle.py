"""Partitions and tables without rows: they hold the watermark until they count as idle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers import wait_until
from tests.kafka_source.pipeline import WAIT_S

if TYPE_CHECKING:
    from tests.kafka_source.pipeline import Pipeline

pytestmark = pytest.mark.kafka

COLUMNS = "p INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts"
PER_HOUR = (
    "SELECT p, COUNT(*) FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '1' HOUR)) "
    "GROUP BY p, window_start, window_end"
)
DAY = "2020-03-08"


def _at(partition: int, *times: str) -> list[tuple[int, dict[str, object]]]:
    return [(partition, {"p": partition, "ts": f"{DAY} {time}:00"}) for time in times]


def _two_of_four(pipeline: Pipeline, options: str = "") -> None:
    pipeline.table("events", COLUMNS, partitions=4, options=options)
    rows = _at(0, "13:12", "13:15", "16:12") + _at(1, "13:13", "13:19", "16:13")
    pipeline.send("events", rows)


def test_drained_with_empty_partitions(pipeline: Pipeline) -> None:
    _two_of_four(pipeline)
    assert pipeline.drain("p INT, n BIGINT", PER_HOUR) == []
    assert pipeline.holding() == {"events": "events/2 -"}
    # The same job, started again with a timeout, does not wait for them once others give rows.
    pipeline.send("events", _at(0, "16:30") + _at(1, "16:30"))
    found = pipeline.drain("p INT, n BIGINT", PER_HOUR, table_exec_source_idle__timeout="100 ms")
    assert found == [[0, 2], [1, 2]]


def test_idle_while_nothing_arrives(pipeline: Pipeline) -> None:
    _two_of_four(pipeline, ", 'scan.watermark.idle-timeout' = '1 s'")
    pipeline.start("p INT, n BIGINT", PER_HOUR)
    pipeline.wait_for([[0, 2], [1, 2]])
    # All are idle by and by: the watermark stays where it is, and a row brings its partition back.
    wait_until(lambda: pipeline.holding() == {}, timeout_s=WAIT_S)
    pipeline.send("events", _at(0, "16:30", "17:30"))
    pipeline.wait_for([[0, 2], [0, 2], [1, 1], [1, 2]])


def test_an_idle_table_does_not_hold_back_a_join(pipeline: Pipeline) -> None:
    pipeline.table("orders", f"id INT, {COLUMNS}", partitions=2)
    pipeline.table("ships", f"id INT, {COLUMNS}", partitions=2)
    rows = [
        (at, {"id": number, "p": at, "ts": f"{DAY} {time}:00"})
        for number, at, time in [(1, 0, "10:00"), (2, 1, "10:01"), (3, 0, "12:00"), (4, 1, "12:00")]
    ]
    pipeline.send("orders", rows)
    select = (
        "SELECT o.id, s.id FROM orders AS o LEFT JOIN ships AS s ON o.id = s.id "
        "AND s.ts BETWEEN o.ts AND o.ts + INTERVAL '1' HOUR"
    )
    pipeline.send("ships", [(0, {"id": 2, "p": 0, "ts": f"{DAY} 10:30:00"})])
    assert pipeline.drain("a INT, b INT", select) == [[2, 2]]
    pipeline.send("orders", [(0, {"id": 5, "p": 0, "ts": f"{DAY} 13:00:00"})])
    pipeline.send("orders", [(1, {"id": 6, "p": 1, "ts": f"{DAY} 13:00:00"})])
    found = pipeline.drain("a INT, b INT", select, table_exec_source_idle__timeout="1 h")
    assert found == [[1, None], [2, 2]]


def test_a_bounded_table_that_was_read_does_not_hold_back_another(pipeline: Pipeline) -> None:
    bounded = ", 'scan.bounded.mode' = 'latest-offset'"
    pipeline.table("history", COLUMNS, partitions=2, options=bounded)
    pipeline.table("news", COLUMNS)
    pipeline.view("events", "SELECT p, ts FROM history UNION ALL SELECT p, ts FROM news")
    pipeline.send("history", _at(1, "10:00", "10:30"))
    pipeline.send("news", _at(0, "10:15", "12:30"))
    assert pipeline.drain("p INT, n BIGINT", PER_HOUR) == [[0, 1], [1, 2]]
