"""Windows on processing time: each row is told once per window, also over a restart."""

from __future__ import annotations

import json
import time
from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from penstock import Session
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

WAIT_S = 300
SCRIPT = """
CREATE TABLE clicks (page STRING, proctime AS PROCTIME()) WITH (
  'connector' = 'kafka', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json',
  'topic' = '{clicks}', 'scan.startup.mode' = 'earliest-offset'
);
CREATE TABLE counts (kind STRING, page STRING, w_start TIMESTAMP(3), w_end TIMESTAMP(3), n BIGINT)
WITH (
  'connector' = 'kafka', 'properties.bootstrap.servers' = 'x:1', 'format' = 'json',
  'topic' = '{counts}'
);
BEGIN STATEMENT SET;
INSERT INTO counts SELECT 'tumble', page, window_start, window_end, COUNT(*)
FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(proctime), INTERVAL '2' SECOND))
GROUP BY window_start, window_end, page;
INSERT INTO counts
SELECT 'hop', page, HOP_START(proctime, INTERVAL '1' SECOND, INTERVAL '3' SECOND),
  HOP_END(proctime, INTERVAL '1' SECOND, INTERVAL '3' SECOND), COUNT(*)
FROM clicks GROUP BY HOP(proctime, INTERVAL '1' SECOND, INTERVAL '3' SECOND), page;
INSERT INTO counts SELECT 'session', page, window_start, window_end, COUNT(*)
FROM TABLE(
  SESSION(TABLE clicks PARTITION BY page, DESCRIPTOR(proctime), INTERVAL '1' SECOND)
) GROUP BY window_start, window_end, page;
INSERT INTO counts SELECT 'all', '', SESSION_START(proctime, INTERVAL '1' SECOND),
  SESSION_END(proctime, INTERVAL '1' SECOND), COUNT(*)
FROM clicks GROUP BY SESSION(proctime, INTERVAL '1' SECOND);
END;
"""
SIZES = {"tumble": 2, "hop": 3}
# How many windows hold a row.
TIMES = {"tumble": 1, "hop": 3, "session": 1}


class Clicks:
    """A topic of clicks, and the counts of their windows."""

    def __init__(
        self, spark: SparkSession, address: str, topic: Callable[[str], str], folder: Path
    ) -> None:
        self.properties = {"bootstrap.servers": address}
        self.session = Session(spark, bootstrap=address, state_dir=folder / "state")
        self.clicks, self.counts = topic("clicks"), topic("counts")
        self.script = SCRIPT.format(clicks=self.clicks, counts=self.counts)

    def send(self, pages: str) -> None:
        lines = [json.dumps({"page": page}).encode() for page in pages]
        produce(self.properties, self.clicks, [Record(value=line) for line in lines])

    def found(self) -> list[dict[str, Any]]:
        records = consume(self.properties, self.counts, from_beginning=True, until_end=True)
        return [json.loads(record.value or b"") for record in records]

    def totals(self) -> Counter[tuple[str, str]]:
        total: Counter[tuple[str, str]] = Counter()
        for row in self.found():
            total[row["kind"], row["page"]] += row["n"]
        return total

    def drain(self) -> None:
        job = self.session.execute(self.script, name=self.clicks, drain=True)
        assert job.wait(WAIT_S)


@pytest.fixture
def clicks(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[[str], str], tmp_path: Path
) -> Clicks:
    return Clicks(spark, broker.address, topic, tmp_path)


def expected(pages: str) -> Counter[tuple[str, str]]:
    found = Counter({(k, p): n * TIMES[k] for k in TIMES for p, n in Counter(pages).items()})
    found["all", ""] = len(pages)
    return found


def test_the_clock_closes_windows_also_without_rows(clicks: Clicks) -> None:
    clicks.send("aab")
    job = clicks.session.execute(clicks.script, name=clicks.clicks)
    try:
        until = time.monotonic() + WAIT_S
        while clicks.totals() != expected("aab") and time.monotonic() < until:
            time.sleep(1)
    finally:
        job.stop()
    assert clicks.totals() == expected("aab")
    # What a run reads and leaves open, the next one tells, though it reads nothing more.
    clicks.send("bbc")
    clicks.drain()
    time.sleep(4)
    clicks.drain()
    assert clicks.totals() == expected("aabbbc")
    rows = clicks.found()
    assert len({(row["kind"], row["page"], row["w_end"]) for row in rows}) == len(rows)
    for row in rows:
        start, end = (datetime.fromisoformat(row[bound]) for bound in ("w_start", "w_end"))
        if row["kind"] in SIZES:
            assert end - start == timedelta(seconds=SIZES[row["kind"]])
            assert start.microsecond == 0
