"""Small things tests share."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_POLL_S = 0.05


def wait_until(condition: Callable[[], bool], *, timeout_s: float = 30) -> None:
    """Wait for a condition; fail when it does not come true in time."""
    until = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < until, f"not true within {timeout_s} s"
        time.sleep(_POLL_S)
