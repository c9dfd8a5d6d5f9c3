"""The answer to a query, laid out for people: tables of lines, or a line for each value.

Rows come as the fields of TabSeparated, which says every value as ClickHouse prints it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Rows = Sequence[Sequence[str]]

# More rows than these are for files, not for eyes.
MOST_ROWS = 10_000
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NULL = "ᴺᵁᴸᴸ"
_KEPT = re.compile(r"^(SimpleAggregateFunction\(\w+, )?(Nullable\()?")
# Types whose values are texts of SQL, in which the strings keep their escapes.
_NESTED = ("Array(", "Map(", "Tuple(")


@dataclass(frozen=True, slots=True)
class Heading:
    """A column: numbers stand to the right; the `fields` of a Tuple may stand alone."""

    name: str
    number: bool
    type: str = ""
    fields: tuple[Heading, ...] = ()

    def is_of(self, kinds: tuple[str, ...]) -> bool:
        """Whether the type begins so, but for what only says how values are kept."""
        return _KEPT.sub("", self.type).startswith(kinds)


def cells_of(headings: Sequence[Heading], line: str) -> list[str]:
    """The values of a row of TabSeparated, as they are."""
    fields = zip(headings, line.removesuffix("\n").split("\t"), strict=True)
    return [_value(heading, field) for heading, field in fields]


def _value(heading: Heading, field: str) -> str:
    return _NULL if field == r"\N" else text_of(heading, field)


def text_of(heading: Heading, field: str) -> str:
    """What a field of TabSeparated says, if it is not NULL."""
    if heading.is_of(_NESTED):
        return field
    return _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[1]), field)


def width_of(text: str) -> int:
    """How many places of a terminal a text takes."""
    wide = (2 if east_asian_width(char) in "WF" else 1 for char in text if not combining(char))
    return sum(wide)


def _padded(text: str, width: int, *, number: bool, fill: str = " ") -> str:
    room = fill * (width - width_of(text))
    return room + text if number else text + room


def _widths(headings: Sequence[Heading], rows: Rows) -> list[int]:
    return [
        max([width_of(heading.name), *(width_of(row[at]) for row in rows)])
        for at, heading in enumerate(headings)
    ]


def _lines(headings: Sequence[Heading], rows: Rows, widths: list[int]) -> list[list[str]]:
    pairs = list(zip(headings, widths, strict=True))
    return [
        [_padded(cell, width, number=h.number) for cell, (h, width) in zip(row, pairs, strict=True)]
        for row in rows
    ]


def compact(headings: Sequence[Heading], rows: Rows) -> list[str]:
    """PrettyCompact: names in the upper line."""
    if not rows:
        return []
    widths = _widths(headings, rows)
    names = [
        _padded(h.name, width, number=h.number, fill="─")
        for h, width in zip(headings, widths, strict=True)
    ]
    bottom = "┴".join("─" * (width + 2) for width in widths)
    body = [f"│ {' │ '.join(line)} │" for line in _lines(headings, rows, widths)]
    return [f"┌─{'─┬─'.join(names)}─┐", *body, f"└{bottom}┘"]


def pretty(headings: Sequence[Heading], rows: Rows) -> list[str]:
    """Pretty: a line between every two rows."""
    if not rows:
        return []
    widths = _widths(headings, rows)
    head = _lines(headings, [[h.name for h in headings]], widths)[0]
    shown: list[str] = []
    for line in _lines(headings, rows, widths):
        shown += [_between("├┤", "┼", "─", widths), f"│ {' │ '.join(line)} │"]
    top, under = _between("┏┓", "┳", "━", widths), _between("┡┩", "╇", "━", widths)
    bottom = _between("└┘", "┴", "─", widths)
    return [top, f"┃ {' ┃ '.join(head)} ┃", under, *shown[1:], bottom]


def _between(ends: str, joint: str, line: str, widths: list[int]) -> str:
    return f"{ends[0]}{joint.join(line * (width + 2) for width in widths)}{ends[1]}"


def space(headings: Sequence[Heading], rows: Rows) -> list[str]:
    """PrettySpace: blanks between columns."""
    if not rows:
        return []
    widths = _widths(headings, rows)
    head = _lines(headings, [[h.name for h in headings]], widths)[0]
    body = (" " + "   ".join(line) for line in _lines(headings, rows, widths))
    return [" " + "   ".join(head), "", *body]


def vertical(headings: Sequence[Heading], rows: Rows) -> list[str]:
    """Vertical: a line for each value."""
    width = max((width_of(h.name) for h in headings), default=0)
    shown: list[str] = []
    for number, row in enumerate(rows, 1):
        title = f"Row {number}:"
        shown += [title, "─" * len(title)]
        names = (_padded(f"{h.name}:", width + 1, number=False) for h in headings)
        shown += [f"{name} {cell}" for name, cell in zip(names, row, strict=True)]
        shown.append("")
    return shown[:-1]


def markdown(headings: Sequence[Heading], rows: Rows) -> list[str]:
    """Markdown: a table of its own."""
    rule = "|".join("-:" if h.number else ":-" for h in headings)
    lines = ([h.name for h in headings], *([r"\N" if c == _NULL else c for c in r] for r in rows))
    shown = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lines]
    return [shown[0], f"|{rule}|", *shown[1:]]


_PRETTY = {"PrettyCompact": compact, "Pretty": pretty, "PrettySpace": space}
_KINDS = ("", "NoEscapes", "MonoBlock", "NoEscapesMonoBlock")
LAYOUTS: dict[str, Callable[[Sequence[Heading], Rows], list[str]]] = {
    **{f"{name}{kind}": layout for name, layout in _PRETTY.items() for kind in _KINDS},
    "Vertical": vertical,
    "Markdown": markdown,
}
