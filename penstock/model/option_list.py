"""Lists as the value of an option: `a;b`, `'a;b';c` or `[a, b]`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# A part in quotes, a doubled quote standing for one; or anything up to the separator.
_PART = r"""\s*(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)"|([^{0}]*?))\s*({0}|\Z)"""
_BY_SEMICOLON = re.compile(_PART.format(";"))
_BY_COMMA = re.compile(_PART.format(","))


def separated(value: str) -> tuple[str, ...]:
    """A list written with semicolons, or in brackets as YAML writes it."""
    inside = re.fullmatch(r"\s*\[(.*)\]\s*", value, re.DOTALL)
    if inside:
        return tuple(_parts(inside[1], _BY_COMMA)) if inside[1].strip() else ()
    found = list(_parts(value, _BY_SEMICOLON))
    # Nothing stands before a leading separator or behind a trailing one.
    first, last = int(not found[0]), len(found) - int(not found[-1])
    return tuple(found[first:last])


def _parts(text: str, part: re.Pattern[str]) -> Iterator[str]:
    place, more = 0, True
    while more:
        found = part.match(text, place)
        if not found or (found[3] and found[3][0] in "'\""):
            raise ValueError("a list such as 'a;b' or '[a, b]', its quotes closed")
        single, double, plain, end = found.groups()
        if plain is None:
            plain = single.replace("''", "'") if single is not None else double.replace('""', '"')
        yield plain
        place, more = found.end(), bool(end)
