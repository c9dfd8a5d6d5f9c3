"""A bounded query's records written once, in a thread of their own that can be cancelled."""

from __future__ import annotations

import threading
import uuid
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JJavaError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.spark.sinks.base import Sink

_CANCEL_EVERY_S = 0.1


class BatchJob:
    """Runs until its records are written, it fails, or it is cancelled.

    It writes once the one that it comes `after` has written, and nothing if that has not.
    """

    def __init__(
        self, records: DataFrame, sink: Sink, *, name: str, after: BatchJob | None = None
    ) -> None:
        self.error: Exception | None = None
        self._records = records
        self._sink = sink
        self._after = after
        self._cancelled = self._has_written = False
        self._context: Any = records.sparkSession.sparkContext
        self._group = f"{name}/{uuid.uuid4().hex[:8]}"
        self._name = name
        # A batch may have state too, but Spark starts what looks after it with the first stream.
        _ = records.sparkSession.streams
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def is_active(self) -> bool:
        """Whether it still writes."""
        return self._thread.is_alive()

    def await_written(self) -> bool:
        """Wait for its end; whether all was written."""
        self._thread.join()
        return self._has_written

    def cancel(self) -> None:
        """End it; what it wrote so far stays where the target has it."""
        self._cancelled = True
        while self._thread.is_alive():
            # Asked again until it ends: the next Spark job of the thread may not have begun yet.
            self._context.cancelJobGroup(self._group)
            self._thread.join(_CANCEL_EVERY_S)

    def rows(self) -> tuple[int, int | None]:
        """Rows read and written so far, as far as Spark's stages count them."""
        store = self._context._jsc.sc().statusStore()
        found = [*filter(None, (_last_attempt(store, stage) for stage in self._stages()))]
        written = sum(int(stage.outputRecords()) for stage in found)
        own = self._sink.rows_out
        return sum(int(stage.inputRecords()) for stage in found), own if own is not None else (
            written or None
        )

    def _stages(self) -> set[int]:
        tracker = self._context.statusTracker()
        jobs = (tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(self._group))
        stages = {stage for job in jobs if job for stage in job.stageIds}
        return {stage for stage in stages if tracker.getStageInfo(stage)}

    def _run(self) -> None:
        if self._after and not self._after.await_written():
            return
        try:
            self._context.setJobGroup(self._group, self._name, interruptOnCancel=True)
            self._sink.write(self._records)
            self._has_written = True
        except Exception as error:
            if not self._cancelled:
                self.error = error


def _last_attempt(store: Any, stage: int) -> Any:
    """What Spark knows of a stage; None if it has let go of it meanwhile."""
    try:
        return store.lastStageAttempt(stage)
    except Py4JJavaError:
        return None
