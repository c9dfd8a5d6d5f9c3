"""Where in the user's text something stands; carried by statements, options and errors."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A run of characters on one line; `line` and `column` count from 1."""

    line: int
    column: int
    length: int = 1

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"
