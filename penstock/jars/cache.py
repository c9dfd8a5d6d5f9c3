"""The folder on this machine that keeps fetched jars, and the lock that lets one process write it.

<cache>/jars/<configuration>-<hash>/   ready to use; made by one rename, never changed after
<cache>/jars/.partial-*/               a fetch under way, or what a killed one left behind
<cache>/ivy/                           Ivy's own cache, from which a broken-off fetch resumes
<cache>/fetch-<configuration>.log      what Ivy said the last time
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PARTIAL = ".partial-"


def cache_folder() -> Path:
    """`$PENSTOCK_CACHE`, else `penstock` in the user's cache folder; it need not exist yet."""
    if chosen := os.environ.get("PENSTOCK_CACHE"):
        return Path(chosen).expanduser().absolute()
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base, "penstock")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "penstock"
    return Path.home() / ".cache" / "penstock"


def ready_folder(cache: Path, name: str) -> Path:
    """Where the jars of that name are once they are all there."""
    return cache / "jars" / name


@contextmanager
def exclusive(cache: Path, *, waiting: Callable[[], None]) -> Iterator[int]:
    """Be the only writer; gives the lock's file descriptor, `waiting` is called if another is.

    A child that inherits the descriptor holds the lock too: the Java of a killed fetch may go on
    writing for a while, and nobody else starts before it has ended.
    """
    with _translated(cache):
        (cache / "jars").mkdir(parents=True, exist_ok=True)
        with (cache / "lock").open("ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield lock.fileno()


def make_partial(cache: Path) -> Path:
    """A new folder to fetch into, after removing what dead fetches left; needs the lock."""
    for leftover in (cache / "jars").glob(f"{_PARTIAL}*"):
        shutil.rmtree(leftover)
    return Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=cache / "jars"))


def publish(partial: Path, ready: Path) -> None:
    """Make a complete folder visible under its name, in one step; needs the lock."""
    if ready.exists():  # jars were removed from it by hand
        shutil.rmtree(ready)
    partial.chmod(0o755)  # mkdtemp's folders are for their owner only
    partial.rename(ready)


@contextmanager
def _translated(cache: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SetupError("CACHE_UNUSABLE", path=cache, reason=error.strerror or error) from error
