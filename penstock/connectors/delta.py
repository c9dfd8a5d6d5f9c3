"""The `delta` connector: a Delta table that a script names by its folder, read and added to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from penstock.connectors.base import Connector, FolderSource, ScanSpec, SinkSpec, Target
from penstock.errors import OptionError, SqlError
from penstock.model.option import (
    Option,
    boolean,
    exactly_one_of,
    positive_number,
    text,
    whole_number,
)
from penstock.model.secret import shown_value
from penstock.model.types import quote, spark_schema_text

if TYPE_CHECKING:
    from penstock.model.option import OptionReader
    from penstock.model.table import Table
    from penstock.model.types import Fields

# A folder with this one in it is a Delta table.
LOG_FOLDER = "_delta_log"
_PROPERTIES = "delta."
_CONNECTOR: Option[Any] = Option("connector", text, None, "`delta`.", required=True)
_PATH: Option[Any] = Option(
    "table-path", text, None, "The folder of the table: `/a/b`, or any Hadoop path.", required=True
)
_MODE: Option[Any] = Option(
    "mode",
    exactly_one_of("batch", "streaming"),
    "batch",
    "`batch`: the rows that are there are the whole table; `streaming`: also those added later.",
    "Enum",
)
# What a mode has of its own, under the names that Delta's reader knows them by.
_OF_MODE: dict[str, tuple[Option[Any], ...]] = {
    "batch": (
        Option("versionAsOf", whole_number, None, "Read this version of the table.", "Long"),
        Option(
            "timestampAsOf",
            text,
            None,
            "Read the version of this moment: `2024-01-31 12:00:00`.",
        ),
    ),
    "streaming": (
        Option(
            "startingVersion",
            text,
            None,
            "Begin with this version, or with the `latest`; else all rows that are there come "
            "first.",
        ),
        Option("startingTimestamp", text, None, "Begin with the version of this moment."),
        Option(
            "ignoreDeletes",
            boolean,
            None,
            "Pass over changes that only delete whole files; else they stop the query.",
            "Boolean",
        ),
        Option(
            "ignoreChanges",
            boolean,
            None,
            "Pass over changes to rows, too; the rows of files that were rewritten come again.",
            "Boolean",
        ),
    ),
}
_POLL: Option[Any] = Option(
    "updateCheckIntervalMillis",
    positive_number,
    5000,
    "How often a table that is streamed is looked at.",
    "Long",
)
_EXCLUSIVE = (("versionAsOf", "timestampAsOf"), ("startingVersion", "startingTimestamp"))
_NOT_STORED = ("TIME", "INTERVAL_YEAR_MONTH", "INTERVAL_DAY_TIME", "MULTISET")


@dataclass(frozen=True, slots=True)
class DeltaSource(FolderSource):
    """The rows of a Delta table in the columns of a `schema` of Spark's, which is JSON.

    `options` are those of Delta's reader. With `monitor_ms` rows that are added later come, too.
    """

    WHAT = "Delta table"

    path: str
    schema: str
    options: tuple[tuple[str, str], ...] = ()
    monitor_ms: int | None = None


@dataclass(frozen=True, slots=True)
class DeltaTarget(Target):
    """A Delta table that rows are added to; made with these partitions and properties."""

    guarantee = "exactly-once"

    path: str
    schema: str
    partitions: tuple[str, ...] = ()
    properties: tuple[tuple[str, str], ...] = ()

    def describe(self) -> str:
        """The folder and its partitions."""
        by = f" by {', '.join(self.partitions)}" if self.partitions else ""
        return f"Delta table {shown_value('path', self.path)}{by}"


def _text(value: object) -> str:
    """A value as Delta reads it: its own words in small letters, times and zones as they are."""
    text = str(value)
    return text.lower() if text.lower() in ("true", "false", "latest") else text


class Delta(Connector):
    """Reads the rows of a Delta table, all at once or as they are added, and adds rows to it."""

    name = "delta"
    PARTITIONED = True
    OPTIONS = (_CONNECTOR, _PATH, _MODE, *(o for many in _OF_MODE.values() for o in many), _POLL)

    def read(self, options: OptionReader) -> None:
        """Pull every option; those of the other mode are refused."""
        options.pull(_CONNECTOR)
        self.path: str = options.pull(_PATH) or ""
        self.mode = options.pull(_MODE) or ""
        given = {o.key: options.pull(o) for many in _OF_MODE.values() for o in many}
        self.options = tuple((k, _text(v)) for k, v in given.items() if v is not None)
        poll_ms = options.pull(_POLL)
        self.monitor_ms = poll_ms if self.mode == "streaming" else None
        self.properties = tuple(
            (_PROPERTIES + one.key, one.value) for one in options.pull_prefix(_PROPERTIES)
        )
        options.finish()
        self._check_options(options)
        self._check_types(self.stored)

    @property
    def stored(self) -> Fields:
        """The columns of the table."""
        return self.table.physical

    def scan(self) -> ScanSpec:
        """The reader gives each column in its type."""
        for column in self.table.columns:
            if column.kind == "metadata":
                self.metadata(column, purpose="reading")
        schema = spark_schema_text(self.stored)
        source = DeltaSource(self.path, schema, self.options, self.monitor_ms)
        columns = tuple((name, quote(name), type_) for name, type_ in self.stored)
        return ScanSpec(source, (), columns, bounded=self.mode == "batch")

    def sink(self) -> SinkSpec:
        """Rows are added."""
        for column in self.table.sink_columns:
            if column.kind == "metadata":
                self.metadata(column, purpose="writing")
        schema = spark_schema_text(self.stored)
        target = DeltaTarget(self.path, schema, self.table.partitioned_by, self.properties)
        return SinkSpec(target, tuple((name, quote(name)) for name, _ in self.stored))

    def _check_options(self, options: OptionReader) -> None:
        given = [key for key, _ in self.options]
        other = "streaming" if self.mode == "batch" else "batch"
        for key in given:
            if any(key == option.key for option in _OF_MODE[other]):
                conflict = f"'{key}' is for 'mode' = '{other}'."
                raise self._conflict(options, key, conflict, f"Set 'mode' = '{other}'.")
        for one, another in _EXCLUSIVE:
            if one in given and another in given:
                conflict = f"'{one}' and '{another}' both say what is read."
                raise self._conflict(options, another, conflict, "Set one of them.")

    def _conflict(
        self, options: OptionReader, key: str, conflict: str, instead: str
    ) -> OptionError:
        return OptionError(
            "CONFLICTING_OPTIONS",
            span=options.span(key),
            table=self.table.name,
            conflict=conflict,
            instead=instead,
        )

    def _check_types(self, stored: Fields) -> None:
        for name, type_ in stored:
            if any(part.root in _NOT_STORED for part in type_.parts):
                instead = "Delta tables have none such; store it as a number or a text."
                raise SqlError("UNSUPPORTED_TYPE", column=name, type=type_, instead=instead)


class BoundDelta(Delta):
    """The folder of a Delta table in place of a table's own connector, whose options do not count.

    Metadata columns are columns of the Delta table, too: it says what Kafka would.
    """

    def __init__(self, table: Table, path: str) -> None:
        self.path = path
        super().__init__(table)

    def read(self, options: OptionReader) -> None:
        """The options belong to the connector that was replaced."""
        self.mode, self.options, self.properties = "batch", (), ()
        self.monitor_ms = None
        self._check_types(self.stored)

    @property
    def stored(self) -> Fields:
        """Every column with a type of its own."""
        return tuple((c.name, c.type) for c in self.table.columns if c.type is not None)

    def scan(self) -> ScanSpec:
        """All columns stand in the table."""
        columns = tuple((name, quote(name), type_) for name, type_ in self.stored)
        source = DeltaSource(self.path, spark_schema_text(self.stored))
        return ScanSpec(source, (), columns, bounded=True)

    def sink(self) -> SinkSpec:
        """Every column that an INSERT fills."""
        filled = tuple((c.name, c.type) for c in self.table.sink_columns if c.type is not None)
        target = DeltaTarget(self.path, spark_schema_text(filled), self.table.partitioned_by)
        return SinkSpec(target, tuple((name, quote(name)) for name, _ in filled))
