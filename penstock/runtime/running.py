"""One query of a job while it runs: a stream, or a batch that ends by itself."""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from penstock.runtime.progress import Progress, ProgressMeter

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

    from penstock.spark.batch import BatchJob
    from penstock.spark.sinks.base import Sink

_POLL_S = 0.005
_TICK_EVERY_S = 1.0


class Running(ABC):
    """A query that was started."""

    def __init__(self, query_id: str) -> None:
        self.query_id = query_id

    @property
    @abstractmethod
    def is_active(self) -> bool:
        """Whether it still runs."""

    @abstractmethod
    def failure(self) -> Exception | None:
        """What it ended with, None if it runs or ended well."""

    @abstractmethod
    def progress(self) -> Progress:
        """How far it is."""

    @abstractmethod
    def stop(self, until: float) -> None:
        """End it; a batch of a stream may finish if it does before that moment."""

    def tick(self, *, last: bool = False) -> None:
        """Called often while somebody waits for the job, and when it has ended."""
        return


class RunningStream(Running):
    """A streaming query."""

    def __init__(self, query_id: str, stream: StreamingQuery, sink: Sink) -> None:
        super().__init__(query_id)
        self._stream = stream
        self._sink = sink
        self._meter = ProgressMeter(query_id)
        self._last_tick = 0.0

    @property
    def is_active(self) -> bool:
        """Whether it still runs."""
        return bool(self._stream.isActive)

    def failure(self) -> Exception | None:
        """The exception it ended with."""
        return self._stream.exception()

    def progress(self) -> Progress:
        """Its batches so far."""
        found = self._meter.update([_as_dict(p) for p in self._stream.recentProgress])
        counted = self._sink.rows_out
        return found if counted is None else replace(found, rows_out=counted)

    def stop(self, until: float) -> None:
        """End it between two batches, if one ends in time.

        Where rows come without a pause the next batch begins at once: it is broken off before it
        has written anything.
        """
        last = self._last_batch()
        while self._in_batch() and self._last_batch() == last and time.monotonic() < until:
            time.sleep(_POLL_S)
        self._stream.stop()

    def tick(self, *, last: bool = False) -> None:
        """Let the sink do what is due by time."""
        if last or time.monotonic() - self._last_tick >= _TICK_EVERY_S:
            self._last_tick = time.monotonic()
            self._sink.tick(self._watermark_ms())

    def _in_batch(self) -> bool:
        return self.is_active and bool(self._stream.status["isTriggerActive"])

    def _last_batch(self) -> int:
        report = self._stream.lastProgress
        return int(_as_dict(report)["batchId"]) if report else -1

    def _watermark_ms(self) -> int | None:
        found = self.progress().watermark
        return int(datetime.fromisoformat(found).timestamp() * 1000) if found else None


class RunningBatch(Running):
    """A bounded query, read and written once."""

    def __init__(self, query_id: str, batch: BatchJob) -> None:
        super().__init__(query_id)
        self._batch = batch
        self._final: Progress | None = None

    @property
    def is_active(self) -> bool:
        """Whether it still runs."""
        return self._batch.is_active

    def failure(self) -> Exception | None:
        """The exception it ended with."""
        return self._batch.error

    def progress(self) -> Progress:
        """Rows so far; what it ended with once it ended."""
        if self._final is None:
            active = self._batch.is_active
            rows_in, rows_out = self._batch.rows()
            found = Progress(self.query_id, rows_in, rows_out)
            if active:
                return found
            self._final = found
        return self._final

    def stop(self, until: float) -> None:
        """Cancel it."""
        self._batch.cancel()


def _as_dict(progress: object) -> dict[str, Any]:
    return json.loads(progress.json) if hasattr(progress, "json") else dict(progress)  # type: ignore[call-overload,no-any-return]
