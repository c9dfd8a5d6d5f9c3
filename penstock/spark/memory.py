"""How much memory the state of streams may take: RocksDB's, which is outside of Java's heap."""

from __future__ import annotations

import os
from pathlib import Path

_CONTAINER_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
_MEGABYTE = 1024 * 1024
# Enough for some dozens of write buffers; beyond, the files that the system caches do as well.
_LEAST_MB, _MOST_MB = 256, 2048
_SHARE = 8


def default_state_memory_mb(limits: tuple[Path, ...] = _CONTAINER_LIMITS) -> int:
    """An eighth of what this machine, or this container, has."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    found = min([machine, *filter(None, map(_limit, limits))])
    return max(_LEAST_MB, min(found // _MEGABYTE // _SHARE, _MOST_MB))


def _limit(file: Path) -> int | None:
    """A container without a limit has a word in place of a number."""
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return None
