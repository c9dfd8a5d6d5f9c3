"""The function that q14 uses."""

from __future__ import annotations


def count_char(text: str | None, character: str) -> int:
    """How often a character is in a text."""
    return (text or "").count(character)
