"""Locks on files of a warehouse: whoever has one alone has written its number into it."""

from __future__ import annotations

import fcntl
import os
import time
from typing import IO, TYPE_CHECKING

from penstock.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_POLL_S = 0.05


def await_alone(
    file: IO[str],
    *,
    within_s: float,
    warehouse: Path,
    doing: str,
    stopping: Callable[[], bool] = lambda: False,
) -> None:
    """Wait until nobody else has the lock; after a while say who has it, and what it is doing.

    Whoever is `stopping` does not wait.
    """
    until = time.monotonic() + within_s
    while not taken(file):
        if time.monotonic() > until or stopping():
            file.seek(0)
            pid = file.read() or "unknown"
            file.close()
            what = f"has been {doing} for more than {within_s:.0f} s"
            raise RunError("WAREHOUSE_BUSY", warehouse=warehouse, pid=pid, what=what)
        time.sleep(_POLL_S)


def sign(file: IO[str]) -> None:
    """Say who has the lock."""
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()


def taken_soon(file: IO[str]) -> bool:
    """Whether nobody else has the lock, but for one who only looks whether somebody has it."""
    if taken(file):
        return True
    time.sleep(_POLL_S)
    return taken(file)


def taken(file: IO[str], kind: int = fcntl.LOCK_EX) -> bool:
    """Whether the lock is had now; one of the kind `LOCK_SH` others may have, too."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
