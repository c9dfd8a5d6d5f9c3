"""Tables that change: groups, windows, retractions and joins, from Kafka to Kafka.

What such a job writes it may write at its end, so its rate is taken from whole processes: the rows
divided by how much longer the job takes over the full input than over a few rows. Start and end of
the process are the same in both and count in neither.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks import growing, topics
from benchmarks.peers import Job, Side, interleaved, started
from benchmarks.report import AT_LEAST, OURS, Bar, Comparison, compared

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_FEW = 100


@dataclass(frozen=True, slots=True)
class Case:
    """A script, what fills its topics, and how many rows of output there must be at least.

    `keyed` output counts by key. Several tables share the rows.
    """

    fill: Callable[[str, str, int], None]
    outputs: Callable[[int], int]
    bar: Bar | None = None
    keyed: bool = True


def _events(address: str, topic: str, rows: int) -> None:
    topics.fill(address, topic, rows=rows)


def _visits(address: str, topic: str, rows: int) -> None:
    topics.fill_table(address, topic, topics.visits(rows))


def _two_tables(address: str, topic: str, rows: int) -> None:
    topics.fill_table(address, topic, topics.people(rows // 2))
    topics.fill_table(address, f"{topic}_accounts", topics.accounts(rows // 2))


def _categories(rows: int) -> int:
    return min(rows // 2, topics.CATEGORIES)


def _windows(rows: int) -> int:
    """The last ones stay open where a stream is drained."""
    return rows // 25


SCRIPTS: dict[str, Case] = {
    "group_count": Case(_events, lambda rows: min(rows, topics.USERS) // 2, Bar(AT_LEAST, 1.3)),
    "tumbling": Case(_events, _windows, Bar(AT_LEAST, 1.0), keyed=False),
    "tumbling_distinct": Case(_events, _windows, keyed=False),
    "count_distinct": Case(_events, _categories),
    "retractions": Case(
        _visits, lambda rows: min(rows // 2, topics.CATEGORIES), Bar(AT_LEAST, 0.6)
    ),
    "join": Case(_two_tables, lambda rows: rows // 2, Bar(AT_LEAST, 0.6)),
}
CASES: dict[str, tuple[Side, ...]] = {
    name: (Side(OURS, "penstock", name), Side("Flink SQL", "flink", name)) for name in SCRIPTS
}


def compare(
    name: str, peers: tuple[str, ...], address: str, folder: Path, *, rounds: int
) -> list[Comparison]:
    """Both sides of a case, interleaved; and whether a row costs more as the state grows."""
    sides = tuple(side for side in CASES[name] if side.peer in peers)
    case = SCRIPTS[name]
    sizes = (_FEW, topics.ROWS)
    for size in sizes:
        case.fill(address, _topic(name, size), size)

    def measure(side: Side, number: int) -> list[float]:
        return [_seconds(case, side, address, folder, size=size, number=number) for size in sizes]

    taken = interleaved(sides, rounds, measure)
    rates = {
        who: [topics.ROWS / (times[-1] - times[0]) for times in runs] for who, runs in taken.items()
    }
    whole = {who: [times[-1] for times in runs] for who, runs in taken.items()}
    return [
        *compared(name, "rows/s", rates, bars={"Flink SQL": case.bar} if case.bar else {}),
        *compared(name, "whole process, s", whole),
        *(growing.compare(address, folder, rounds=rounds) if name == "count_distinct" else []),
    ]


def _topic(name: str, rows: int) -> str:
    return f"bench_{name}_{rows}"


def _seconds(
    case: Case, side: Side, address: str, folder: Path, *, size: int, number: int
) -> float:
    """How long the process takes, from its start to its end."""
    output = f"{side.script}_{side.peer}_{size}_{number}"
    topics.fresh_topic(address, output)
    job = Job(side, address, _topic(side.script, size), output, folder / output, ends=True)
    began = time.monotonic()
    with started(job) as process:
        while not process.has_ended():
            time.sleep(0.05)
    took = time.monotonic() - began
    made = topics.Output(address, output)
    found = made.keys() if case.keyed else made.count()
    if size > _FEW and found < case.outputs(size):
        raise SystemExit(f"{output} has {found:,} rows, expected {case.outputs(size):,}")
    topics.drop(address, output)
    return took
