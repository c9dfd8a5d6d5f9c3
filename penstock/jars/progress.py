"""How far a fetch is, on stderr: one moving line on a terminal, a line per ten jars in a pipe."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from types import TracebackType

_BAR_WIDTH = 28
_PLAIN_EVERY = 10


class Progress(Protocol):
    """Called whenever a jar was found or fetched; nothing is called if all are there already."""

    def __call__(self, done: int, total: int, name: str) -> None:
        """`done` of `total` jars are here; `name` is the one just dealt with."""


def silent(done: int, total: int, name: str) -> None:
    """The progress nobody looks at."""


class Display:
    """A `Progress` that prints; use it as a context manager, so that its line is ended."""

    def __init__(self, title: str, stream: TextIO | None = None) -> None:
        self._title = title
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._last_line = -1
        self._line_open = False

    def __enter__(self) -> Display:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._line_open:
            self._stream.write("\n")

    def __call__(self, done: int, total: int, name: str) -> None:
        """Show it."""
        if self._live:
            self._draw(done, total, name)
        elif done > self._last_line and (done % _PLAIN_EVERY == 0 or done == total):
            self._last_line = done
            self._stream.write(f"{self._title}: {done} of {total} jars\n")
        self._stream.flush()

    def _draw(self, done: int, total: int, name: str) -> None:
        columns = shutil.get_terminal_size().columns - 1
        filled = _BAR_WIDTH * done // total
        full, empty = "━─" if "utf" in (self._stream.encoding or "").lower() else "#-"
        bar = full * filled + empty * (_BAR_WIDTH - filled)
        count = f"{done:>{len(str(total))}}/{total}"
        label = "" if done == total else name
        line = f"{self._title} {bar} {count} {label}"
        self._stream.write(f"\r\x1b[K{line[:columns].rstrip()}")
        self._line_open = True
