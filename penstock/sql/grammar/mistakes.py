"""Several mistakes of one statement, told together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.errors import PenstockError


@dataclass(slots=True)
class Mistakes:
    """Mistakes that do not hinder reading on."""

    found: list[PenstockError] = field(default_factory=list)

    def add(self, error: PenstockError) -> None:
        """Remember one."""
        self.found.append(error)

    def raise_all(self) -> None:
        """Raise the first, the others in its `also`, if there are any."""
        if self.found:
            first, *others = self.found
            first.also = tuple(others)
            raise first
