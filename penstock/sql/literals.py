"""What was written as a literal, seen from its Spark SQL: the reverse of `model.types.literal`."""

from __future__ import annotations

import re

_TEXT = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
_INTEGER = re.compile(r"(\d+)|\(- (\d+)\)")


def text_of(sql: str) -> str | None:
    """The text, if this is a text literal and nothing else."""
    match = _TEXT.fullmatch(sql)
    return re.sub(r"\\(.)", r"\1", match[1], flags=re.DOTALL) if match else None


def integer_of(sql: str) -> int | None:
    """The number, if this is an integer literal, perhaps with a minus, and nothing else."""
    match = _INTEGER.fullmatch(sql)
    if match is None:
        return None
    return int(match[1]) if match[1] else -int(match[2])
