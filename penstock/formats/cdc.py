"""What the formats of change data capture over JSON share."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from penstock.formats.base import SKIP, Format
from penstock.formats.json import Json
from penstock.model.changelog import ChangelogMode
from penstock.model.option import Option, exactly_one_of
from penstock.model.types import STRING, DataType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.model.table import Table
    from penstock.model.types import Fields

_SHARED = (
    *(SKIP, "timestamp-format.standard", "map-null-key.mode"),
    *("map-null-key.literal", "encode.decimal-as-plain-number", "encode.ignore-null-fields"),
)
# Options of the rows inside of a message: those of `json`.
ROW_OPTIONS = tuple(option for option in Json.OPTIONS if option.key in _SHARED)

TEXTS = DataType("ARRAY", children=(("element", STRING),))

MISSING_BEFORE: Option[object] = Option(
    "missing-before",
    exactly_one_of("fail", "upsert"),
    "fail",
    "What to do about an update or delete without the row before: `fail`, or `upsert`: read the "
    "table as rows that replace each other by its PRIMARY KEY.",
)


@dataclass(frozen=True, slots=True)
class CdcJson(Format):
    """Messages that say what happened to rows: inserts, updates, deletes."""

    CHANGELOG = ChangelogMode.RETRACT

    def problem_with(self, type_: DataType) -> str:
        """The rows are JSON."""
        return Json().problem_with(type_)


@dataclass(frozen=True, slots=True)
class BeforeAfter(CdcJson):
    """Messages with a row before and after its change; the one before may be missing."""

    key: tuple[str, ...] = ()

    @property
    def changelog(self) -> ChangelogMode:
        """Without the rows before, a table can only tell which row is the last of its key."""
        upserts = self.option(MISSING_BEFORE.key) == "upsert"
        return ChangelogMode.UPSERT if upserts else ChangelogMode.RETRACT

    def keyed(self, table: Table) -> Format:
        """Remember the primary key, which tells rows apart that replace each other."""
        return replace(self, key=table.primary_key)

    def told(self, fields: Fields) -> Mapping[str, object]:
        """The options, and the columns of the primary key that stand in the message."""
        known = dict(self.options)
        if self.changelog is ChangelogMode.UPSERT:
            names = [name for name, _ in fields if name in self.key]
            known["key"] = json.dumps(names, ensure_ascii=False)
        return known
