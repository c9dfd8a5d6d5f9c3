"""Where the rows of a SELECT go that stands by itself: to whoever asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from penstock.connectors.base import SinkSpec, Target
from penstock.formats.clickhouse import CLICKHOUSE_FORMATS, format_named
from penstock.formats.clickhouse.frames import ARRAY_OF_ROWS, FRAMES, Frame
from penstock.formats.clickhouse.json import AS_ARRAY, JsonEachRow
from penstock.formats.clickhouse.shown import LAYOUTS, MOST_ROWS, Heading, cells_of
from penstock.model.option import OptionReader
from penstock.model.types import STRING, quote
from penstock.sql.clickhouse.types import type_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.model.types import DataType

DEFAULT_FORMAT = "PrettyCompact"
_NOTHING = "Null"
_CELLS = "TabSeparated"
# Formats that are for files only, or whose messages are no texts.
_BINARY = ("Avro", "AvroConfluent", "Protobuf", "ProtobufSingle", "ProtobufList", "RawBLOB")
# Words in the names of types that ClickHouse keeps as numbers.
_NUMBERS = ("INT", "FLOAT", "DOUBLE", "DECIMAL", "DATE", "TIMESTAMP")


@dataclass(frozen=True, slots=True)
class ResultTarget(Target):
    """The answer to a query, in the format that its FORMAT clause names."""

    most_rows: ClassVar[int] = MOST_ROWS
    prints: ClassVar[bool] = True

    format: str
    headings: tuple[Heading, ...] = ()
    as_array: bool = False

    @property
    def laid_out(self) -> bool:
        """Whether all rows must be there before the first can be shown."""
        return self.format in LAYOUTS

    def lay_out(self, lines: list[str]) -> list[str]:
        """Rows that came as lines of TabSeparated, as a table for eyes."""
        rows = [cells_of(self.headings, one) for one in lines[:MOST_ROWS]]
        shown = LAYOUTS[self.format](self.headings, rows)
        more = [f"Showed first {MOST_ROWS}."] if len(lines) > MOST_ROWS else []
        return [*shown, *more]

    @property
    def is_shown(self) -> bool:
        """Whether anything is."""
        return self.format != _NOTHING

    def texts(self, lines: Iterable[str]) -> Iterator[str]:
        """What is shown of rows, one after the other, with what stands around them."""
        frame = ARRAY_OF_ROWS if self.as_array else FRAMES.get(self.format, Frame(self.format))
        yield frame.head(self.headings)
        count = 0
        for line in lines:
            text = frame.row(self.headings, line.removesuffix("\n"))
            yield f"{frame.between}{text}" if count else text
            count += 1
        yield frame.foot(count)

    def describe(self) -> str:
        """The format."""
        return f"result, format {self.format}"


def result_sink(
    fields: Sequence[tuple[str, str, DataType]],
    format_: str,
    settings: Sequence[OptionValue],
    span: Span | None,
) -> SinkSpec:
    """The rows of a query as lines of text; of each column its name, where it is, its type."""
    name = _known(format_, span)
    headings = tuple(_heading(name, type_) for name, _, type_ in fields)
    columns = tuple((name, *_written(quote(column), type_)) for name, column, type_ in fields)
    lines = FRAMES[name].lines if name in FRAMES else name
    kind = CLICKHOUSE_FORMATS.get(lines, CLICKHOUSE_FORMATS[_CELLS])
    # An array is one of all rows: each by itself is written as if it were not asked for.
    as_array = issubclass(kind, JsonEachRow) and OptionReader("result", settings).pull(AS_ARRAY)
    alone = [given for given in settings if given.key != AS_ARRAY.key]
    codec = kind.of_table(OptionReader("result", alone), 0)
    codec.check_types(tuple((name, type_) for name, _, type_ in columns))
    line = codec.encode(columns)
    target = ResultTarget(name, headings, as_array=bool(as_array))
    return SinkSpec(target, (("line", f"CAST({line} AS STRING)"),))


def _written(sql: str, type_: DataType) -> tuple[str, DataType]:
    """A column that is NULL, and nothing else, is written as one of texts would be."""
    return (f"CAST({sql} AS STRING)", STRING) if type_.root == "NULL" else (sql, type_)


def _heading(name: str, type_: DataType) -> Heading:
    number = any(word in type_.root for word in _NUMBERS)
    inner = (_heading(f"{name}.{field}", child) for field, child in type_.children)
    fields = tuple(leaf for one in inner for leaf in one.fields or (one,))
    return Heading(name, number, type_name(type_), fields if type_.root == "ROW" else ())


def _known(format_: str, span: Span | None) -> str:
    names = [*LAYOUTS, *FRAMES, *CLICKHOUSE_FORMATS, _NOTHING]
    shown = [name for name in names if name not in _BINARY and _is_written(name)]
    return format_named(format_, shown, "result", span)


def _is_written(name: str) -> bool:
    return name not in CLICKHOUSE_FORMATS or bool(CLICKHOUSE_FORMATS[name].ENCODE)
