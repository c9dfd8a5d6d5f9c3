"""An error as a user sees it: what, where with the place underlined, what to do."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.model.option import SECRET, is_secret

if TYPE_CHECKING:
    from penstock.errors import PenstockError

_WIDTH = 96
_QUOTED = re.compile(r"""'(?:[^']|'')*'?|"(?:[^"]|"")*"?""")


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


def hide_secrets(lines: list[str], number: int) -> str:
    """A line of a script with every text masked that stands beside or below a secret's name."""
    before = next((line for line in reversed(lines[:number]) if line.strip()), "")
    named = is_secret(lines[number]) or (is_secret(before) and before.rstrip()[-1:] not in ",;(")
    if not named:
        return lines[number]
    return _QUOTED.sub(
        lambda match: match[0] if _is_key(match[0]) else f"'{SECRET}'", lines[number]
    )


def _is_key(quoted: str) -> bool:
    return is_secret(quoted) and re.fullmatch(r"[\w.-]+", quoted[1:-1]) is not None


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
    shown = hide_secrets(source, line - 1)
    margin = f"{line:>5} | "
    before = "".join("\t" if char == "\t" else " " for char in source[line - 1][: column - 1])
    marks = "^" * max(1, min(length, len(source[line - 1]) - column + 1))
    return [margin + shown, " " * 5 + " | " + before + marks]
