"""Small things tests share."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_POLL_S = 0.05


def wait_until(condition: Callable[[], bool], *, timeout_s: float = 30) -> None:
    """Wait for a condition; fail when it does not come true in time."""
    until = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < until, f"not true within {timeout_s} s"
        time.sleep(_POLL_S)


def last_commit(folder: Path) -> Path:
    """The file by which Spark notes the newest batch of the only query below a folder."""
    return max(folder.rglob("checkpoint/commits/[0-9]*"), key=lambda file: int(file.name))


def take_back(commit: Path) -> None:
    """As if a crash came before Spark noted the last batch as done.

    If the next one has begun, it is that which was broken off: Spark goes back by one batch only.
    """
    begun = commit.parents[1] / "offsets" / str(int(commit.name) + 1)
    if not begun.exists():
        commit.unlink()
        commit.with_name(f".{commit.name}.crc").unlink(missing_ok=True)
