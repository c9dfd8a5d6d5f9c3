"""Names of several parts as one text: `catalog.database.table`, a part with a dot in back-ticks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_PART = re.compile(r"`((?:[^`]|``)*)`|([^.]+)")


def joined(parts: Iterable[str]) -> str:
    """The parts as one name."""
    return ".".join(_quoted(part) if "." in part or "`" in part else part for part in parts)


def parts_of(name: str) -> tuple[str, ...]:
    """The parts of a name that `joined` made."""
    if "`" not in name:
        return tuple(name.split("."))
    return tuple(match[2] or match[1].replace("``", "`") for match in _PART.finditer(name))


def _quoted(part: str) -> str:
    return "`" + part.replace("`", "``") + "`"
