"""The query that sources and sinks work for: its name, its folder, the settings of its job."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """Where a query stands; `updates` says that its rows replace earlier ones.

    Queries with the same `fingerprint` give the same rows to the same tasks.

    `name` is `<job>/<query>`. Two sessions of one process may run jobs of the same name in
    different folders: what the Java module keeps of a query is under its folder, its `key`.
    """

    folder: Path
    name: str = ""
    sink_table: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    updates: bool = False
    fingerprint: str = ""

    @property
    def key(self) -> str:
        """The name of the query that no other one in this process has."""
        return str(self.folder.absolute())

    def traffic(self, table: str) -> str:
        """The name under which a table's rows and bytes are counted."""
        return f"{self.key}/{table}"

    def is_half_written(self) -> bool:
        """Whether a batch was begun that is not noted as done: it is run again first."""
        begun, done = last_batches(self.folder / "checkpoint")
        return begun > done


def last_batches(checkpoint: Path) -> tuple[int, int]:
    """The last batch that was begun, and the last that is noted as done; -1 if there is none."""
    return _last(checkpoint / "offsets"), _last(checkpoint / "commits")


def read_versions(checkpoint: Path) -> dict[str, int]:
    """The first commits that the last block which is done has not read, by the ids of tables."""
    _, done = last_batches(checkpoint)
    file = checkpoint / "offsets" / str(done)
    found: dict[str, int] = {}
    for line in file.read_text().splitlines()[2:] if done >= 0 else ():
        offset = json.loads(line) if line.startswith("{") else {}
        if "reservoirId" in offset:
            table, version = offset["reservoirId"], int(offset["reservoirVersion"])
            found[table] = min(version, found.get(table, version))
    return found


def _last(folder: Path) -> int:
    return max(
        (int(file.name) for file in folder.glob("[0-9]*") if file.name.isdigit()), default=-1
    )
