"""From the start of a job's process to its first row in the output topic, everything fetched."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks import topics
from benchmarks.peers import Job, Side, interleaved, started
from benchmarks.reader import reading
from benchmarks.report import AT_MOST, Bar, Comparison, compared

if TYPE_CHECKING:
    from pathlib import Path

_INPUT = "bench_few_events"
_ROWS = 100
_TIMEOUT_S = 300.0

CASES: dict[str, tuple[Side, ...]] = {
    "startup": (
        Side("Penstock", "penstock", "pass_through"),
        Side("PySpark by hand", "by_hand", "pass_through"),
        Side("Flink SQL", "flink", "pass_through"),
    )
}
_BAR = Bar(AT_MOST, 8.0, absolute=True)


def compare(peers: tuple[str, ...], address: str, folder: Path, *, rounds: int) -> list[Comparison]:
    """All sides, interleaved; the first round warms the disk's cache and does not count."""
    topics.fill(address, _INPUT, rows=_ROWS)
    sides = tuple(side for side in CASES["startup"] if side.peer in peers)

    def measure(side: Side, number: int) -> float:
        output = f"startup_{side.peer}_{number}"
        return _run(Job(side, address, _INPUT, output, folder / output, ends=False))

    taken = interleaved(sides, rounds + 1, measure)
    counted = {name: seconds[1:] for name, seconds in taken.items()}
    return compared("startup", "first row, s", counted, own_bar=_BAR)


def _run(job: Job) -> float:
    topics.fresh_topic(job.address, job.output)
    with reading(job.address, job.output, partitions=topics.PARTITIONS) as reader:
        began = time.monotonic()
        with started(job) as process:
            reader.next(process, timeout_s=_TIMEOUT_S)
            return time.monotonic() - began
