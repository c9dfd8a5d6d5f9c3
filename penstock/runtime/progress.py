"""How far a query is: what Spark reports of its batches, added up in a user's words."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Progress:
    """One query at one moment; rows are counted since this run began, None where Spark does not."""

    query: str
    rows_in: int = 0
    rows_out: int | None = 0
    rows_in_per_s: float = 0.0
    rows_out_per_s: float = 0.0
    lag: int | None = None
    watermark: str | None = None
    batches: int = 0
    state_rows: int = 0


@dataclass(slots=True)
class ProgressMeter:
    """Adds up the reports of one query; the same report may be given again."""

    query: str
    _last_batch: int = -1
    _seen_run: str = ""
    _now: Progress = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._now = Progress(self.query)

    def update(self, reports: list[Mapping[str, Any]]) -> Progress:
        """Take in Spark's recent reports, oldest first."""
        with self._lock:
            for report in reports:
                self._take(report)
            return self._now

    def _take(self, report: Mapping[str, Any]) -> None:
        batch = int(report["batchId"])
        new = batch > self._last_batch
        rows_in = int(report.get("numInputRows") or 0)
        rows_out = int(report.get("sink", {}).get("numOutputRows") or 0)
        counted = rows_out >= 0 and self._now.rows_out is not None
        seconds = max(0.001, report.get("durationMs", {}).get("triggerExecution", 1000) / 1000)
        self._last_batch = max(batch, self._last_batch)
        self._now = Progress(
            self.query,
            self._now.rows_in + rows_in * new,
            (self._now.rows_out or 0) + rows_out * new if counted else None,
            rows_in / seconds,
            max(0, rows_out) / seconds,
            _lag(report.get("sources") or []),
            (report.get("eventTime") or {}).get("watermark") or self._now.watermark,
            self._now.batches + new,
            sum(int(op.get("numRowsTotal") or 0) for op in report.get("stateOperators") or []),
        )


def _lag(sources: list[Mapping[str, Any]]) -> int | None:
    """Messages in the topics that are not read yet; None where a source has no offsets."""
    behind, known = 0, False
    for source in sources:
        end, latest = _offsets(source.get("endOffset")), _offsets(source.get("latestOffset"))
        for place, offset in latest.items():
            known = True
            behind += max(0, offset - end.get(place, 0))
    return behind if known else None


def _offsets(report: object) -> dict[tuple[str, str], int]:
    if isinstance(report, str):
        report = json.loads(report)
    if not isinstance(report, dict):
        return {}
    return {
        (topic, partition): int(offset)
        for topic, partitions in report.items()
        if isinstance(partitions, dict)
        for partition, offset in partitions.items()
    }
