"""The `datagen` connector: rows made up here, the same ones in every run of the same script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from penstock.connectors.base import Connector, ScanSpec, Source
from penstock.connectors.datagen_values import FIELD_OPTIONS, Field, random_value, sequence_value
from penstock.model.option import Option, positive_number, text

if TYPE_CHECKING:
    from penstock.model.option import OptionReader
    from penstock.model.types import DataType

_CONNECTOR: Option[Any] = Option("connector", text, None, "`datagen`.", required=True)
_ROWS_PER_SECOND: Option[Any] = Option(
    "rows-per-second",
    positive_number,
    10_000,
    "How many rows an unbounded query gets; a bounded one gets all its rows at once.",
    "Long",
)
_NUMBER_OF_ROWS: Option[Any] = Option(
    "number-of-rows", positive_number, None, "The table ends after so many rows.", "Long"
)
_PARALLELISM: Option[Any] = Option(
    "scan.parallelism", positive_number, None, "How many tasks make the rows.", "Integer"
)


@dataclass(frozen=True, slots=True)
class DatagenSource(Source):
    """Numbered rows with the time they are made at; `rows` is None where they do not end."""

    rows_per_second: int
    rows: int | None
    parallelism: int | None

    def describe(self) -> str:
        """How many, how fast."""
        return f"datagen, {self.rows} rows" if self.rows else f"datagen, {self.rows_per_second}/s"

    def identity(self) -> object:
        """The numbers are the same whatever is made of them."""
        return "datagen"


class Datagen(Connector):
    """Makes rows of any type; a sequence or a number of rows bounds the table."""

    name = "datagen"
    OPTIONS = (
        _CONNECTOR,
        _ROWS_PER_SECOND,
        _NUMBER_OF_ROWS,
        _PARALLELISM,
        *FIELD_OPTIONS.values(),
    )

    def read(self, options: OptionReader) -> None:
        """Pull the options of the table and of each column."""
        options.pull(_CONNECTOR)
        rows_per_second = options.pull(_ROWS_PER_SECOND) or 1
        ends = [options.pull(_NUMBER_OF_ROWS)]
        parallelism = options.pull(_PARALLELISM)
        columns = []
        for name, type_ in self.table.physical:
            sql, end = self._value(Field(options, self.table.name, name, type_))
            columns.append((name, sql, type_))
            ends.append(end)
        options.finish()
        self._refuse_metadata()
        self.columns: tuple[tuple[str, str, DataType], ...] = tuple(columns)
        rows = min((end for end in ends if end is not None), default=None)
        self.source = DatagenSource(rows_per_second, rows, parallelism)

    def scan(self) -> ScanSpec:
        """The columns over the numbers of the rows."""
        return ScanSpec(self.source, (), self.columns, bounded=self.source.rows is not None)

    def _value(self, field: Field) -> tuple[str, int | None]:
        kind = field.pull("kind")
        if kind == "random":
            return random_value(field), None
        if kind == "sequence":
            return sequence_value(field)
        raise field.refuse("kind", kind, "'random', 'sequence'")

    def _refuse_metadata(self) -> None:
        for column in self.table.columns:
            if column.kind == "metadata":
                self.metadata(column, purpose="reading")
