"""Data that stands in a script behind INSERT … FORMAT: found before anything else is read.

Such data is no SQL and may hold quotes and semicolons, so it is blanked out before the text is cut
into tokens. It ends with a semicolon at the end of a line, or with the script.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PIECE = re.compile(
    r"""(?P<comment>--[^\n]*|\#[!\ ][^\n]*|/\*.*?\*/)
      | (?P<quoted>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`\\]|\\.|``)*`)
      | (?P<end>;)
      | (?P<bracket>[()])
      | (?P<word>[A-Za-z_]\w*)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
# What stands behind the name of the format on its line is no data unless it is more than blanks.
_DATA_START = re.compile(r"\A[ \t\f\r]*\n?")
_DATA_END = re.compile(r";[ \t\r]*(?=\n|\Z)|\Z")
# An INSERT that says one of these reads its rows from a query or from VALUES.
_QUERIES = {"SELECT", "WITH", "VALUES", "INFILE"}


@dataclass(frozen=True, slots=True)
class Inline:
    """A script without its data: same length, blanks instead; the data by where it begins."""

    text: str
    data: dict[int, str]

    def between(self, start: int, end: int) -> str | None:
        """The data that stands there."""
        return next((found for at, found in self.data.items() if start <= at <= end), None)


def without_data(text: str) -> Inline:
    """Take the data out of a script."""
    data: dict[int, str] = {}
    at = 0
    while (found := _next_data(text, at)) is not None:
        start, end = found
        data[start] = _DATA_START.sub("", text[start:end]).rstrip("\r\n")
        blank = re.sub(r"[^\n]", " ", text[start:end])
        text = text[:start] + blank + text[end:]
        at = end
    return Inline(text, data)


def _next_data(text: str, at: int) -> tuple[int, int] | None:
    words: list[str] = []
    depth = 0
    for piece in _PIECE.finditer(text, at):
        if piece["end"]:
            words, depth = [], 0
        depth += {"(": 1, ")": -1}.get(piece["bracket"] or "", 0)
        if not piece["word"] or depth:
            continue
        words.append(piece["word"].upper())
        if words[0] == "INSERT" and words[-2:-1] == ["FORMAT"] and not _QUERIES & {*words[:-2]}:
            start = piece.end()
            end = _DATA_END.search(text, start)
            if end and text[start : end.start()].strip():
                return start, end.start()
    return None
