"""COUNT DISTINCT on top of a large state and of a small one: what a row costs must be the same.

    python -m benchmarks.growing ADDRESS FOLDER ROWS_PER_BATCH

One process runs both jobs, the large one first, so that its JVM is warm for either. Both read in
batches of a tenth of the rows; of each the last batch counts, from the commit of the one before it
to its own: on top of all rows, and on top of a tenth of them. Both last batches are of the same
rows, whose items are in none before, so that as many values are new to either state.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import topics
from benchmarks.peers import SQL, Job, Side, running
from benchmarks.report import AT_MOST, OURS, Bar, Comparison

if TYPE_CHECKING:
    from collections.abc import Sequence

_CASE = "count_distinct"
_PART = 10
_BAR = Bar(AT_MOST, 1.15)
# The first one warms the process up.
_JOBS = {"large": _PART, "small": 1}
_LOOK_S = 0.1


def compare(address: str, folder: Path, *, rounds: int) -> list[Comparison]:
    """Microseconds per row on top of all rows, beside those on top of a tenth of them."""
    part = topics.ROWS // _PART
    for name, parts in _JOBS.items():
        topics.fill(address, _input(name), rows=(parts + 1) * part, last=part)
    taken: dict[str, list[float]] = {name: [] for name in _JOBS}
    for number in range(rounds):
        print(f"• round {number + 1} of {rounds}: {_CASE}, as its state grows", file=sys.stderr)
        states = folder / f"growing_{number}"
        states.mkdir()
        command = [sys.executable, "-m", "benchmarks.growing", address, str(states), str(part)]
        with running(command, states / "growing.log") as process:
            while not process.has_ended():
                time.sleep(_LOOK_S)
        for name, figures in taken.items():
            figures.append(last_part_us(batches(states / name), rows=part))
    other = "on a tenth of the state"
    return [Comparison(_CASE, "µs per row", taken["large"], other, taken["small"], _BAR)]


def batches(folder: Path) -> list[tuple[float, int]]:
    """When each batch below a folder was committed, and how many rows were read by then."""
    (commits,) = folder.rglob("checkpoint/commits")
    found = []
    for commit in sorted(commits.glob("[0-9]*"), key=lambda file: int(file.name)):
        lines = (commits.parent / "offsets" / commit.name).read_text().splitlines()
        ends = (by for by in json.loads(lines[-1]).values() if isinstance(by, dict))
        found.append((commit.stat().st_mtime, sum(sum(by.values()) for by in ends)))
    return found


def last_part_us(found: Sequence[tuple[float, int]], *, rows: int) -> float:
    """Microseconds per row of the last so many rows."""
    total = found[-1][1]
    before = max((batch for batch in found if batch[1] <= total - rows), key=lambda b: b[1])
    end = next(batch for batch in found if batch[1] == total)
    return (end[0] - before[0]) / (total - before[1]) * 1e6


def main(address: str, folder: str, rows_per_batch: str) -> None:
    from penstock import Session
    from penstock.spark.session import start_session

    log = Path(folder, "spark.log")
    spark = start_session({}, master="local[*]", app_name="growing", log_file=log)
    session = Session(spark, state_dir=folder)
    text = (SQL / f"{_CASE}.sql").read_text(encoding="utf-8")
    settings = {"penstock.max-offsets-per-batch": rows_per_batch}
    for name in _JOBS:
        output = f"{Path(folder).name}_{name}"
        topics.fresh_topic(address, output)
        job = Job(Side(OURS, "penstock", _CASE), address, _input(name), output, log, ends=True)
        session.execute(
            text, name=name, variables=job.variables, settings=settings, drain=True
        ).wait()
        topics.drop(address, output)
    spark.stop()


def _input(name: str) -> str:
    return f"bench_growing_{name}"


if __name__ == "__main__":
    main(*sys.argv[1:])
