"""A view that failed: it is tried again soon, then less and less often. Called by `follow`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.errors import PenstockError

_FIRST_RETRY_S, _LAST_RETRY_S = 1.0, 30.0


@dataclass(frozen=True, slots=True)
class Failing:
    """What a view failed with, and when it is tried again."""

    error: PenstockError
    pause_s: float
    until: float

    @classmethod
    def after(cls, before: Failing | None, error: PenstockError) -> Failing:
        """Once more than before, if it failed before."""
        pause_s = min(before.pause_s * 2, _LAST_RETRY_S) if before else _FIRST_RETRY_S
        return cls(error, pause_s, time.monotonic() + pause_s)

    @property
    def is_due(self) -> bool:
        """Whether it is to be tried again."""
        return time.monotonic() >= self.until
