"""Rows of a table at rest are not written anew while others are inserted.

INSERT has the lock of its table together with others, who writes all rows anew has it alone: rows
are numbered as they are written, and of two rows of a key the later one counts. Views take none,
they are held. Whoever is gone has no lock.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING

from penstock.connectors.merge_tree import MergeTreeTable
from penstock.errors import RunError
from penstock.plan.steps import RunOnce, rewritten

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from penstock.plan.steps import Action

# Delta passes over files whose names begin so, and they go with their folder.
_FILE = "_lock"
# While it waits the views of the table stand still. INSERT waits until it can.
ALONE_WITHIN_S = 90.0
_POLL_S = 0.05


def undisturbed(action: Action) -> AbstractContextManager[None]:
    """The lock that a step needs, if any."""
    if folder := rewritten(action):
        return alone(folder)
    target = action.query.spec.target if isinstance(action, RunOnce) else None
    return inserting(target.path) if isinstance(target, MergeTreeTable) else nullcontext()


@contextmanager
def inserting(folder: str) -> Iterator[None]:
    """Together with other INSERTs; a table that is gone is told by whoever writes it."""
    if not Path(folder).is_dir():
        yield
        return
    with _opened(folder) as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        _sign(file)
        yield


@contextmanager
def alone(folder: str) -> Iterator[None]:
    """While nobody inserts."""
    if not Path(folder).is_dir():
        yield
        return
    with _opened(folder) as file:
        until = time.monotonic() + ALONE_WITHIN_S
        while not _taken(file):
            if time.monotonic() > until:
                file.seek(0)
                what = f"has been inserting into {folder} for more than {ALONE_WITHIN_S:.0f} s"
                warehouse = Path(folder).parents[1]
                pid = file.read() or "unknown"
                raise RunError("WAREHOUSE_BUSY", warehouse=warehouse, pid=pid, what=what)
            time.sleep(_POLL_S)
        yield


def _opened(folder: str) -> IO[str]:
    return (Path(folder) / _FILE).open("a+")


def _sign(file: IO[str]) -> None:
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()


def _taken(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
