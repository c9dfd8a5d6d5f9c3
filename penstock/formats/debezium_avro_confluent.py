"""The `debezium-avro-confluent` format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.formats.avro_confluent import AvroConfluent
from penstock.formats.avro_schema import nullable_record
from penstock.formats.avro_types import says_the_same
from penstock.model.changelog import ChangelogMode
from penstock.model.types import STRING, DataType

if TYPE_CHECKING:
    from penstock.model.types import Fields


@dataclass(frozen=True, slots=True)
class DebeziumAvroConfluent(AvroConfluent):
    """One change of a row in each message, as Debezium writes it with Avro and a registry."""

    name = "debezium-avro-confluent"
    DECODE = "penstock_debezium_avro_confluent_decode"
    ENCODE = "penstock_debezium_avro_confluent_encode"
    CHANGELOG = ChangelogMode.RETRACT
    SUBJECT_PROBLEM = "Option 'debezium-avro-confluent.subject' is required for serialization"
    SCHEMA_PROBLEM = (
        "Schema provided for 'debezium-avro-confluent' format must be a nullable record type with "
        "fields 'before', 'after', 'op' and schema of fields 'before' and 'after' must match the "
        "table schema: "
    )

    def _schema(self, fields: Fields) -> object:
        return nullable_record(_envelope(fields))

    def _fits(self, schema: str, fields: Fields) -> bool:
        return says_the_same(schema, _envelope(fields), nullable=True)


def _envelope(fields: Fields) -> Fields:
    row = DataType("ROW", children=fields)
    return (("before", row), ("after", row), ("op", STRING))
