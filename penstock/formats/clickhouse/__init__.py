"""ClickHouse's formats of messages: one class each, under every name it has there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.formats.clickhouse.avro import Avro, AvroConfluent
from penstock.formats.clickhouse.json import (
    JsonAsString,
    JsonCompactEachRow,
    JsonEachRow,
    JsonStringsEachRow,
)
from penstock.formats.clickhouse.protobuf import Protobuf, ProtobufList, ProtobufSingle
from penstock.formats.clickhouse.separated import Csv, CsvWithNames, Tsv, TsvWithNames
from penstock.formats.clickhouse.text import LineAsString, RawBlob

if TYPE_CHECKING:
    from penstock.formats.clickhouse.base import ClickHouseFormat

CLICKHOUSE_FORMATS: dict[str, type[ClickHouseFormat]] = {
    name: format_
    for format_ in (
        *(JsonEachRow, JsonStringsEachRow, JsonCompactEachRow, JsonAsString),
        *(Csv, CsvWithNames, Tsv, TsvWithNames, LineAsString, RawBlob, Avro, AvroConfluent),
        *(Protobuf, ProtobufSingle, ProtobufList),
    )
    for name in (format_.name, *format_.ALIASES)
}
