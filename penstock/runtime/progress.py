"""How far a query is: what Spark reports of its batches, added up in a user's words."""

from __future__ import annotations

import json
import time
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from penstock.kafka.topic import TopicPartition
from penstock.runtime.operator_state import operator_states
from penstock.runtime.traffic import RATE_WINDOW_S

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from penstock.runtime.operator_state import OperatorState
    from penstock.runtime.traffic import TableTraffic


@dataclass(frozen=True, slots=True)
class PartitionLag:
    """One partition: the offset up to which it is read, and the one behind its last message."""

    topic: str
    partition: int
    read: int
    end: int


@dataclass(frozen=True, slots=True)
class Progress:
    """One query at one moment; rows are counted since this run began, None where Spark does not.

    `held_by` names the partition that holds the watermark back, for each table that has one.
    """

    query: str
    rows_in: int = 0
    rows_out: int | None = 0
    rows_in_per_s: float = 0.0
    rows_out_per_s: float = 0.0
    lag: int | None = None
    watermark: str | None = None
    batches: int = 0
    state_rows: int = 0
    operators: tuple[OperatorState, ...] = ()
    tables: tuple[TableTraffic, ...] = ()
    held_by: tuple[tuple[str, str], ...] = ()
    partitions: tuple[PartitionLag, ...] = ()


@dataclass(slots=True)
class ProgressMeter:
    """Adds up the reports of one query; the same report may be given again.

    `offsets` are those up to which its finished batches have read. `operators` are the names of the
    steps with state.
    """

    query: str
    operators: tuple[str, ...] = ()
    offsets: dict[TopicPartition, int] = field(default_factory=dict)
    _last_batch: int = -1
    _now: Progress = field(init=False)
    _samples: deque[tuple[float, int, int]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self._now = Progress(self.query)

    def remember(self, operators: tuple[OperatorState, ...]) -> None:
        """What an earlier run had kept: it counts until a batch tells more."""
        rows = sum(operator.rows for operator in operators)
        self._now = replace(self._now, operators=operators, state_rows=rows)

    def update(self, reports: list[Mapping[str, Any]]) -> Progress:
        """Take in Spark's recent reports, oldest first."""
        for report in reports:
            self._take(report)
        self._rate(time.monotonic())
        return self._now

    def _take(self, report: Mapping[str, Any]) -> None:
        batch, sources = int(report["batchId"]), report.get("sources") or []
        self.offsets.update(_read(sources))
        partitions = tuple(_partitions(sources))
        # None where a source has no offsets.
        lag = sum(max(0, one.end - one.read) for one in partitions) if partitions else None
        self._now = replace(self._now, lag=lag, partitions=partitions)
        # Spark also reports that it waits, with the number of a batch that is yet to come.
        if batch <= self._last_batch or "addBatch" not in report["durationMs"]:
            return
        self._last_batch = batch
        rows_out = int(report.get("sink", {}).get("numOutputRows") or 0)
        operators = operator_states(report.get("stateOperators") or [], self.operators)
        counted = rows_out >= 0 and self._now.rows_out is not None
        self._now = replace(
            self._now,
            rows_in=self._now.rows_in + int(report.get("numInputRows") or 0),
            rows_out=(self._now.rows_out or 0) + rows_out if counted else None,
            watermark=_watermark(report) or self._now.watermark,
            batches=self._now.batches + 1,
            state_rows=sum(operator.rows for operator in operators),
            operators=operators,
        )

    def _rate(self, now: float) -> None:
        self._samples.append((now, self._now.rows_in, self._now.rows_out or 0))
        while now - self._samples[0][0] > RATE_WINDOW_S:
            self._samples.popleft()
        began, rows_in, rows_out = self._samples[0]
        seconds = max(now - began, 0.001)
        self._now = replace(
            self._now,
            rows_in_per_s=(self._now.rows_in - rows_in) / seconds,
            rows_out_per_s=((self._now.rows_out or 0) - rows_out) / seconds,
        )


def _watermark(report: Mapping[str, Any]) -> str | None:
    """The watermark, None while no row has moved it."""
    found = (report.get("eventTime") or {}).get("watermark")
    return None if not found or str(found).startswith("1970-01-01T00:00:00") else str(found)


def _read(sources: list[Mapping[str, Any]]) -> dict[TopicPartition, int]:
    """How far a batch has read; of a topic that is read twice, how far both are."""
    found: dict[TopicPartition, int] = {}
    for source in sources:
        for place, offset in _offsets(source.get("endOffset")).items():
            found[place] = min(offset, found.get(place, offset))
    return found


def _partitions(sources: list[Mapping[str, Any]]) -> Iterator[PartitionLag]:
    """How far each partition is read, and how many messages it has."""
    for source in sources:
        read = _offsets(source.get("endOffset"))
        for place, end in sorted(_offsets(source.get("latestOffset")).items()):
            yield PartitionLag(place.topic, place.partition, read.get(place, 0), end)


def _offsets(report: object) -> dict[TopicPartition, int]:
    if isinstance(report, str):
        report = json.loads(report)
    if not isinstance(report, dict):
        return {}
    return {
        TopicPartition(topic, int(partition)): int(offset)
        for topic, partitions in report.items()
        if isinstance(partitions, dict)
        for partition, offset in partitions.items()
    }
