"""Bytes ↔ rows: one file per format, one line in this registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.formats.avro import Avro
from penstock.formats.avro_confluent import AvroConfluent
from penstock.formats.canal_json import CanalJson
from penstock.formats.csv import Csv
from penstock.formats.debezium_avro_confluent import DebeziumAvroConfluent
from penstock.formats.debezium_json import DebeziumJson
from penstock.formats.json import Json
from penstock.formats.maxwell_json import MaxwellJson
from penstock.formats.ogg_json import OggJson
from penstock.formats.protobuf import Protobuf
from penstock.formats.raw import Raw

if TYPE_CHECKING:
    from penstock.formats.base import Format

_ALL = (
    *(Avro, AvroConfluent, CanalJson, Csv, DebeziumAvroConfluent, DebeziumJson, Json, MaxwellJson),
    *(OggJson, Protobuf, Raw),
)
FORMATS: dict[str, type[Format]] = {format_.name: format_ for format_ in _ALL}
