"""Who runs a job: Penstock, PySpark by hand, Flink SQL. A job in, the process that runs it out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from benchmarks import flink
from penstock.jars.java import find_java

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
SQL = Path(__file__).parent / "sql"
# A clean stop finishes the batch under way.
_STOP_TIMEOUT_S = 30.0
_LOG_TAIL = 2000

Measured = TypeVar("Measured")


@dataclass(frozen=True, slots=True)
class Side:
    """One column of a comparison: who runs which script, and how; `options` are its table's."""

    name: str
    peer: str
    script: str
    latency: str = "micro-batch"
    options: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A side's script on its topics; `ends` when it has read what is there, else it goes on."""

    side: Side
    address: str
    input: str
    output: str
    folder: Path
    ends: bool

    @property
    def variables(self) -> dict[str, str]:
        """What the script's `${…}` stand for; Penstock ends by `--drain`, Flink by a bound."""
        bounded = self.ends and self.side.peer == "flink"
        return {
            "address": self.address,
            "input": self.input,
            "output": self.output,
            "until": "latest-offset" if bounded else "unbounded",
            "options": self.side.options,
        }


def _penstock(job: Job) -> list[str]:
    settings = {"penstock.state.dir": str(job.folder), "penstock.latency": job.side.latency}
    return [
        str(Path(sys.executable).with_name("penstock")),
        *("run", str(SQL / f"{job.side.script}.sql")),
        *(["--drain"] if job.ends else []),
        *(word for pair in job.variables.items() for word in ("--var", "=".join(pair))),
        *(word for pair in settings.items() for word in ("--set", "=".join(pair))),
    ]


def _by_hand(job: Job) -> list[str]:
    trigger = "available-now" if job.ends else job.side.latency
    places = (job.address, job.input, job.output, str(job.folder / "checkpoint"))
    return [sys.executable, "-m", "benchmarks.by_hand", job.side.script, trigger, *places]


def _flink(job: Job) -> list[str]:
    # At full speed it may use every core, as Spark does; for latency it stays as it comes.
    settings = {"parallelism.default": str(os.cpu_count())} if job.ends else {}
    return flink.command(SQL / f"{job.side.script}.sql", job.variables, settings)


_COMMANDS: dict[str, Callable[[Job], list[str]]] = {
    "penstock": _penstock,
    "by_hand": _by_hand,
    "flink": _flink,
}
PEERS = tuple(_COMMANDS)


class Running:
    """A job's process."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self._process = process
        self._log = log

    def has_ended(self) -> bool:
        """Whether it is over; a failure ends the benchmark with the end of its log."""
        code = self._process.poll()
        if code:
            raise self.failure(f"ended with {code}")
        return code is not None

    def failure(self, problem: str) -> SystemExit:
        """The end of the benchmark, with what the process said."""
        said = self._log.read_text(encoding="utf-8", errors="replace")[-_LOG_TAIL:]
        return SystemExit(f"{self._log.stem} {problem}:\n{said}")


@contextmanager
def started(job: Job) -> Iterator[Running]:
    """Run a job; what still runs at the end is stopped."""
    job.folder.mkdir(parents=True)
    with running(_COMMANDS[job.side.peer](job), job.folder / f"{job.output}.log") as process:
        yield process


@contextmanager
def running(command: list[str], log: Path) -> Iterator[Running]:
    """Run a command, its output in a file; what still runs at the end is stopped."""
    # The same Java for everyone.
    java = {"JAVA_HOME": str(find_java().path.resolve().parents[1])}
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **java, "FLINK_LOG_DIR": str(log.parent)},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield Running(process, log)
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(_STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def interleaved(
    sides: tuple[Side, ...], rounds: int, measure: Callable[[Side, int], Measured]
) -> dict[str, list[Measured]]:
    """Every side once per round, back and forth: a machine that changes pace meets all of them."""
    taken: dict[str, list[Measured]] = {side.name: [] for side in sides}
    for number in range(rounds):
        for side in sides if number % 2 == 0 else sides[::-1]:
            print(f"• round {number + 1} of {rounds}: {side.script}, {side.name}", file=sys.stderr)
            taken[side.name].append(measure(side, number))
    return taken
