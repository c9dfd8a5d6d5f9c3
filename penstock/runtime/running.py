"""One query of a job while it runs: a stream, or a batch that ends by itself."""

from __future__ import annotations

import json
import logging
import time
from abc import ABC, abstractmethod
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from penstock.connectors.inline import InlineSource
from penstock.plan.operators import operators
from penstock.plan.walk import scans
from penstock.runtime.progress import Progress, ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql.streaming.query import StreamingQuery

    from penstock.kafka.topic import TopicPartition
    from penstock.runtime.operator_state import OperatorState
    from penstock.runtime.watch import Watch
    from penstock.spark.batch import BatchJob
    from penstock.spark.sinks.base import Sink

_POLL_S = 0.005
_TICK_EVERY_S = 1.0
# Longer than Spark's pause between two reports of a query that waits.
_SILENCE_S = 15.0
_ASKING = "Getting offsets from"

_log = logging.getLogger("penstock.job")


class Running(ABC):
    """A query that was started."""

    def __init__(self, watch: Watch) -> None:
        self.query = watch.query
        self._watch = watch
        self._last_tick = 0.0

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

    @property
    def groups(self) -> tuple[str, ...]:
        """The consumer groups its offsets are committed to."""
        return self._watch.commits.groups

    def reach(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Tell its groups at once what it has written."""
        self._watch.commits.reach(offsets)

    def tick(self, *, last: bool = False) -> bool:
        """Called often while somebody waits for the job, and when it has ended; True once due."""
        due = last or time.monotonic() - self._last_tick >= _TICK_EVERY_S
        if due:
            self._last_tick = time.monotonic()
            self._watch.look()
            self._upkeep(last=last)
        return due

    @abstractmethod
    def _upkeep(self, *, last: bool) -> None:
        """What is due about once a second."""


class RunningStream(Running):
    """A streaming query; `kept` is the state that an earlier run has told of."""

    def __init__(
        self,
        watch: Watch,
        stream: StreamingQuery,
        sink: Sink,
        kept: tuple[OperatorState, ...] = (),
    ) -> None:
        super().__init__(watch)
        self._stream = stream
        self._sink = sink
        self._meter = ProgressMeter(
            self.query.id, tuple(operator.name for operator in operators(self.query))
        )
        self._meter.remember(kept)
        self._reported_at = self._last_report = ""
        self._silent_since = time.monotonic()
        self._told_of_silence = False

    @property
    def is_active(self) -> bool:
        """Whether it still runs."""
        return bool(self._stream.isActive)

    def failure(self) -> Exception | None:
        """The exception it ended with."""
        return self._stream.exception()

    def progress(self) -> Progress:
        """Its batches so far."""
        reports: list[Mapping[str, Any]] = [_as_dict(p) for p in self._stream.recentProgress]
        self._reported_at = str(reports[-1]["timestamp"]) if reports else ""
        found = self._meter.update(reports)
        counted = self._sink.rows_out
        found = found if counted is None else replace(found, rows_out=counted)
        return self._watch.complete(found)

    def stop(self, until: float) -> None:
        """End it between two batches, if one ends in time.

        Where rows come without a pause the next batch begins at once: it is broken off before it
        has written anything.
        """
        last = self._last_batch()
        while self._in_batch() and self._last_batch() == last and time.monotonic() < until:
            time.sleep(_POLL_S)
        self._stream.stop()
        self.progress()
        self._watch.commit(self._meter.offsets, last=True)

    def _upkeep(self, *, last: bool) -> None:
        found = self.progress().watermark
        moment = int(datetime.fromisoformat(found).timestamp() * 1000) if found else None
        self._sink.tick(moment)
        self._tell_of_silence()
        self._watch.commit(self._meter.offsets, last=last)

    def _tell_of_silence(self) -> None:
        """Spark asks brokers that are gone for a minute before it gives up, without a word.

        As long as they answer it reports every ten seconds at least, also that it waits.
        """
        asks = str(self._stream.status["message"]).startswith(_ASKING)
        if not asks or self._reported_at != self._last_report:
            if self._told_of_silence:
                _log.warning("%s: its brokers answer again.", self.query.id)
            self._last_report, self._silent_since = self._reported_at, time.monotonic()
            self._told_of_silence = False
        elif not self._told_of_silence and time.monotonic() - self._silent_since > _SILENCE_S:
            self._told_of_silence = True
            _log.warning("%s: its brokers do not answer; it goes on when they do.", self.query.id)

    def _in_batch(self) -> bool:
        return self.is_active and bool(self._stream.status["isTriggerActive"])

    def _last_batch(self) -> int:
        report = self._stream.lastProgress
        return int(_as_dict(report)["batchId"]) if report else -1


class RunningBatch(Running):
    """A bounded query, read and written once; `ends` are the offsets that it reads up to."""

    def __init__(self, watch: Watch, batch: BatchJob, ends: Mapping[TopicPartition, int]) -> None:
        super().__init__(watch)
        self._batch = batch
        self._ends = ends
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
        found = self._watch.complete(self._final or self._counted())
        if not all(isinstance(s.spec.source, InlineSource) for s in scans(self.query.input)):
            return found
        # Rows of the script itself, which Spark makes of one.
        written = found.rows_out
        if written is None:
            written = sum(table.rows_out for table in found.tables)
        return replace(found, rows_in=written) if written else found

    def stop(self, until: float) -> None:
        """Cancel it."""
        self._batch.cancel()

    def _counted(self) -> Progress:
        active = self._batch.is_active
        found = Progress(self.query.id, *self._batch.rows())
        if not active:
            self._final = found
        return found

    def _upkeep(self, *, last: bool) -> None:
        if last:
            self._watch.commit(self._ends, last=True)


def _as_dict(progress: object) -> dict[str, Any]:
    return json.loads(progress.json) if hasattr(progress, "json") else dict(progress)  # type: ignore[call-overload,no-any-return]
