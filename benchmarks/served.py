"""Rows per second of a view that is made while `penstock serve` runs, as ClickHouse's server does.

The server has read the events of `clickhouse_ingest` by then: what is measured is neither the start
of a JVM nor its warm-up, which 200,000 events would be over before. A block of theirs has an eighth
of them: by itself a block would take them all, and there would be nothing after the first.
"""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import ingest, topics
from benchmarks.peers import SQL, Job, Side, interleaved, running
from benchmarks.report import AT_LEAST, OURS, Bar, Comparison, compared
from penstock.sql.parse import fill_variables

if TYPE_CHECKING:
    from benchmarks.peers import Running

_CASE = "clickhouse_served"
_ROWS = 200_000
_BEFORE, _INPUT = "bench_github_before", "bench_github_served"
_TIMEOUT_S = 600.0
_LOOK_S = 0.5
_BLOCK = f" SETTINGS kafka_max_block_size = {_ROWS // 8}"
_PENSTOCK = str(Path(sys.executable).with_name("penstock"))
CASES: dict[str, tuple[Side, ...]] = {_CASE: (Side(OURS, "penstock", "clickhouse_ingest"),)}
_BAR = Bar(AT_LEAST, 100_000, absolute=True)


def compare(address: str, folder: Path, *, rounds: int) -> list[Comparison]:
    """Penstock alone: nothing else here is a server."""
    ingest.fill(address, _BEFORE, rows=topics.ROWS)
    ingest.fill(address, _INPUT, rows=_ROWS)

    def measure(side: Side, number: int) -> float:
        output = f"{_CASE}_{number}"
        before = Job(side, address, _BEFORE, f"{output}_before", folder / output, ends=False)
        smaller = replace(side, options=_BLOCK)
        served = Job(smaller, address, _INPUT, output, folder / output, ends=False)
        return _run(before, served)

    taken = interleaved(CASES[_CASE], rounds, measure)
    return compared(_CASE, "rows/s", taken, own_bar=_BAR)


def _run(before: Job, served: Job) -> float:
    warehouse = served.folder / "w"
    _declare(warehouse, "before", before)
    command = [_PENSTOCK, "serve", "--warehouse", str(warehouse)]
    with running(command, served.folder / "serve.log") as server:
        _read(server, warehouse, "before", rows=topics.ROWS)
        _declare(warehouse, "served", served)
        return ingest.rate(_read(server, warehouse, "served", rows=_ROWS))


def _declare(warehouse: Path, table: str, job: Job) -> None:
    """A table, its Kafka table and the view between them, all under names of their own."""
    text = (SQL / f"{job.side.script}.sql").read_text(encoding="utf-8").replace("github", table)
    script = fill_variables(text, job.variables)
    job.folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [_PENSTOCK, "sql", "--warehouse", str(warehouse), "-f", "-"],
        input=script.encode(),
        check=True,
    )


def _read(server: Running, warehouse: Path, table: str, *, rows: int) -> list[tuple[float, int]]:
    """Wait until a table has all rows; the batches they came in."""
    deadline = time.monotonic() + _TIMEOUT_S
    (log,) = warehouse.glob(f"tables/{table}-*/_delta_log")
    while sum(found for _, found in ingest.batches(log)) < rows:
        if server.has_ended() or time.monotonic() > deadline:
            raise server.failure(f"did not read all of {table}")
        time.sleep(_LOOK_S)
    return ingest.batches(log)
