"""The `canal-json` format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from penstock.formats.cdc import ROW_OPTIONS, TEXTS, CdcJson
from penstock.model.option import Option, pattern
from penstock.model.types import INT, STRING, TIMESTAMP_LTZ_3, DataType

_SQL_TYPES = DataType("MAP", children=(("key", STRING), ("value", INT)))
_DATABASE: Option[Any] = Option(
    "database.include",
    pattern,
    None,
    "Read only messages whose whole `database` matches this regular expression of Java's.",
)
_TABLE: Option[Any] = Option(
    "table.include",
    pattern,
    None,
    "Read only messages whose whole `table` matches this regular expression of Java's.",
)


@dataclass(frozen=True, slots=True)
class CanalJson(CdcJson):
    """Changes as Canal tells them: several rows in a message."""

    name = "canal-json"
    DECODE = "penstock_canal_json_decode"
    ENCODE = "penstock_canal_json_encode"
    OPTIONS = (*ROW_OPTIONS, _DATABASE, _TABLE)
    METADATA = (
        ("database", STRING),
        ("table", STRING),
        ("sql-type", _SQL_TYPES),
        ("pk-names", TEXTS),
        ("ingestion-timestamp", TIMESTAMP_LTZ_3),
        ("event-timestamp", TIMESTAMP_LTZ_3),
    )
