"""Rows per second, Kafka to Kafka: from the first row in the output topic to the last.

A run is a process of its own on a fresh output topic, which ends when it has read all input rows.
Its first row is dated by the broker, which stamps what it appends; its last is when the committed
ends of the topic stop growing, looked at twenty times a second. The rate is that of the input rows
in between; the start and end of the process count in the second figure, its whole time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks import topics
from benchmarks.peers import Job, Running, Side, interleaved, started
from benchmarks.report import AT_LEAST, Bar, Comparison, compared

if TYPE_CHECKING:
    from pathlib import Path

INPUT = "bench_events"
_POLL_S = 0.05
_LETTERS = (
    f", 'scan.deser.failure-handler' = 'kafka', 'scan.deser.failure-topic' = '{INPUT}_dead_letters'"
)
_NO_HANDLER = Side("Penstock, no handler", "penstock", "filter")
_AT_LEAST_ONCE = Side("Penstock, at-least-once", "penstock", "pass_through")


def _everyone(script: str) -> tuple[Side, ...]:
    return (
        Side("Penstock", "penstock", script),
        Side("PySpark by hand", "by_hand", script),
        Side("Flink SQL", "flink", script),
    )


CASES: dict[str, tuple[Side, ...]] = {
    "pass_through": _everyone("pass_through"),
    "filter": _everyone("filter"),
    "exactly_once": (
        Side("Penstock", "penstock", "exactly_once"),
        _AT_LEAST_ONCE,
        Side("Flink SQL", "flink", "exactly_once"),
    ),
    "dead_letters": (Side("Penstock", "penstock", "filter", options=_LETTERS), _NO_HANDLER),
}
_BARS = {
    ("pass_through", "PySpark by hand"): Bar(AT_LEAST, 0.95),
    ("pass_through", "Flink SQL"): Bar(AT_LEAST, 1.1),
    ("filter", "PySpark by hand"): Bar(AT_LEAST, 0.95),
    ("filter", "Flink SQL"): Bar(AT_LEAST, 1.2),
    ("exactly_once", _AT_LEAST_ONCE.name): Bar(AT_LEAST, 0.85),
    ("dead_letters", _NO_HANDLER.name): Bar(AT_LEAST, 0.97),
}


@dataclass(frozen=True, slots=True)
class Run:
    """What one run took."""

    rows_per_s: float
    whole_s: float


def compare(
    case: str, peers: tuple[str, ...], address: str, folder: Path, *, rounds: int
) -> list[Comparison]:
    """All sides of a case, interleaved."""
    sides = tuple(side for side in CASES[case] if side.peer in peers)

    def measure(side: Side, number: int) -> Run:
        output = f"{case}_{side.peer}_{sides.index(side)}_{number}"
        return _run(Job(side, address, INPUT, output, folder / output, ends=True))

    taken = interleaved(sides, rounds, measure)
    rates = {name: [run.rows_per_s for run in runs] for name, runs in taken.items()}
    whole = {name: [run.whole_s for run in runs] for name, runs in taken.items()}
    bars = {other: bar for (of, other), bar in _BARS.items() if of == case}
    return [
        *compared(case, "rows/s", rates, bars=bars),
        *compared(case, "whole process, s", whole),
    ]


def _run(job: Job) -> Run:
    topics.fresh_topic(job.address, job.output)
    output = topics.Output(job.address, job.output)
    began = time.time()
    with started(job) as process:
        last_at = _last_at(process, output)
    whole_s = time.time() - began
    filters = job.side.script == "filter"
    expected = topics.ROWS // len(topics.BEHAVIORS) if filters else topics.ROWS
    if (found := output.count()) != expected:
        raise SystemExit(f"{job.output} has {found:,} rows, expected {expected:,}")
    running_s = max(last_at - output.first_at(), _POLL_S)
    topics.drop(job.address, job.output)
    return Run(topics.ROWS / running_s, whole_s)


def _last_at(process: Running, output: topics.Output) -> float:
    """When the last row could be read, once the process has ended."""
    ends, grown_at, over = output.ends(), time.time(), False
    while not over:
        over = process.has_ended()
        if (now := output.ends()) != ends:
            ends, grown_at = now, time.time()
        time.sleep(_POLL_S)
    return grown_at
