"""What a warehouse knows beside the rows of its tables: databases, tables, views, as SQL.

Each object is kept as the statement that makes it, so that what is written by one version can be
read by the next. `plan.clickhouse.kept` makes them from a script's state, and that from them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

ObjectKind = Literal["named collection", "table", "view", "materialized view"]
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Definition:
    """One object; `declared` is its statement as it was first written.

    `database` is the one that short names in the statement are of, `folder` where a table at rest
    has its rows, `home` where files that it names are looked for. Rows that are older than the
    columns `added` have no value of theirs.
    """

    name: str
    kind: ObjectKind
    sql: str
    declared: str
    database: str
    detached: bool = False
    folder: str = ""
    added: tuple[str, ...] = ()
    home: str = ""


@dataclass(frozen=True, slots=True)
class Definitions:
    """All of a warehouse, tables before the views that read them."""

    databases: tuple[str, ...] = ()
    objects: tuple[Definition, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """For the file."""
        objects = [asdict(one) for one in self.objects]
        return {"version": _VERSION, "databases": list(self.databases), "objects": objects}

    @classmethod
    def of_json(cls, found: dict[str, Any]) -> Definitions:
        """From the file; `version` is there for whoever must read another form one day."""
        objects = (Definition(**{**one, "added": tuple(one["added"])}) for one in found["objects"])
        return cls(tuple(found["databases"]), tuple(objects))
