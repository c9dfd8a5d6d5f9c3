"""Bytes ↔ rows: one file per format, one line in this registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.formats.avro import Avro
from penstock.formats.avro_confluent import AvroConfluent
from penstock.formats.csv import Csv
from penstock.formats.debezium_avro_confluent import DebeziumAvroConfluent
from penstock.formats.json import Json
from penstock.formats.raw import Raw

if TYPE_CHECKING:
    from penstock.formats.base import Format

_ALL = (Avro, AvroConfluent, Csv, DebeziumAvroConfluent, Json, Raw)
FORMATS: dict[str, type[Format]] = {format_.name: format_ for format_ in _ALL}
