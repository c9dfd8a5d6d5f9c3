"""Locks on files of a warehouse: whoever has one alone has written its number into it."""

from __future__ import annotations

import fcntl
import os
import time
from typing import IO, TYPE_CHECKING

from penstock.errors import RunError

if TYPE_CHECKING:
    from pathlib import Path

_POLL_S = 0.05


def await_alone(file: IO[str], *, within_s: float, warehouse: Path, doing: str) -> None:
    """Wait until nobody else has the lock; after a while say who has it, and what it is doing."""
    until = time.monotonic() + within_s
    while not _taken(file):
        if time.monotonic() > until:
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


def _taken(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
