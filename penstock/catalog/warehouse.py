"""A warehouse: a folder of tables at rest with the catalog of what is in it.

<warehouse>/catalog.json      definitions; replaced as a whole, so that no reader sees half of it
<warehouse>/tables/<folder>/  the rows of a table, as a Delta table
<warehouse>/queries/<view>/   what a materialized view remembers: checkpoint, where it began

What processes of one warehouse tell each other is in other files of it: `runtime.signals`.
"""

from __future__ import annotations

import json
import os
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from penstock.catalog.definitions import Definitions
from penstock.errors import RunError

if TYPE_CHECKING:
    from pathlib import Path

# No job's folder is called so: a dot in the name of a job is written otherwise.
DEFAULT_NAME = "warehouse.d"
_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Warehouse:
    """The folder; it need not exist yet."""

    path: Path

    @property
    def exists(self) -> bool:
        """Whether something was kept in it."""
        return self._catalog.exists()

    @property
    def _catalog(self) -> Path:
        return self.path / "catalog.json"

    def text(self) -> str:
        """The file of definitions as it is now: another text, other definitions."""
        return self._catalog.read_text(encoding="utf-8") if self.exists else ""

    def read(self) -> Definitions:
        """What is in it; nothing if there is no such warehouse."""
        if not self.exists:
            return Definitions()
        try:
            return Definitions.of_json(json.loads(self._catalog.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise self.unreadable(error) from error

    def unreadable(self, reason: object) -> RunError:
        """The error of a file of definitions that cannot be read, or not in full."""
        return RunError("WAREHOUSE_UNREADABLE", file=self._catalog, reason=reason)

    def write(self, definitions: Definitions) -> None:
        """Replace what is in it; passwords of Kafka tables are for their owner only."""
        self.path.mkdir(parents=True, exist_ok=True)
        staged = self._catalog.with_suffix(".tmp")
        staged.touch(mode=0o600)
        with staged.open("w", encoding="utf-8") as file:
            file.write(json.dumps(definitions.as_json(), indent=1))
            file.flush()
            # Else a machine that loses its power may keep the new name, and nothing under it.
            os.fsync(file.fileno())
        staged.replace(self._catalog)

    def table_path(self, folder: str) -> str:
        """Where the rows of a table are."""
        return str(self.path.absolute() / "tables" / folder)


def new_folder(table: str) -> str:
    """A folder for a table: its name for people, digits so that no two tables share one."""
    return f"{quote(table, safe=' ')}-{uuid.uuid4().hex[:_DIGITS]}"
