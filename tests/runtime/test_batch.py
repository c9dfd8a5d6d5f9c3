"""Bounded queries as Spark batches: they end by themselves, run again, fail and stop."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from penstock import DataError, Session
from tests.helpers import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

BOUNDED = """
CREATE TABLE numbers (n BIGINT) WITH (
  'connector' = 'datagen', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1',
  'fields.n.end' = '{end}'
);
CREATE TABLE endless (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '10');
CREATE TABLE kept (n BIGINT) WITH ('connector' = 'x');
CREATE TABLE lost (n BIGINT) WITH ('connector' = 'blackhole');
"""
COPY = "INSERT INTO kept SELECT n FROM numbers;"
ENDLESS = "INSERT INTO lost SELECT n FROM endless;"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


@pytest.fixture
def session(spark: SparkSession, tmp_path: Path, out: Path) -> Session:
    return Session(spark, bindings={"kept": str(out)}, state_dir=tmp_path / "state")


def test_it_ends_by_itself_and_runs_again(session: Session, out: Path) -> None:
    for end in (3, 2):
        job = session.execute(BOUNDED.format(end=end) + COPY)
        assert job.ends
        assert not job.resumed
        assert job.wait(60)
        assert out.read_text() == "".join(f'{{"n":{n}}}\n' for n in range(1, end + 1))
        (progress,) = job.progress()
        assert (progress.query, progress.rows_in, progress.rows_out) == ("kept", end, end)


def test_a_bounded_query_ends_beside_one_that_does_not(session: Session, out: Path) -> None:
    job = session.execute(BOUNDED.format(end=3) + COPY + ENDLESS)
    assert not job.ends
    wait_until(lambda: out.exists() and out.read_text().count("\n") == 3, timeout_s=60)
    wait_until(lambda: job.progress()[1].rows_in > 0, timeout_s=60)
    assert not job.wait(0.2)
    job.stop()
    assert not job.is_active


def test_a_failure_is_told_and_leaves_the_old_file(session: Session, out: Path) -> None:
    assert session.execute(BOUNDED.format(end=3) + COPY).wait(60)
    before = out.read_text()
    failing = COPY.replace("SELECT n", "SELECT 10 / (n - 2)")
    job = session.execute(BOUNDED.format(end=3) + failing + ENDLESS)
    with pytest.raises(DataError) as caught:
        job.wait(60)
    assert caught.value.code == "BAD_VALUE"
    assert not job.is_active, "the other query was stopped too"
    assert out.read_text() == before


def test_it_can_be_stopped(session: Session, out: Path) -> None:
    slow = COPY.replace("FROM numbers", "FROM numbers WHERE SHA512(CAST(n AS STRING)) = 'x'")
    job = session.execute(BOUNDED.format(end=10**12) + slow)
    wait_until(lambda: job.progress()[0].rows_in >= 0, timeout_s=60)
    assert not job.wait(1)
    began = time.monotonic()
    job.stop()
    assert time.monotonic() - began < 20
    assert not job.is_active
    job.raise_failure()
    assert not out.exists()


def test_windows_of_a_bound_file_all_come_out(session: Session, tmp_path: Path, out: Path) -> None:
    lines = tmp_path / "in.jsonl"
    lines.write_text('{"at":"2024-01-01 00:00:01"}\n{"at":"2024-01-01 00:01:01"}\n')
    bound = Session(
        session._spark,
        bindings={"events": str(lines), "kept": str(out)},
        state_dir=tmp_path / "state",
    )
    text = (
        "CREATE TABLE events (at TIMESTAMP(3), WATERMARK FOR at AS at) WITH ('connector' = 'x');"
        "CREATE TABLE kept (n BIGINT) WITH ('connector' = 'x');"
        "INSERT INTO kept SELECT COUNT(*) "
        "FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(at), INTERVAL '1' MINUTE)) "
        "GROUP BY window_start, window_end;"
    )
    assert bound.execute(text).wait(60)
    assert out.read_text() == '{"n":1}\n{"n":1}\n'


def test_distinct_values_are_aggregated_with_over(session: Session, out: Path) -> None:
    frame = "OVER (ORDER BY n ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)"
    query = f"""DROP TABLE kept; CREATE TABLE kept (
      n BIGINT, c BIGINT, s INT, a INT, d DECIMAL(38, 2), m INT, f BIGINT
    ) WITH ('connector' = 'x');
    INSERT INTO kept
    SELECT n, COUNT(DISTINCT x) {frame}, SUM(DISTINCT x) {frame}, AVG(DISTINCT x) {frame},
      SUM(DISTINCT CAST(x AS DECIMAL(10, 2)) / 4) {frame}, MAX(DISTINCT x) {frame},
      COUNT(DISTINCT x) FILTER (WHERE n > 4) {frame}
    FROM (SELECT n, CAST(NULLIF(MOD(n, 3), 2) AS INT) + 3 AS x FROM numbers);"""
    # x is 4, NULL, 3, 4, NULL, 3.
    assert session.execute(BOUNDED.format(end=6) + query).wait(60)
    rows = [tuple(json.loads(line).values()) for line in out.read_text().splitlines()]
    assert rows == [
        (1, 1, 4, 4, 1.00, 4, 0),
        (2, 1, 4, 4, 1.00, 4, 0),
        (3, 2, 7, 3, 1.75, 4, 0),
        (4, 2, 7, 3, 1.75, 4, 0),
        (5, 2, 7, 3, 1.75, 4, 0),
        (6, 2, 7, 3, 1.75, 4, 1),
    ]


def test_a_stage_that_spark_let_go_of_counts_nothing(spark: SparkSession) -> None:
    from penstock.spark.batch import _last_attempt

    store = spark.sparkContext._jsc.sc().statusStore()
    assert _last_attempt(store, 2**30) is None
