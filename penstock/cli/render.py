"""An error as a user sees it: what, where with the place underlined, what to do."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.model.secret import SECRET, is_secret, without_logins

if TYPE_CHECKING:
    from penstock.errors import PenstockError

_WIDTH = 96
_LONGEST_LINE = 110
_BEFORE_MARK = 40
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
    """A line of a script with every text masked that stands beside or below a secret's name.

    Passwords in addresses are masked everywhere.
    """
    line = lines[number]
    return _QUOTED.sub(_masked, line) if _beside_secret(lines, number) else without_logins(line)


def _beside_secret(lines: list[str], number: int) -> bool:
    before = next((line for line in reversed(lines[:number]) if line.strip()), "")
    return is_secret(lines[number]) or (is_secret(before) and before.rstrip()[-1:] not in ",;(")


def _masked(quoted: re.Match[str]) -> str:
    return quoted[0] if _is_key(quoted) else f"'{SECRET}'"


def _place(lines: list[str], number: int, column: int) -> int:
    """Where what stands at a column is in the line as it is shown, with its secrets masked."""
    if not _beside_secret(lines, number):
        return len(without_logins(lines[number][: column - 1])) + 1
    pieces = [m for m in _QUOTED.finditer(lines[number]) if m.start() < column - 1]
    inside = bool(pieces) and pieces[-1].end() >= column
    whole = pieces[:-1] if inside else pieces
    shift = sum(len(_masked(piece)) - len(piece[0]) for piece in whole)
    return (pieces[-1].start() + 1 if inside else column) + shift


def _is_key(quoted: re.Match[str]) -> bool:
    """Whether a text is the name of an option: an equals sign follows it, here or below."""
    before, after = quoted.string[: quoted.start()], quoted.string[quoted.end() :].strip()
    return is_secret(quoted[0]) and (after.startswith("=") or not (after or before.strip(" \t,(")))


def _wrapped(text: str) -> list[str]:
    return [
        line
        for paragraph in text.splitlines()
        for line in textwrap.wrap(
            paragraph,
            _WIDTH,
            initial_indent="  ",
            subsequent_indent="  ",
            break_on_hyphens=False,
            break_long_words=False,
        )
    ]


def _excerpt(text: str, line: int, column: int, length: int) -> list[str]:
    source = text.splitlines()
    if not 1 <= line <= len(source):
        return []
    shown = hide_secrets(source, line - 1)
    marked = min(length, len(source[line - 1]) - column + 1)
    if shown == source[line - 1]:
        marked = _closed(shown, column - 1, marked)
    else:
        start, column = column, _place(source, line - 1, column)
        marked = _place(source, line - 1, start + marked) - column
    shown, column, marked = _clipped(shown, column, max(1, marked))
    margin = f"{line:>5} | "
    before = "".join("\t" if char == "\t" else " " for char in shown[: column - 1])
    return [margin + shown, " " * 5 + " | " + before + "^" * max(1, marked)]


def _closed(text: str, start: int, length: int) -> int:
    """The length up to the bracket that closes what the marked piece opens."""
    piece = text[start : start + length]
    missing = piece.count("(") - piece.count(")")
    end = start + length
    while missing > 0 and text[end : end + 1] in (")", " "):
        missing -= text[end] == ")"
        end += 1
    return end - start if missing == 0 else length


def _clipped(text: str, column: int, length: int) -> tuple[str, int, int]:
    """A long line as the part around the mark, with the mark's place in it."""
    if len(text) <= _LONGEST_LINE:
        return text, column, length
    begin = max(0, min(column - 1 - _BEFORE_MARK, len(text) - _LONGEST_LINE))
    end = begin + _LONGEST_LINE
    shown = text[begin:end]
    shown = ("…" + shown[1:]) if begin else shown
    shown = (shown[:-1] + "…") if end < len(text) else shown
    return shown, column - begin, min(length, len(shown) - (column - begin) + 1)
