"""`penstock status`: what jobs say of themselves, while they run and after they ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from penstock import OptionError, Session
from penstock.catalog.definitions import Definition, Definitions
from penstock.catalog.warehouse import Warehouse
from penstock.cli.status import status_text, warehouse_text
from penstock.cli.view import plain_line, progress_table
from penstock.kafka.record import Record
from penstock.kafka.records import produce
from penstock.runtime.operator_state import OperatorState
from penstock.runtime.progress import PartitionLag, Progress
from penstock.runtime.state import JobFolder
from penstock.runtime.status import JobStatus, QueryStatus, idle_status, write_status
from penstock.runtime.traffic import TableTraffic
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

MOMENT = "2026-01-02T03:04:05.000+00:00"
TABLES = (
    TableTraffic(
        "orders",
        1200,
        48_000,
        rows_lost=7,
        skipped=4,
        dead_letters=2,
        rows_in_per_s=120.4,
        bytes_in_per_s=4800,
    ),
    TableTraffic("paid", rows_out=600, bytes_out=9000, rows_out_per_s=60, bytes_out_per_s=900),
)
QUERY = QueryStatus(
    "paid",
    "running",
    "micro-batches, append mode",
    "exactly-once",
    ("billing",),
    1200,
    600,
    120.4,
    60.0,
    3,
    12,
    5,
    (OperatorState("Aggregate by `k`", 5, 1_200_000, 3_450_000),),
    "2026-01-02T03:00:00.000Z",
    {"orders": "orders/1 2026-01-02 03:00:00"},
    TABLES,
)


def keep(folder: Path, job: str, **changes: Any) -> None:
    facts = {"state": "running", "pid": os.getpid(), "error": None, **changes}
    status = JobStatus(
        job=job,
        started_at=MOMENT,
        updated_at=MOMENT,
        resumed=False,
        queries=(QUERY,),
        **facts,
    )
    place = JobFolder.of(job, folder).path
    place.mkdir(parents=True)
    write_status(place, status)


def test_a_running_job(tmp_path: Path) -> None:
    keep(tmp_path, "bills")
    text = status_text("bills", tmp_path, as_json=False)
    for line in (
        f"bills: running, process {os.getpid()}, started 2026-",
        "  paid: running, micro-batches, append mode, exactly-once",
        "    1,200 rows in (120/s), 600 out (60/s), lag 3, 12 batches",
        "    5 rows of state",
        "      Aggregate by `k`: 5 rows, 1.2 MB on disk, 3.5 MB in memory",
        "    watermark 2026-01-02T03:00:00.000Z",
        "    watermark of orders held back by orders/1 2026-01-02 03:00:00",
        "    offsets committed to group billing",
        "    7 messages of orders were gone before they were read",
        "    4 messages of orders could not be read and were skipped",
        "    2 messages of orders could not be read and are dead letters",
        "    orders    1,200     120       4,800         0       0            0",
        "    paid          0       0           0       600      60          900",
    ):
        assert line in text


def test_a_process_that_is_gone_was_killed(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                           check=True, capture_output=True)  # fmt: skip
    keep(tmp_path, "bills", pid=int(ended.stdout))
    found = json.loads(status_text("bills", tmp_path, as_json=True))
    assert (found["state"], found["queries"][0]["state"]) == ("killed", "killed")


def test_what_a_job_failed_with_stays(tmp_path: Path) -> None:
    keep(tmp_path, "bills", state="failed", error=("BAD_MESSAGE", "A message is bad."))
    assert "  error[BAD_MESSAGE] A message is bad." in status_text("bills", tmp_path, as_json=False)
    found = json.loads(status_text("bills", tmp_path, as_json=True))
    assert found["error"] == {"code": "BAD_MESSAGE", "text": "A message is bad."}


def test_all_jobs_and_none(tmp_path: Path) -> None:
    assert status_text(None, tmp_path / "none", as_json=False).startswith("No job has run in ")
    for job in ("b/c", "a"):
        keep(tmp_path, job)
    found = json.loads(status_text(None, tmp_path, as_json=True))
    assert [job["job"] for job in found] == ["a", "b/c"]
    with pytest.raises(OptionError) as caught:
        status_text("d", tmp_path, as_json=False)
    assert "'a', 'b/c'" in str(caught.value)


SCRIPT = """
SET 'pipeline.name' = 'copying';
CREATE TABLE numbers (n INT) WITH ('connector' = 'kafka', 'topic' = '{source}',
  'properties.bootstrap.servers' = '{address}', 'properties.group.id' = '{source}',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
CREATE TABLE copies (n INT) WITH ('connector' = 'kafka', 'topic' = '{sink}',
  'properties.bootstrap.servers' = '{address}', 'format' = 'json');
INSERT INTO copies SELECT n FROM numbers;
"""


@pytest.mark.kafka
def test_a_job_says_how_it_does(
    spark: SparkSession, broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> None:
    source, script = topic("numbers"), tmp_path / "copy.sql"
    text = SCRIPT.format(source=source, sink=topic("copies"), address=broker.address)
    script.write_text(text)
    records = [Record(json.dumps({"n": n}).encode()) for n in range(20)]
    produce({"bootstrap.servers": broker.address}, source, records)
    job = Session(spark, state_dir=tmp_path / ".penstock").execute(text)

    def query() -> dict[str, Any]:
        job.wait(0.2)
        found = json.loads(status_text(str(script), None, as_json=True))
        assert (found["job"], found["state"]) == ("copying", "running")
        queries: list[dict[str, Any]] = found["queries"]
        return queries[0]

    wait_until(lambda: query()["rows_in"] == 20, timeout_s=60)
    wait_until(lambda: len(query()["tables"]) == 2)
    found = query()
    assert (found["rows_out"], found["lag"], found["groups"]) == (20, 0, [source])
    assert (found["guarantee"], found["state"]) == ("at-least-once", "running")
    numbers = {table["table"]: table for table in found["tables"]}
    assert (numbers["numbers"]["rows_in"], numbers["numbers"]["rows_lost"]) == (20, 0)
    assert numbers["numbers"]["bytes_in"] == sum(len(record.value or b"") for record in records)
    assert (numbers["copies"]["rows_out"], numbers["copies"]["bytes_out"] > 0) == (20, True)
    job.stop()
    assert "copying: stopped, " in status_text("copying", tmp_path / ".penstock", as_json=False)


def test_a_running_job_tells_what_was_left_out() -> None:
    progress = Progress("paid", rows_in=1200, rows_out=600, tables=TABLES)
    assert plain_line(progress) == "paid: 1,200 rows in (0/s), 600 out, 4 skipped, 2 dead letters"
    shown = Console(width=120, record=True, file=StringIO())
    shown.print(progress_table([progress], with_tables=True))
    assert "0.0 MB/s, 6 bad" in shown.export_text()


def test_a_warehouse_tells_of_its_views(tmp_path: Path) -> None:
    with pytest.raises(OptionError) as caught:
        warehouse_text(tmp_path, as_json=False)
    assert caught.value.code == "UNKNOWN_WAREHOUSE"
    objects = tuple(
        Definition(name, "materialized view", "", "", "default", detached=name == "c")
        for name in ("paid", "b", "c", "d")
    )
    Warehouse(tmp_path).write(Definitions((), objects))
    assert warehouse_text(tmp_path, as_json=False).splitlines()[:3] == [
        "warehouse: never run",
        "  paid: waiting",
        "    nobody runs it",
    ]
    lag = (PartitionLag("orders", 0, 5, 1005), PartitionLag("orders", 1, 7, 7))
    failing = idle_status("b", "failing", "Out of luck.", None)
    running = replace(QUERY, partitions=lag)
    write_status(
        tmp_path,
        JobStatus(
            "warehouse", "running", os.getpid(), MOMENT, MOMENT, True, None, (running, failing)
        ),
    )
    told = warehouse_text(tmp_path, as_json=False)
    assert "    lag by partition: orders/0 1,000\n" in told
    assert "  b: failing\n    Out of luck.\n  c: waiting\n    detached\n" in told
    assert told.endswith("  d: waiting\n    nobody runs it")
    shown = json.loads(warehouse_text(tmp_path, as_json=True))
    assert shown["queries"][0]["partitions"][1] == {
        "topic": "orders",
        "partition": 1,
        "read": 7,
        "end": 7,
    }
