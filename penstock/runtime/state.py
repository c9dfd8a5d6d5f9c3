"""Where a job keeps what it must remember: its folder and its lock.

<state dir>/<job>/lock                           held while the job runs
<state dir>/<job>/spark.log
<state dir>/<job>/queries/<query>/checkpoint/    Spark's: offsets, commits, state
<state dir>/<job>/queries/<query>/shape.json     what the state was made for
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import quote, unquote

from penstock.errors import RunError
from penstock.jars.processes import identity, is_same
from penstock.runtime.file_lock import taken, taken_soon

if TYPE_CHECKING:
    from penstock.plan.query import ScriptPlan

_STATE_DIR = "penstock.state.dir"
# How long Spark's process may take to end after ours was killed.
_JVM_END_S = 30.0
_POLL_S = 0.05

_log = logging.getLogger("penstock.job")


@dataclass(frozen=True, slots=True)
class JobFolder:
    """The folder of one job."""

    job: str
    path: Path

    @classmethod
    def of(cls, job: str, state_dir: Path) -> JobFolder:
        """The folder of a job under a state directory."""
        return cls(job, state_dir / _safe(job))

    @classmethod
    def of_plan(cls, plan: ScriptPlan, default: Path) -> JobFolder:
        """The folder of a script's job: where its settings say, else under the default."""
        chosen = dict(plan.settings).get(_STATE_DIR)
        return cls.of(plan.name, Path(chosen).absolute() if chosen else default)

    @property
    def log_file(self) -> Path:
        """Spark's log."""
        return self.path / "spark.log"

    def query(self, query_id: str) -> Path:
        """The folder of one query."""
        return self.path / "queries" / _safe(query_id)

    def query_ids(self) -> tuple[str, ...]:
        """The queries of this run and of earlier ones."""
        found = (self.path / "queries").glob("*")
        return tuple(sorted(unquote(path.name) for path in found))

    def checkpoint(self, query_id: str) -> str:
        """Where Spark keeps a query's progress."""
        return str(self.query(query_id) / "checkpoint")

    def has_progress(self, query_id: str) -> bool:
        """Whether the query has read anything in an earlier run."""
        return any((self.query(query_id) / "checkpoint" / "offsets").glob("[0-9]*"))

    def last_partitions(self, query_id: str) -> dict[str, set[int]]:
        """Topic → partitions of it that the newest batch knew, whichever table they are of."""
        found: dict[str, set[int]] = {}
        for topic, partitions in self.last_offsets(query_id):
            found.setdefault(topic, set()).update(partitions)
        return found

    def last_offsets(self, query_id: str) -> list[tuple[str, dict[int, int]]]:
        """How far the newest batch reads, for each table: topic, offsets by partition."""
        return _offsets(self._last_batch(query_id))

    def batch_offsets(self, query_id: str, batch: int) -> list[tuple[str, dict[int, int]]]:
        """The same of any batch that Spark has noted."""
        file = self.query(query_id) / "checkpoint" / "offsets" / str(batch)
        return _offsets(file.read_text().splitlines() if file.exists() else [])

    def fixed_settings(self, query_id: str) -> dict[str, str]:
        """The settings of Spark that the first run made the state with; they stay."""
        lines = self._last_batch(query_id)
        found: dict[str, str] = json.loads(lines[1]).get("conf", {}) if lines else {}
        return found

    def _last_batch(self, query_id: str) -> list[str]:
        """What Spark noted of the newest batch: a version, facts, and a line for each table."""
        batches = (self.query(query_id) / "checkpoint" / "offsets").glob("[0-9]*")
        newest = max(batches, key=lambda file: int(file.name), default=None)
        return newest.read_text().splitlines() if newest else []

    def lock(self) -> JobLock:
        """Take the job, or say who has it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            return JobLock(self)
        except OSError as error:
            reason = f"{error.strerror}"
            raise RunError("STATE_UNUSABLE", folder=self.path, reason=reason) from error


class JobLock:
    """Held by the running job; the system gives it back when the process ends, however it ends.

    Spark's Java process may outlive ours for some seconds if that is killed, and finish a batch:
    the file names it too, and who takes the lock waits for its end.
    """

    def __init__(self, folder: JobFolder) -> None:
        self._file: IO[str] = (folder.path / "lock").open("a+")
        if not taken_soon(self._file):
            pid = self._read()[:1] or ["unknown"]
            self._file.close()
            raise RunError("JOB_ALREADY_RUNNING", job=folder.job, pid=pid[0])
        own, left = str(os.getpid()), left_behind(folder.path)
        self._write("\n".join([own, *left]))
        for other in left:
            if is_same(other):
                _log.warning("%s: waiting for the end of an earlier run's Spark.", folder.job)
        if still := await_end(left):
            self._file.close()
            orphan = still[0].partition(" ")[0]
            raise RunError("JOB_ALREADY_RUNNING", job=folder.job, pid=orphan)
        self._write(own)

    def held_with(self, pid: int | None) -> None:
        """Name the process that was started to work for this one."""
        if pid is not None:
            self._write(f"{os.getpid()}\n{identity(pid)}")

    def release(self) -> None:
        """Let another run take the job."""
        if not self._file.closed:
            self._write("")
            self._file.close()

    def _read(self) -> list[str]:
        self._file.seek(0)
        return self._file.read().splitlines()

    def _write(self, text: str) -> None:
        self._file.truncate(0)
        self._file.write(text)
        self._file.flush()


class LentLock(JobLock):
    """The lock of a script, lent to one of its jobs: who ends it does not give it back."""

    def __init__(self, lock: JobLock) -> None:
        self._lock = lock

    def held_with(self, pid: int | None) -> None:
        """The same as of the lock that is lent."""
        self._lock.held_with(pid)

    def release(self) -> None:
        """It goes on."""


def left_behind(folder: Path) -> list[str]:
    """The processes that were started for whoever held the lock of a folder last."""
    try:
        lines = (folder / "lock").read_text().splitlines()
    except FileNotFoundError:
        return []
    # What this process left is gone by now, or the lock would be held.
    return [] if lines[:1] == [str(os.getpid())] else lines[1:]


def orphans(folder: Path) -> list[str]:
    """The same where nobody holds the lock: what works for who holds it was not left."""
    try:
        with (folder / "lock").open() as file:
            return left_behind(folder) if taken(file, fcntl.LOCK_SH) else []
    except FileNotFoundError:
        return []


def await_end(processes: list[str]) -> list[str]:
    """Wait for the end of these; those that have not ended in time."""
    until = time.monotonic() + _JVM_END_S
    while left := [one for one in processes if is_same(one)]:
        if time.monotonic() > until:
            break
        time.sleep(_POLL_S)
    return left


def default_state_dir(script: Path | None) -> Path:
    """`.penstock` beside the script, or in the current folder."""
    return (script.parent if script else Path()).absolute() / ".penstock"


def _offsets(batch: list[str]) -> list[tuple[str, dict[int, int]]]:
    sources = (json.loads(line) for line in batch[2:] if line.startswith("{"))
    return [
        (topic, {int(number): int(offset) for number, offset in partitions.items()})
        for offsets in sources
        for topic, partitions in offsets.items()
        if isinstance(partitions, dict)
    ]


def _safe(name: str) -> str:
    """A name as a file name, different names to different ones."""
    return quote(name, safe=" ").replace(".", "%2E") or "%"
