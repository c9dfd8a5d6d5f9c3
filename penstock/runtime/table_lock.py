"""Rows of a table at rest are not written anew while others are inserted.

INSERT has the lock of its table together with others, who writes all rows anew has it alone: rows
are numbered as they are written, and of two rows of a key the later one counts. Views take none,
they are held. Whoever is gone has no lock.
"""

from __future__ import annotations

import fcntl
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING

from penstock.connectors.merge_tree import MergeTreeTable
from penstock.plan.steps import RunOnce, rewritten
from penstock.runtime.file_lock import await_alone, sign

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from penstock.plan.steps import Action

# Delta passes over files whose names begin so, and they go with their folder.
_FILE = "_lock"
# While it waits the views of the table stand still. INSERT waits until it can.
ALONE_WITHIN_S = 90.0


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
        sign(file)
        yield


@contextmanager
def alone(folder: str) -> Iterator[None]:
    """While nobody inserts."""
    if not Path(folder).is_dir():
        yield
        return
    with _opened(folder) as file:
        warehouse, doing = Path(folder).parents[1], f"inserting into {folder}"
        await_alone(file, within_s=ALONE_WITHIN_S, warehouse=warehouse, doing=doing)
        yield


def _opened(folder: str) -> IO[str]:
    return (Path(folder) / _FILE).open("a+")
