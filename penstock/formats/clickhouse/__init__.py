"""ClickHouse's formats of messages: one class each, under every name it has there."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from penstock.errors import OptionError
from penstock.formats.clickhouse.avro import Avro, AvroConfluent
from penstock.formats.clickhouse.json import (
    JsonAsString,
    JsonCompactEachRow,
    JsonEachRow,
    JsonStringsEachRow,
)
from penstock.formats.clickhouse.protobuf import Protobuf, ProtobufList, ProtobufSingle
from penstock.formats.clickhouse.separated import Csv, CsvWithNames, Tskv, Tsv, TsvWithNames
from penstock.formats.clickhouse.text import LineAsString, RawBlob

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.formats.clickhouse.base import ClickHouseFormat
    from penstock.model.span import Span

CLICKHOUSE_FORMATS: dict[str, type[ClickHouseFormat]] = {
    name: format_
    for format_ in (
        *(JsonEachRow, JsonStringsEachRow, JsonCompactEachRow, JsonAsString),
        *(Csv, CsvWithNames, Tsv, TsvWithNames, Tskv, LineAsString, RawBlob, Avro, AvroConfluent),
        *(Protobuf, ProtobufSingle, ProtobufList),
    )
    for name in (format_.name, *format_.ALIASES)
}


def format_named(name: str, known: Iterable[str], table: str, span: Span | None) -> str:
    """One of the `known` formats in its own spelling; FORMAT takes any letter case."""
    by_name = {one.lower(): one for one in known}
    if name.lower() in by_name:
        return by_name[name.lower()]
    near = difflib.get_close_matches(name, by_name.values(), n=1)
    raise OptionError(
        "UNKNOWN_FORMAT",
        table=table,
        span=span,
        format=name,
        did_you_mean=f" Did you mean '{near[0]}'?" if near else "",
        supported=", ".join(sorted(by_name.values())),
    )
