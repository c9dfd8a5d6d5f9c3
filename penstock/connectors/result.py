"""Where the rows of a SELECT go that stands by itself: to whoever asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from penstock.connectors.base import Target


@dataclass(frozen=True, slots=True)
class ResultTarget(Target):
    """The answer to a query, in the format that its FORMAT clause names."""

    format: str
    not_yet: ClassVar[str] = "the rows of a ClickHouse SELECT are planned, but not yet shown"

    def describe(self) -> str:
        """The format."""
        return f"result, format {self.format}"
