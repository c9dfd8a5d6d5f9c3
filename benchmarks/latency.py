"""End-to-end latency at a steady 200 messages per second: from `produce` to the reader's hands.

A process of its own sends messages that carry their send time; this one reads what the job made of
them. After the first one has come, a warm-up is thrown away, then every message counts.
"""

from __future__ import annotations

import json
import statistics
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks import topics
from benchmarks.peers import Job, Running, Side, interleaved, running, started
from benchmarks.reader import Reader, reading
from benchmarks.report import AT_MOST, Bar, Comparison, compared
from benchmarks.traffic import now_us

if TYPE_CHECKING:
    from pathlib import Path

PER_SECOND = 200
# Until the JVM's compilers are done with what runs per message.
WARM_UP_S = 10
# Spark's real-time mode keeps a core per partition.
_PARTITIONS = 2
_TIMEOUT_S = 300.0
# Partitions may be read out of step: what was sent before the end is waited for this long.
_GRACE_S = 3

CASES: dict[str, tuple[Side, ...]] = {
    "latency": (
        Side("Penstock", "penstock", "latency", "real-time"),
        Side("Flink SQL", "flink", "latency"),
        Side("PySpark by hand, real-time", "by_hand", "latency", "real-time"),
        Side("Penstock, micro-batch", "penstock", "latency"),
    )
}
_BARS: dict[str, dict[str, Bar]] = {
    "p50": {"Flink SQL": Bar(AT_MOST, 1.0)},
    "p99": {"Flink SQL": Bar(AT_MOST, 2.0)},
    "longest": {},
}


@dataclass(frozen=True, slots=True)
class Latencies:
    """What one run showed, in milliseconds."""

    p50: float
    p99: float
    longest: float


def compare(
    peers: tuple[str, ...], address: str, folder: Path, *, rounds: int, seconds: int
) -> list[Comparison]:
    """All sides, interleaved."""
    sides = tuple(side for side in CASES["latency"] if side.peer in peers)

    def measure(side: Side, number: int) -> Latencies:
        name = f"latency_{side.peer}_{side.latency}_{number}"
        job = Job(side, address, f"{name}_in", name, folder / name, ends=False)
        return _run(job, seconds=seconds)

    taken = interleaved(sides, rounds, measure)
    comparisons = []
    for figure, bars in _BARS.items():
        values = {name: [getattr(run, figure) for run in runs] for name, runs in taken.items()}
        comparisons += compared("latency", f"{figure}, ms", values, bars=bars)
    return comparisons


def _run(job: Job, *, seconds: int) -> Latencies:
    for topic in (job.input, job.output):
        topics.fresh_topic(job.address, topic, partitions=_PARTITIONS)
    traffic = [sys.executable, "-m", "benchmarks.traffic", job.address, job.input, str(PER_SECOND)]
    with (
        reading(job.address, job.output, partitions=_PARTITIONS) as reader,
        started(job) as process,
        running(traffic, job.folder / "traffic.log"),
    ):
        taken = _collect(reader, process, seconds=seconds)
    percentiles = statistics.quantiles(taken, n=100)
    return Latencies(percentiles[49], percentiles[98], max(taken))


def _collect(reader: Reader, job: Running, *, seconds: int) -> list[float]:
    """The latencies of all messages sent in the seconds after the warm-up, in milliseconds."""
    reader.next(job, timeout_s=_TIMEOUT_S)
    begin = now_us() + WARM_UP_S * 1_000_000
    end = begin + seconds * 1_000_000
    taken: dict[int, float] = {}
    sent = 0
    while sent < end + _GRACE_S * 1_000_000:
        message = json.loads(reader.next(job, timeout_s=_TIMEOUT_S))
        sent = int(message["sent"])
        if begin <= sent < end:
            taken.setdefault(int(message["id"]), (now_us() - sent) / 1000)
    if len(taken) != max(taken) - min(taken) + 1:
        raise SystemExit(f"{max(taken) - min(taken) + 1 - len(taken)} messages were lost")
    return list(taken.values())
