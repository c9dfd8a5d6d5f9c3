"""Literal patterns of java.time and names of time zones, checked before Java sees them.

`sql.functions.temporal` asks where Flink refuses a wrong one when it plans.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from penstock.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Collection

_MAX_WIDTH = 19
_MILLISECONDS, _NANOSECONDS = 3, 9
_PART = re.compile(r"'(?:[^']|'')*'|p*([A-Za-z])\1*|.", re.DOTALL)
_QUOTED = re.compile(r"'[^']*'?")
_OFFSET = r"[+-](?:[0-9]|[01][0-9](?::?[0-5][0-9]){0,2})"
_FIXED_ZONE = re.compile(rf"Z|{_OFFSET}|(?:UTC|GMT|UT)(?:{_OFFSET})?")
# letter → how often in a row it can stand
_WIDTHS: dict[str, Collection[int]] = {
    **dict.fromkeys("aFW", (1,)),
    **dict.fromkeys("dhHkKmsw", (1, 2)),
    **dict.fromkeys("vO", (1, 4)),
    **dict.fromkeys("GMLQqEeZXx", range(1, 6)),
    **dict.fromkeys("uyYAnNg", range(1, _MAX_WIDTH + 1)),
    "B": (1, 4, 5),
    "c": (1, 3, 4, 5),
    "D": (1, 2, 3),
    "S": range(1, _NANOSECONDS + 1),
    "V": (2,),
    "z": range(1, 5),
}


def check_pattern(pattern: str) -> None:
    """Refuse a pattern that java.time cannot compile."""
    open_sections = 0
    for match in _PART.finditer(pattern):
        part, letter = match[0], match[1]
        if letter and len(part.lstrip("p")) not in _WIDTHS.get(letter, ()):
            _refuse(pattern, f"`{part}` means nothing in it.")
        open_sections += (part == "[") - (part == "]")
        if open_sections < 0:
            _refuse(pattern, "`]` has no `[` before it.")
        if part in "{}#'":
            _refuse(pattern, f"`{part}` must be in quotes, and a quote needs another one.")


def digits_of(pattern: str) -> int:
    """How many digits of a second a pattern can read: 3 to 9."""
    runs = re.findall("S+", _QUOTED.sub("'", pattern))
    return min(max(_MILLISECONDS, *map(len, runs), 0), _NANOSECONDS)


def check_zone(zone: str) -> None:
    """Refuse what is no time zone."""
    if _FIXED_ZONE.fullmatch(zone):
        return
    try:
        ZoneInfo(zone)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise PlanError("UNKNOWN_TIME_ZONE", zone=zone) from None


def _refuse(pattern: str, problem: str) -> None:
    raise PlanError("INVALID_TIME_PATTERN", pattern=pattern, problem=problem)
