"""The query that sources and sinks work for: its name, its folder, the settings of its job."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """Where a query stands; `updates` says that its rows replace earlier ones.

    `name` is `<job>/<query>`; what the Java module counts of a table is under
    `<job>/<query>/<table>`.
    """

    folder: Path
    name: str = ""
    sink_table: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    updates: bool = False

    def traffic(self, table: str) -> str:
        """The name under which a table's rows and bytes are counted."""
        return f"{self.name}/{table}"
