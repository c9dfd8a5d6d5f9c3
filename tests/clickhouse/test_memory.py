"""Millions of events into a table at rest: the process needs no more memory for the last ones."""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock.kafka.record import Record
from penstock.kafka.records import produce

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.kafka.broker import BrokerStatus

pytestmark = [pytest.mark.kafka, pytest.mark.slow]

_ROOT = Path(__file__).parents[2]
_GENERATOR = _ROOT / "examples" / "clickhouse" / "generate.py"
_SCRIPT = _ROOT / "benchmarks" / "sql" / "clickhouse_ingest.sql"
_EVENTS, _DIFFERENT, _BLOCK = 10_000_000, 200_000, 250_000
_MOST_GROWTH = 1.1
_LIMIT_S = 1800


def test_memory_stays_as_it_is(
    broker: BrokerStatus, topic: Callable[..., str], tmp_path: Path
) -> None:
    events = topic("github", partitions=4)
    lines = [line.encode() for line in runpy.run_path(str(_GENERATOR))["lines"](_DIFFERENT, seed=1)]
    records = (
        Record(line, partition=number % 4)
        for number, line in enumerate(islice(cycle(lines), _EVENTS))
    )
    produce({"bootstrap.servers": broker.address}, events, records)
    variables = {
        "address": broker.address,
        "input": events,
        "output": f"{events}_group",
        "options": f" SETTINGS kafka_max_block_size = {_BLOCK}",
    }
    settings = {"penstock.state.dir": str(tmp_path), "spark.driver.memory": "1g"}
    command = [
        *(sys.executable, "-m", "penstock", "run", str(_SCRIPT), "--drain"),
        *(word for pair in variables.items() for word in ("--var", "=".join(pair))),
        *(word for pair in settings.items() for word in ("--set", "=".join(pair))),
    ]
    with (tmp_path / "out.txt").open("wb") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True)
    try:
        taken = _watched(process, tmp_path)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == 0, (tmp_path / "out.txt").read_text()[-2000:]
    half = len(taken) // 2
    first, second = max(taken[:half]), max(taken[half:])
    print(f"{_EVENTS:,} events; at most {first / 1e9:.2f} GB, then {second / 1e9:.2f} GB")
    assert second < first * _MOST_GROWTH


def _watched(process: subprocess.Popen[bytes], folder: Path) -> list[int]:
    """The bytes that Java's process has, several times a second, from its first commit on."""
    taken: list[int] = []
    until = time.monotonic() + _LIMIT_S
    while process.poll() is None and time.monotonic() < until:
        time.sleep(0.2)
        begun = taken or any(folder.rglob("_delta_log/00000000000000000001.json"))
        if begun and (now := _bytes(folder)):
            taken.append(now)
    return taken


def _bytes(folder: Path) -> int:
    """What Java's process has now; the second line of a job's lock names it."""
    for lock in folder.rglob("lock"):
        lines = lock.read_text().splitlines()
        try:
            facts = Path(f"/proc/{lines[1].split()[0]}/statm").read_text()
            return int(facts.split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (IndexError, OSError):
            continue  # Not yet, or not any more.
    return 0
