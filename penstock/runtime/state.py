"""Where a job keeps what it must remember: its folder, its lock, the shape of its queries.

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
from urllib.parse import quote

from penstock.errors import RunError
from penstock.jars.processes import identity, is_same
from penstock.plan.nodes import (
    Aggregate,
    Execution,
    Join,
    Node,
    Normalize,
    Query,
    SetOperation,
    Window,
    WindowAggregate,
)
from penstock.plan.timed import timed_scans
from penstock.plan.walk import inputs, scans
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.plan.nodes import Named, ScriptPlan
    from penstock.plan.scope import Field

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

    def checkpoint(self, query_id: str) -> str:
        """Where Spark keeps a query's progress."""
        return str(self.query(query_id) / "checkpoint")

    def has_progress(self, query_id: str) -> bool:
        """Whether the query has read anything in an earlier run."""
        return any((self.query(query_id) / "checkpoint" / "offsets").glob("[0-9]*"))

    def last_partitions(self, query_id: str) -> dict[str, set[int]]:
        """Topic → partitions of it that the newest batch knew, whichever table they are of."""
        batches = (self.query(query_id) / "checkpoint" / "offsets").glob("[0-9]*")
        newest = max(batches, key=lambda file: int(file.name), default=None)
        found: dict[str, set[int]] = {}
        for line in newest.read_text().splitlines()[2:] if newest else ():
            offsets = json.loads(line) if line.startswith("{") else {}
            for topic, partitions in offsets.items():
                if isinstance(partitions, dict):
                    found.setdefault(topic, set()).update(map(int, partitions))
        return found

    def lock(self) -> JobLock:
        """Take the job, or say who has it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            return JobLock(self)
        except OSError as error:
            reason = f"{error.strerror}"
            raise RunError("STATE_UNUSABLE", folder=self.path, reason=reason) from error

    def check_shape(self, query: Query, clusters: tuple[str, ...]) -> None:
        """Refuse to continue from another query's state; otherwise remember the shape."""
        folder = self.query(query.id)
        file, shape = folder / "shape.json", {"clusters": clusters, **_shape(query)}
        shape = json.loads(json.dumps(shape))
        if self.has_progress(query.id) and file.exists():
            before = read_kept(file)
            changed = [part for part in {**before, **shape} if before.get(part) != shape.get(part)]
            if changed:
                raise RunError(
                    "STATE_CHANGED",
                    job=self.job,
                    query=query.id,
                    change=f"its {' and '.join(changed)} are no longer the same",
                    folder=folder,
                )
        keep(file, shape)


class JobLock:
    """Held by the running job; the system gives it back when the process ends, however it ends.

    Spark's Java process may outlive ours for some seconds if that is killed, and finish a batch:
    the file names it too, and who takes the lock waits for its end.
    """

    def __init__(self, folder: JobFolder) -> None:
        self._file: IO[str] = (folder.path / "lock").open("a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            pid = self._read()[:1] or ["unknown"]
            self._file.close()
            raise RunError("JOB_ALREADY_RUNNING", job=folder.job, pid=pid[0]) from error
        before = self._read()
        own = str(os.getpid())
        # What this process left is gone by now, or the lock would be held.
        left = [] if before[:1] == [own] else before[1:]
        self._write("\n".join([own, *left]))
        self._await_end(folder.job, left)
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

    def _await_end(self, job: str, others: list[str]) -> None:
        until = time.monotonic() + _JVM_END_S
        for other in others:
            if is_same(other):
                _log.warning("%s: waiting for the end of an earlier run's Spark.", job)
            while is_same(other):
                if time.monotonic() > until:
                    self._file.close()
                    raise RunError("JOB_ALREADY_RUNNING", job=job, pid=other.partition(" ")[0])
                time.sleep(_POLL_S)

    def _read(self) -> list[str]:
        self._file.seek(0)
        return self._file.read().splitlines()

    def _write(self, text: str) -> None:
        self._file.truncate(0)
        self._file.write(text)
        self._file.flush()


def default_state_dir(script: Path | None) -> Path:
    """`.penstock` beside the script, or in the current folder."""
    return (script.parent if script else Path()).absolute() / ".penstock"


def _safe(name: str) -> str:
    """A name as a file name, different names to different ones."""
    return quote(name, safe=" ").replace(".", "%2E") or "%"


def _shape(query: Query) -> dict[str, object]:
    """What saved offsets and state depend on: the sources in order, and the stateful steps."""
    node = query.input
    sources = [scan.spec.source.identity() for scan in scans(node)]
    return {
        "sources": sources,
        "event-time columns": [
            [scan.rowtime, scan.watermark_delay_ms] for scan in timed_scans(node)
        ],
        "windows and groups": [] if query.execution is Execution.BLOCK else _stateful(node),
        **({"kept rows": _kept(query)} if query.execution is Execution.CHANGELOG else {}),
    }


def _kept(query: Query) -> list[object]:
    """What of rows the changelog engine keeps, step by step: names and types of columns."""
    own: list[object] = [["expires", query.ttl_ms > 0]]
    if query.materialized:
        own.append(["MATERIALIZE", *query.materialized, *_columns(query.columns)])
    return [*own, *_rows(query.input)]


def _rows(node: Node) -> list[object]:
    own: list[object] = []
    if isinstance(node, Normalize):
        own = [["NORMALIZE", *node.key, *_typed(node.fields)]]
    if isinstance(node, Join):
        sides = (field for side in inputs(node) for field in side.fields)
        own = [["JOIN", *_typed(sides)]]
    if isinstance(node, SetOperation):
        own = [[node.kind, node.distinct, *_typed(node.fields)]]
    return [*own, *(part for child in inputs(node) for part in _rows(child))]


def _typed(fields: Iterable[Field]) -> list[str]:
    return [f"{field.name} {field.type}" for field in fields]


def _columns(named: Named) -> list[str]:
    return [f"{name} {expr.type}" for name, expr in named]


def _stateful(node: Node) -> list[object]:
    own: list[object] = []
    if isinstance(node, Window):
        own = [[node.kind, node.size_ms, node.slide_ms, node.offset_ms]]
    if isinstance(node, WindowAggregate):
        own = [[expr.sql for _, expr in (*node.keys, *node.aggregates)]]
    if isinstance(node, Aggregate):
        own = [["GROUP BY", *(expr.sql for _, expr in (*node.keys, *node.aggregates))]]
    if isinstance(node, Join):
        conditions = [expr.sql for expr in node.conditions]
        own = [["JOIN", node.kind, node.form, *conditions, node.lower_ms, node.upper_ms]]
    return [*own, *(part for child in inputs(node) for part in _stateful(child))]
