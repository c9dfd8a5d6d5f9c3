"""Where the rows of a SELECT go that stands by itself: to whoever asked."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from penstock.connectors.base import SinkSpec, Target
from penstock.errors import OptionError
from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.formats.clickhouse.separated import Csv, CsvWithNames, Tsv, TsvWithNames
from penstock.formats.clickhouse.shown import LAYOUTS, MOST_ROWS, Heading, cells_of
from penstock.model.types import quote

if TYPE_CHECKING:
    from penstock.formats.clickhouse.base import ClickHouseFormat
    from penstock.model.span import Span
    from penstock.model.types import Fields

DEFAULT_FORMAT = "PrettyCompact"
_NOTHING = "Null"
# Formats that are for files only, or whose messages are no texts.
_BINARY = ("Avro", "AvroConfluent", "Protobuf", "ProtobufSingle", "ProtobufList", "RawBLOB")
# A heading is written once, before the first row, not with each.
_HEADED: dict[type[ClickHouseFormat], type[ClickHouseFormat]] = {
    CsvWithNames: Csv,
    TsvWithNames: Tsv,
}
_NUMBERS = ("INT", "FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True, slots=True)
class ResultTarget(Target):
    """The answer to a query, in the format that its FORMAT clause names."""

    most_rows: ClassVar[int] = MOST_ROWS
    prints: ClassVar[bool] = True

    format: str
    headings: tuple[Heading, ...] = ()

    @property
    def laid_out(self) -> bool:
        """Whether all rows must be there before the first can be shown."""
        return self.format in LAYOUTS

    def lay_out(self, lines: list[str]) -> list[str]:
        """Rows that came as lines of TabSeparated, as a table for eyes."""
        shown = LAYOUTS[self.format](self.headings, [cells_of(one) for one in lines[:MOST_ROWS]])
        more = [f"Showed first {MOST_ROWS}."] if len(lines) > MOST_ROWS else []
        return [*shown, *more]

    @property
    def is_shown(self) -> bool:
        """Whether anything is."""
        return self.format != _NOTHING

    @property
    def heading(self) -> str:
        """The line above the first row."""
        names = [heading.name for heading in self.headings]
        if self.format in _names(CsvWithNames):
            return ",".join('"' + name.replace('"', '""') + '"' for name in names)
        return "\t".join(names) if self.format in _names(TsvWithNames) else ""

    def describe(self) -> str:
        """The format."""
        return f"result, format {self.format}"


def result_sink(fields: Fields, format_: str, span: Span | None) -> SinkSpec:
    """The rows of a query as lines of text."""
    name = _known(format_, span)
    headings = tuple(Heading(n, any(w in t.root for w in _NUMBERS)) for n, t in fields)
    columns = tuple((name, quote(name), type_) for name, type_ in fields)
    kind: type[ClickHouseFormat] = CLICKHOUSE_FORMATS.get(name, Tsv)
    line = _HEADED.get(kind, kind)().encode(columns)
    return SinkSpec(ResultTarget(name, headings), (("line", f"CAST({line} AS STRING)"),))


def _known(format_: str, span: Span | None) -> str:
    names = [*LAYOUTS, *CLICKHOUSE_FORMATS, _NOTHING]
    shown = [name for name in names if name not in _BINARY and _is_written(name)]
    by_name = {name.lower(): name for name in shown}
    if format_.lower() in by_name:
        return by_name[format_.lower()]
    near = difflib.get_close_matches(format_, shown, n=1)
    raise OptionError(
        "UNKNOWN_FORMAT",
        table="result",
        span=span,
        format=format_,
        did_you_mean=f" Did you mean '{near[0]}'?" if near else "",
        supported=", ".join(sorted(shown)),
    )


def _is_written(name: str) -> bool:
    return name not in CLICKHOUSE_FORMATS or bool(CLICKHOUSE_FORMATS[name].ENCODE)


def _names(kind: type[ClickHouseFormat]) -> tuple[str, ...]:
    return (kind.name, *kind.ALIASES)
