"""The watermark of a Kafka table is that of its slowest partition, as in Flink."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.helpers import take_back, wait_until
from tests.kafka_source.pipeline import WAIT_S

if TYPE_CHECKING:
    from tests.kafka_source.pipeline import Pipeline

pytestmark = pytest.mark.kafka

BEGIN = datetime(2026, 1, 1)
COLUMNS = "p INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts"
COUNTED = "p INT, w STRING, n BIGINT"
PER_MINUTE = (
    "SELECT p, DATE_FORMAT(window_start, 'HH:mm'), COUNT(*) FROM TABLE(TUMBLE(TABLE events, "
    "DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY p, window_start, window_end"
)
AN_HOUR_S = 3600


def _at(partition: int, seconds: float) -> tuple[int, dict[str, object]]:
    time = BEGIN + timedelta(seconds=seconds)
    return partition, {"p": partition, "ts": time.isoformat(sep=" ", timespec="milliseconds")}


def _skewed(pipeline: Pipeline) -> None:
    """Partition 0 is an hour ahead of partition 1: 60 rows each, 10 per minute."""
    pipeline.table("events", COLUMNS, partitions=2)
    ahead = [_at(0, AN_HOUR_S + 6 * number) for number in range(60)]
    pipeline.send("events", ahead + [_at(1, 6 * number) for number in range(60)])


SLOW = [[1, f"00:0{minute}", 10] for minute in range(5)]
FAST = [[0, f"01:0{minute}", 10] for minute in range(5)]


def test_no_row_of_a_slow_partition_is_late(pipeline: Pipeline) -> None:
    _skewed(pipeline)
    settings = {"penstock_max__offsets__per__batch": "20"}
    assert pipeline.drain(COUNTED, PER_MINUTE, **settings) == SLOW
    # The slow one overtakes: now the other holds the watermark, at its own last row.
    pipeline.send("events", [_at(1, 2 * AN_HOUR_S)])
    assert pipeline.drain(COUNTED, PER_MINUTE, **settings) == [*FAST, *SLOW, [1, "00:05", 10]]
    assert pipeline.holding() == {"events": "events/0 2026-01-01T01:05:54Z"}


def test_resumed_in_the_middle(pipeline: Pipeline) -> None:
    _skewed(pipeline)
    job = pipeline.start(COUNTED, PER_MINUTE, penstock_max__offsets__per__batch="20")
    wait_until(lambda: len(pipeline.commits()) >= 2 or not job.is_active, timeout_s=WAIT_S)
    job.raise_failure()
    job.stop(grace_s=0)
    take_back(pipeline.commits()[-1])
    found = pipeline.drain(COUNTED, PER_MINUTE)
    assert [row for row in SLOW if row not in found] == []
    assert [row for row in found if row not in SLOW] == []


# As if the run were killed right behind the batch of its last message.
NO_MORE = {"spark_sql_streaming_noDataMicroBatches_enabled": "false"}


def test_what_is_due_is_told_by_the_next_run(pipeline: Pipeline) -> None:
    pipeline.table("events", COLUMNS)
    pipeline.send("events", [_at(0, 0), _at(0, 61)])
    assert pipeline.drain(COUNTED, PER_MINUTE, **NO_MORE) == []
    assert pipeline.drain(COUNTED, PER_MINUTE) == [[0, "00:00", 1]]
    assert pipeline.drain(COUNTED, PER_MINUTE) == [[0, "00:00", 1]]
    pipeline.send("events", [_at(0, 121)])
    due = [[0, "00:00", 1], [0, "00:01", 1]]
    assert pipeline.drain(COUNTED, PER_MINUTE, **NO_MORE) == due[:1]
    pipeline.start(COUNTED, PER_MINUTE)
    pipeline.wait_for(due)


def test_rows_of_days_apart_in_four_partitions(pipeline: Pipeline) -> None:
    days = {
        0: ["08 13:12:11.123", "08 14:12:12.223", "08 15:12:13.323"],
        1: ["09 13:13:11.123", "09 15:13:11.133", "09 16:13:11.143"],
        2: ["10 13:12:14.123", *(f"10 14:{minute}:14.123" for minute in range(12, 17))],
        3: ["11 17:12:11.123", "11 18:12:11.123"],
    }
    pipeline.table("events", COLUMNS, partitions=4)
    rows = [(at, {"p": at, "ts": f"2020-03-{time}"}) for at in days for time in days[at]]
    pipeline.send("events", sorted(rows, key=lambda row: -row[0]))
    pipeline.send("events", [(at, {"p": at, "ts": "2021-01-01 00:00:00"}) for at in days])
    found = pipeline.drain(COUNTED, PER_MINUTE, penstock_max__offsets__per__batch="4")
    assert {at: sum(n for p, _, n in found if p == at) for at in days} == {0: 3, 1: 3, 2: 6, 3: 2}


def test_a_new_partition_holds_the_watermark_until_it_has_a_row(pipeline: Pipeline) -> None:
    pipeline.table("events", COLUMNS)
    pipeline.send("events", [_at(0, 0), _at(0, 90)])
    pipeline.start(COUNTED, PER_MINUTE)
    pipeline.wait_for([[0, "00:00", 1]])
    pipeline.add_partitions("events", 2)
    pipeline.send("events", [_at(0, 600)])
    wait_until(lambda: pipeline.holding() == {"events": "events/1 -"}, timeout_s=WAIT_S)
    pipeline.send("events", [_at(1, 70), _at(1, 130)])
    pipeline.wait_for([[0, "00:00", 1], [0, "00:01", 1], [1, "00:01", 1]])
    assert pipeline.holding() == {"events": "events/1 2026-01-01T00:02:10Z"}
