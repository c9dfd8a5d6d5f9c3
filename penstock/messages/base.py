"""The shape of a wording."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """What is wrong and where, then what to do; `family` is the error class it belongs to."""

    family: str
    text: str
    advice: str = ""
