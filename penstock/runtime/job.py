"""A job: the queries of one script, running under one name and one lock.

`start_job` is called by `penstock run` and by `Session.execute`; everything was planned before.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.connectors.base import FileTarget
from penstock.errors import PenstockError
from penstock.plan.nodes import (
    Execution,
    Query,
    ScriptPlan,
    reads_files_only,
    scans,
)
from penstock.runtime.offsets import QueryOffsets, clusters_of
from penstock.runtime.running import Running, RunningBatch, RunningStream

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from penstock.runtime.progress import Progress
    from penstock.runtime.state import JobFolder, JobLock
    from penstock.spark.place import Place

# A batch that is being written is let finish, so that a clean stop repeats nothing.
_STOP_GRACE_S = 20.0
_POLL_S = 0.05


@dataclass(slots=True)
class Job:
    """A running job; `ends` says that it ends by itself."""

    name: str
    folder: JobFolder
    resumed: bool
    ends: bool
    _lock: JobLock
    _running: list[Running] = field(default_factory=list)

    @property
    def is_active(self) -> bool:
        """Whether any query still runs."""
        return any(running.is_active for running in self._running)

    def progress(self) -> tuple[Progress, ...]:
        """Each query at this moment."""
        return tuple(running.progress() for running in self._running)

    def raise_failure(self) -> None:
        """Raise the error of the first query that failed; the others are stopped."""
        from penstock.spark.failure import translate

        for running in self._running:
            error = running.failure()
            if error is not None:
                self.stop()
                raise translate(error, running.query_id, self.folder.log_file) from error

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until every query has ended (then True) or one failed (then its error)."""
        from penstock.spark.failure import jvm_lost

        with jvm_lost(self.folder.log_file):
            return self._wait(timeout_s)

    def _wait(self, timeout_s: float | None) -> bool:
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while self.is_active and (until is None or time.monotonic() < until):
            self.raise_failure()
            self._tick()
            time.sleep(_POLL_S)
        if self.is_active:
            return False
        self.raise_failure()
        self._tick(last=True)
        self._lock.release()
        return True

    def _tick(self, *, last: bool = False) -> None:
        try:
            for running in self._running:
                running.tick(last=last)
        except PenstockError:
            self.stop()
            raise

    def stop(self, *, grace_s: float = _STOP_GRACE_S) -> None:
        """End; a batch under way is finished first if it ends within the grace."""
        until = time.monotonic() + grace_s
        for running in self._running:
            running.stop(until)
        self._lock.release()


def start_job(
    plan: ScriptPlan, session: SparkSession, *, folder: JobFolder, lock: JobLock, drain: bool
) -> Job:
    """Start every query of a plan; if one cannot start, none is left running."""
    from penstock.spark.functions import register_user_functions
    from penstock.spark.session import active

    register_user_functions(session, plan.functions)
    resumed = any(folder.has_progress(query.id) for query in plan.queries)
    ends = drain or all(query.execution is Execution.BATCH for query in plan.queries)
    job = Job(plan.name, folder, resumed, ends, lock)
    launch = _Launch(plan, session, folder, drain)
    try:
        with active(session):
            for query in plan.queries:
                job._running.append(launch.start(query))
    except PenstockError:
        job.stop()
        raise
    except Exception as error:
        from penstock.spark.failure import translate

        job.stop()
        raise translate(error, query.id, folder.log_file) from error
    return job


@dataclass(frozen=True, slots=True)
class _Launch:
    """Starts queries, each in the way its plan says."""

    plan: ScriptPlan
    session: SparkSession
    folder: JobFolder
    drain: bool

    def start(self, query: Query) -> Running:
        if query.execution is Execution.BATCH:
            return self._batch(query)
        return self._stream(query)

    def _batch(self, query: Query) -> RunningBatch:
        from penstock.spark.batch import BatchJob
        from penstock.spark.sink import open_sink

        records = self._records(query)
        self.folder.query(query.id).mkdir(parents=True, exist_ok=True)
        sink = open_sink(query.spec.target, self._place(query))
        return RunningBatch(query.id, BatchJob(records, sink, name=self._name(query)))

    def _stream(self, query: Query) -> RunningStream:
        from penstock.spark.sink import Streaming, open_sink, start_stream

        if reads_files_only(query.input):
            self._begin_anew(query)
        self.folder.check_shape(query, clusters_of(query))
        updates = query.execution is Execution.UPDATE
        sink = open_sink(query.spec.target, self._place(query))
        how = Streaming(
            self._name(query),
            self.folder.checkpoint(query.id),
            self.drain,
            updates,
            _poll_ms(query),
        )
        return RunningStream(query.id, start_stream(self._records(query), sink, how), sink)

    def _records(self, query: Query) -> DataFrame:
        from penstock.spark.compile import compile_query
        from penstock.spark.source import Sources

        sources = Sources(
            self.session,
            QueryOffsets(query, self.folder),
            batch=query.execution is Execution.BATCH,
            place=self._place(query),
        )
        return compile_query(query, sources)

    def _place(self, query: Query) -> Place:
        from penstock.spark.place import Place

        return Place(
            self.folder.query(query.id),
            self._name(query),
            query.sink_table,
            dict(self.plan.settings),
            updates=query.execution is Execution.UPDATE,
        )

    def _name(self, query: Query) -> str:
        return f"{self.plan.name}/{query.id}"

    def _begin_anew(self, query: Query) -> None:
        """A file is read whole in every run: what an earlier run kept or wrote is removed first."""
        shutil.rmtree(self.folder.query(query.id), ignore_errors=True)
        if isinstance(query.spec.target, FileTarget):
            Path(query.spec.target.path).unlink(missing_ok=True)


def _poll_ms(query: Query) -> int | None:
    """How often a stream looks for more: without a pause if one of its sources wants none."""
    pauses = [scan.spec.source.poll_ms for scan in scans(query.input) if not scan.spec.bounded]
    given = [pause for pause in pauses if pause is not None]
    return min(given) if given and len(given) == len(pauses) else None


def default_state_dir(script: Path | None) -> Path:
    """`.penstock` beside the script, or in the current folder."""
    return (script.parent if script else Path()).absolute() / ".penstock"
