"""A table bound to a file with `--bind`: JSON lines in, JSON lines out, whatever it was before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.base import Connector, FileSource, FileTarget, ScanSpec, SinkSpec
from penstock.connectors.clickhouse_virtual import virtual, with_virtual
from penstock.formats.base import field
from penstock.formats.clickhouse.json import JsonEachRow
from penstock.formats.json import Json
from penstock.model.types import DataType, quote

if TYPE_CHECKING:
    from penstock.formats.base import Format
    from penstock.model.option import OptionReader
    from penstock.model.table import Table

    Columns = list[tuple[str, str, DataType]]


class BoundFile(Connector):
    """Stands in for the table's own connector; its options are not looked at."""

    name = "file"
    OPTIONS = ()

    def __init__(self, table: Table, path: str) -> None:
        self.path = path
        super().__init__(table)

    def read(self, options: OptionReader) -> None:
        """The options belong to the connector that was replaced."""
        self.format: Format = Json(tuple((option.key, option.default) for option in Json.OPTIONS))

    def scan(self) -> ScanSpec:
        """Metadata columns are read from the lines too: the file says what Kafka would."""
        fields = self._stored_fields()
        columns = tuple((name, field("__value", name), type_) for name, type_ in fields)
        decoded = (("__value", self.format.decode("value", fields)),)
        return ScanSpec(FileSource(self.path), decoded, columns, bounded=True)

    def sink(self) -> SinkSpec:
        """Every column an INSERT fills becomes a field of the line."""
        columns = [
            (column.name, quote(column.name), column.type)
            for column in self.table.sink_columns
            if column.type is not None and column.default_kind != "EPHEMERAL"
        ]
        return SinkSpec(FileTarget(self.path), (("value", self._encoded(columns)),))

    def _encoded(self, columns: Columns) -> str:
        return self.format.encode(columns)

    def _stored_fields(self) -> tuple[tuple[str, DataType], ...]:
        return tuple((c.name, c.type) for c in self.table.columns if c.type is not None)


class ClickHouseFile(BoundFile):
    """The same for a table of ClickHouse: a line may say its virtual columns, too."""

    def __init__(self, table: Table, path: str) -> None:
        super().__init__(with_virtual(table, virtual(table.name, error_sql="")), path)

    def read(self, options: OptionReader) -> None:
        """The options belong to the connector that was replaced."""
        self.format: Format = JsonEachRow()

    def _encoded(self, columns: Columns) -> str:
        # The format ends each row, and so does whoever writes lines.
        return f"rtrim('\n', CAST({super()._encoded(columns)} AS STRING))"
