"""Rows per second from Kafka into a table at rest, by a view of ClickHouse's Kafka guide.

The events are those of `examples/clickhouse`. Both sides write a Delta table, whose log says when
each batch was committed and how many rows it has: the rate is that of all batches but the first,
from the commit of the first to that of the last.
"""

from __future__ import annotations

import json
import runpy
import sys
import time
from dataclasses import replace
from itertools import cycle
from typing import TYPE_CHECKING

from benchmarks import topics
from benchmarks.peers import ROOT, Job, Side, interleaved, running, started
from benchmarks.report import AT_LEAST, OURS, Bar, Comparison, compared
from penstock.kafka.record import Record
from penstock.kafka.records import produce

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from benchmarks.peers import Running

_CASE = "clickhouse_ingest"
_BY_HAND = "PySpark by hand"
_INPUT = "bench_github"
_GENERATOR = ROOT / "examples" / "clickhouse" / "generate.py"
_BATCHES = 8
CASES: dict[str, tuple[Side, ...]] = {
    _CASE: (Side(OURS, "penstock", _CASE), Side(_BY_HAND, "by_hand", _CASE))
}
_BAR = Bar(AT_LEAST, 100_000, absolute=True)
_BARS = {_BY_HAND: Bar(AT_LEAST, 0.9)}


def compare(peers: tuple[str, ...], address: str, folder: Path, *, rounds: int) -> list[Comparison]:
    """Both sides, interleaved."""
    sides = tuple(side for side in CASES[_CASE] if side.peer in peers)
    fill(address, _INPUT, rows=topics.ROWS)

    def measure(side: Side, number: int) -> tuple[float, float]:
        output = f"{_CASE}_{side.peer}_{number}"
        side = replace(side, options=f" SETTINGS kafka_max_block_size = {_per_batch()}")
        return _run(Job(side, address, _INPUT, output, folder / output, ends=True))

    taken = interleaved(sides, rounds, measure)
    rates = {name: [rate for rate, _ in runs] for name, runs in taken.items()}
    whole = {name: [whole_s for _, whole_s in runs] for name, runs in taken.items()}
    return [
        *compared(_CASE, "rows/s", rates, bars=_BARS, own_bar=_BAR),
        *compared(_CASE, "whole process, s", whole),
    ]


def fill(address: str, topic: str, *, rows: int) -> None:
    """A fresh topic of so many events."""
    topics.fresh_topic(address, topic)
    print(f"• writing {rows:,} events of GitHub", file=sys.stderr)
    produce({"bootstrap.servers": address}, topic, _records(rows))


def batches(log: Path) -> list[tuple[float, int]]:
    """When each batch was committed, by the log of a Delta table, and how many rows it has."""
    return sorted(filter(None, map(_batch, log.glob("*.json"))))


def rate(found: list[tuple[float, int]]) -> float:
    """Rows per second of all batches but the first."""
    (first_at, _), (last_at, _) = found[0], found[-1]
    return sum(rows for _, rows in found[1:]) / (last_at - first_at)


def _per_batch() -> int:
    return max(1, topics.ROWS // _BATCHES)


def _records(rows: int) -> Iterator[Record]:
    lines = runpy.run_path(str(_GENERATOR))["lines"](rows, seed=1)
    for line, partition in zip(lines, cycle(range(topics.PARTITIONS)), strict=False):
        yield Record(line.encode(), partition=partition)


def _run(job: Job) -> tuple[float, float]:
    """Rows per second, and the seconds of the whole process."""
    began = time.monotonic()
    with _started(job) as process:
        while not process.has_ended():
            time.sleep(0.05)
    whole_s = time.monotonic() - began
    (log,) = job.folder.rglob("_delta_log")
    found = batches(log)
    total = sum(rows for _, rows in found)
    if total != topics.ROWS or len(found) == 1:
        raise SystemExit(f"{job.output} has {total:,} rows of {len(found)} batches")
    return rate(found), whole_s


def _started(job: Job) -> AbstractContextManager[Running]:
    if job.side.peer == "penstock":
        return started(job)
    job.folder.mkdir(parents=True)
    table, checkpoint = str(job.folder / "table"), str(job.folder / "checkpoint")
    places = (job.address, job.input, table, checkpoint, str(_per_batch()))
    command = [sys.executable, "-m", "benchmarks.ingest_by_hand", *places]
    return running(command, job.folder / f"{job.output}.log")


def _batch(commit: Path) -> tuple[float, int] | None:
    """When this commit of a Delta table was made, and how many rows it added, if any."""
    actions = [json.loads(line) for line in commit.read_text(encoding="utf-8").splitlines()]
    adds = [action["add"] for action in actions if "add" in action]
    rows = sum(json.loads(add["stats"])["numRecords"] for add in adds if add["dataChange"])
    (made,) = (action["commitInfo"] for action in actions if "commitInfo" in action)
    return (made["timestamp"] / 1000, rows) if rows else None
