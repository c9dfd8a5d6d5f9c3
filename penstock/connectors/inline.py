"""Data that stands in a script, behind INSERT … FORMAT: one message of a format."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from penstock.connectors.base import ScanSpec, Source
from penstock.formats.base import field as field_of
from penstock.formats.clickhouse import CLICKHOUSE_FORMATS, format_named
from penstock.model.option import OptionReader

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.model.types import Fields

# How rows are read and written: by INSERT … FORMAT, and by SELECT … FORMAT.
FORMAT_SETTINGS = {o.key: o for format_ in CLICKHOUSE_FORMATS.values() for o in format_.OPTIONS}

# What the rows are read from, where a Kafka table would say its topic.
PLACE = "the script"


@dataclass(frozen=True, slots=True)
class InlineSource(Source):
    """The bytes, and the format that they are in."""

    format: str
    data: str = field(repr=False)

    def describe(self) -> str:
        """The format."""
        return f"data of the script, format {self.format}"

    def identity(self) -> object:
        """Other data is another source."""
        return hashlib.sha256(self.data.encode()).hexdigest()


def inline_scan(
    table: str,
    fields: Fields,
    source: InlineSource,
    settings: Iterable[OptionValue],
    span: Span | None,
) -> ScanSpec:
    """The rows of data for a table, a column for each of these fields."""
    known = [n for n, f in CLICKHOUSE_FORMATS.items() if f.IS_TEXT and f.DECODE]
    name = format_named(source.format, (*known, "Values"), table, span)
    format_ = CLICKHOUSE_FORMATS[name].of_table(OptionReader(table, settings), 0)
    format_.check_types(fields)
    rows = format_.decode("value", fields, failures=(table, "fail"))
    columns = tuple((name, field_of("__value", name), type_) for name, type_ in fields)
    secrets = format_.secrets
    return ScanSpec(source, (("__value", rows),), columns, bounded=True, secrets=secrets)
