"""An error as a user sees it: what, where with the place underlined, what to do."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.model.option import SECRET, SECRET_WORDS

if TYPE_CHECKING:
    from penstock.errors import PenstockError

_WIDTH = 96
# The value of an option whose name says that it is nobody's business.
_SECRET = re.compile(
    rf"""((?:{"|".join(SECRET_WORDS)})[\w.-]*['"]?\s*=\s*)(?:'(?:[^']|'')*'?|"(?:[^"]|"")*"?)""",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Script:
    """A script by name, to show the lines that errors point at."""

    name: str
    text: str


def render_error(error: PenstockError, script: Script | None = None) -> str:
    """The error as text for a terminal."""
    span = error.span
    place = ""
    if script:
        place = f" {script.name}:{span}" if span else f" {script.name}"
    lines = [f"error[{error.code}]{place}", *_wrapped(error.text)]
    if script and span:
        lines += _excerpt(script.text, span.line, span.column, span.length)
    lines += _wrapped(error.advice)
    return "\n".join(lines) + "\n"


def hide_secrets(line: str) -> str:
    """A line of a script with passwords masked."""
    return _SECRET.sub(lambda match: f"{match[1]}'{SECRET}'", line)


def _wrapped(text: str) -> list[str]:
    return [
        line
        for paragraph in text.splitlines()
        for line in textwrap.wrap(
            paragraph, _WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
        )
    ]


def _excerpt(text: str, line: int, column: int, length: int) -> list[str]:
    source = text.splitlines()
    if not 1 <= line <= len(source):
        return []
    shown = hide_secrets(source[line - 1])
    margin = f"{line:>5} | "
    before = "".join("\t" if char == "\t" else " " for char in source[line - 1][: column - 1])
    marks = "^" * max(1, min(length, len(source[line - 1]) - column + 1))
    return [margin + shown, " " * 5 + " | " + before + marks]
