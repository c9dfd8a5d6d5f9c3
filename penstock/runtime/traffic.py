"""Rows and bytes of the tables of a query, in all and per second."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.spark.counters import Counts

# Long enough to even out batches of some seconds, short enough to follow a change.
RATE_WINDOW_S = 10.0


@dataclass(frozen=True, slots=True)
class TableTraffic:
    """One table of a query; rows and bytes since this run began, and per second."""

    table: str
    rows_in: int = 0
    bytes_in: int = 0
    rows_out: int = 0
    bytes_out: int = 0
    rows_lost: int = 0
    skipped: int = 0
    dead_letters: int = 0
    rows_in_per_s: float = 0.0
    bytes_in_per_s: float = 0.0
    rows_out_per_s: float = 0.0
    bytes_out_per_s: float = 0.0


@dataclass(slots=True)
class TrafficMeter:
    """Turns counts into rates over the last seconds."""

    _samples: deque[tuple[float, Mapping[str, Counts]]] = field(default_factory=deque)

    def update(
        self, counts: Mapping[str, Counts], now: float | None = None
    ) -> tuple[TableTraffic, ...]:
        """The tables at this moment, by name."""
        now = time.monotonic() if now is None else now
        self._samples.append((now, counts))
        while now - self._samples[0][0] > RATE_WINDOW_S:
            self._samples.popleft()
        began, before = self._samples[0]
        seconds = max(now - began, 0.001)
        return tuple(
            _traffic(table, counts[table], before.get(table), seconds) for table in sorted(counts)
        )


def _traffic(table: str, now: Counts, before: Counts | None, seconds: float) -> TableTraffic:
    def rate(name: str) -> float:
        earlier = getattr(before, name) if before else 0
        return float((getattr(now, name) - earlier) / seconds)

    return TableTraffic(
        table,
        **asdict(now),
        rows_in_per_s=rate("rows_in"),
        bytes_in_per_s=rate("bytes_in"),
        rows_out_per_s=rate("rows_out"),
        bytes_out_per_s=rate("bytes_out"),
    )
