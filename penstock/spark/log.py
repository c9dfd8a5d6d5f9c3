"""Where the Spark of this process writes its log: one process has one Java."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_launched: list[Path] = []


def note_log(path: Path) -> None:
    """Called by whoever starts Java."""
    _launched[:] = [path]


def log_of(otherwise: object) -> object:
    """The log of the Java that this process has started, else what is given."""
    return _launched[0] if _launched else otherwise
