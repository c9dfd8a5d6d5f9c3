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
from penstock.plan.nodes import Query, ScriptPlan, has_window, reads_files_only, scans
from penstock.runtime.offsets import clusters_of, starting_offsets
from penstock.runtime.progress import Progress, ProgressMeter

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

    from penstock.connectors.base import KafkaSource
    from penstock.runtime.state import JobFolder, JobLock

# A batch that is being written is let finish, so that a clean stop repeats nothing.
_STOP_GRACE_S = 20.0
_POLL_S = 0.05
MAX_OFFSETS_SETTING = "penstock.max-offsets-per-batch"


@dataclass(slots=True)
class _Running:
    query: Query
    stream: StreamingQuery
    meter: ProgressMeter


@dataclass(slots=True)
class Job:
    """A running job."""

    name: str
    folder: JobFolder
    resumed: bool
    _lock: JobLock
    _running: list[_Running] = field(default_factory=list)

    @property
    def is_active(self) -> bool:
        """Whether any query still runs."""
        return any(running.stream.isActive for running in self._running)

    def progress(self) -> tuple[Progress, ...]:
        """Each query at this moment."""
        return tuple(
            running.meter.update([_as_dict(p) for p in running.stream.recentProgress])
            for running in self._running
        )

    def raise_failure(self) -> None:
        """Raise the error of the first query that failed; the others are stopped."""
        from penstock.spark.failure import translate

        for running in self._running:
            error = running.stream.exception()
            if error is not None:
                self.stop()
                raise translate(error, running.query.id, self.folder.log_file) from error

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until every query has ended (then True) or one failed (then its error)."""
        from penstock.spark.failure import jvm_lost

        with jvm_lost(self.folder.log_file):
            return self._wait(timeout_s)

    def _wait(self, timeout_s: float | None) -> bool:
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while self.is_active and (until is None or time.monotonic() < until):
            self.raise_failure()
            time.sleep(_POLL_S)
        if self.is_active:
            return False
        self.raise_failure()
        self._lock.release()
        return True

    def stop(self, *, grace_s: float = _STOP_GRACE_S) -> None:
        """End; a batch under way is finished first if it ends within the grace."""
        until = time.monotonic() + grace_s
        for running in self._running:
            while (
                running.stream.isActive
                and running.stream.status["isTriggerActive"]
                and time.monotonic() < until
            ):
                time.sleep(_POLL_S)
            running.stream.stop()
        self._lock.release()


def start_job(
    plan: ScriptPlan, session: SparkSession, *, folder: JobFolder, lock: JobLock, drain: bool
) -> Job:
    """Start every query of a plan; if one cannot start, none is left running."""
    from penstock.spark.compile import compile_query
    from penstock.spark.sink import write
    from penstock.spark.source import Sources

    limit = dict(plan.settings).get(MAX_OFFSETS_SETTING)
    resumed = any(folder.has_progress(query.id) for query in plan.queries)
    job = Job(plan.name, folder, resumed, lock)
    try:
        for query in plan.queries:
            if reads_files_only(query.input):
                _begin_anew(query, folder)
            folder.check_shape(query, clusters_of(query))
            sources = Sources(
                session,
                _Offsets(query, folder).of,
                max_offsets_per_batch=limit,
                windowed=has_window(query.input),
            )
            stream = write(
                compile_query(query, sources),
                query.spec.target,
                name=f"{plan.name}/{query.id}",
                checkpoint=folder.checkpoint(query.id),
                drain=drain,
            )
            job._running.append(_Running(query, stream, ProgressMeter(query.id)))
    except PenstockError:
        job.stop()
        raise
    except Exception as error:
        from penstock.spark.failure import translate

        job.stop()
        raise translate(error, query.id, folder.log_file) from error
    return job


def _begin_anew(query: Query, folder: JobFolder) -> None:
    """A file is read whole in every run: what an earlier run kept or wrote is removed first."""
    shutil.rmtree(folder.query(query.id), ignore_errors=True)
    if isinstance(query.spec.target, FileTarget):
        Path(query.spec.target.path).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class _Offsets:
    """Starting offsets for a query's sources: none where a checkpoint says where to go on."""

    query: Query
    folder: JobFolder

    def of(self, source: KafkaSource) -> dict[str, str]:
        """The options that say where to begin."""
        if self.folder.has_progress(self.query.id):
            return {"startingOffsets": "earliest"}
        table = next(s.table for s in scans(self.query.input) if s.spec.source == source)
        return starting_offsets(source, table)


def _as_dict(progress: object) -> dict[str, object]:
    import json

    return json.loads(progress.json) if hasattr(progress, "json") else dict(progress)  # type: ignore[call-overload,no-any-return]


def default_state_dir(script: Path | None) -> Path:
    """`.penstock` beside the script, or in the current folder."""
    return (script.parent if script else Path()).absolute() / ".penstock"
