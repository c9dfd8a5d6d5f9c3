"""The `debezium-json` format."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.formats.cdc import MISSING_BEFORE, ROW_OPTIONS, BeforeAfter
from penstock.model.option import Option, boolean
from penstock.model.types import STRING, TIMESTAMP_LTZ_3, DataType

_PROPERTIES = DataType("MAP", children=(("key", STRING), ("value", STRING)))
_SCHEMA_INCLUDE: Option[object] = Option(
    "schema-include",
    boolean,
    False,
    "The message is the `payload` beside a `schema`, as Kafka Connect writes it with "
    "`value.converter.schemas.enable`. For reading only.",
    "Boolean",
)


@dataclass(frozen=True, slots=True)
class DebeziumJson(BeforeAfter):
    """Changes as Debezium tells them."""

    name = "debezium-json"
    DECODE = "penstock_debezium_json_decode"
    ENCODE = "penstock_debezium_json_encode"
    OPTIONS = (_SCHEMA_INCLUDE, *ROW_OPTIONS, MISSING_BEFORE)
    METADATA = (
        ("schema", STRING),
        ("ingestion-timestamp", TIMESTAMP_LTZ_3),
        ("source.timestamp", TIMESTAMP_LTZ_3),
        ("source.database", STRING),
        ("source.schema", STRING),
        ("source.table", STRING),
        ("source.properties", _PROPERTIES),
    )

    def unwritable(self) -> tuple[str, str] | None:
        """A schema is not written."""
        if not self.option(_SCHEMA_INCLUDE.key):
            return None
        return _SCHEMA_INCLUDE.key, (
            "Debezium JSON serialization doesn't support 'debezium-json.schema-include' option "
            "been set to true."
        )
