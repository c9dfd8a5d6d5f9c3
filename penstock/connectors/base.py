"""The contract of a connector: options in, scan and sink specifications out.

A specification is all that `spark/` needs to build a DataFrame; it names Spark SQL expressions over
the columns of the raw source, so a connector never touches Spark itself.
"""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

from penstock.errors import OptionError, PlanError
from penstock.formats import FORMATS
from penstock.model.changelog import ChangelogMode
from penstock.model.option import Option, OptionReader
from penstock.model.secret import shown_pairs, shown_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.formats.base import Format
    from penstock.model.span import Span
    from penstock.model.table import Column, Table
    from penstock.model.types import DataType


class Source(ABC):
    """Where the raw records of a table come from; `spark.sources` has a reader for each kind."""

    __slots__ = ()

    @property
    def poll_ms(self) -> int | None:
        """How often to ask for more; None means without a pause."""
        return None

    @abstractmethod
    def describe(self) -> str:
        """The source in a plan, in a few words and without secrets."""

    def describe_watermark(self) -> str:
        """How its watermark moves, where that is more than one for all rows."""
        return ""

    @abstractmethod
    def identity(self) -> object:
        """What a checkpoint of it depends on, as JSON can hold it."""


class FolderSource(Source):
    """A folder; where `monitor_ms` is given, what comes into it later is read, too."""

    __slots__ = ()

    path: str
    monitor_ms: int | None
    WHAT: ClassVar[str]

    @property
    def poll_ms(self) -> int | None:
        """How often to look for more."""
        return self.monitor_ms

    def describe(self) -> str:
        """The folder."""
        watched = f", looked at every {self.monitor_ms} ms" if self.monitor_ms is not None else ""
        return f"{self.WHAT} {shown_value('path', self.path)}{watched}"

    def identity(self) -> object:
        """The folder; what of it was read stands in the checkpoint."""
        return self.path


class Target(ABC):
    """Where the records of a query go; `spark.sinks` has a writer for each kind."""

    __slots__ = ()

    guarantee: str = "at-least-once"

    @property
    def by_watermark(self) -> bool:
        """Whether it follows the event time of the rows it is given."""
        return False

    prints: ClassVar[bool] = False

    @abstractmethod
    def describe(self) -> str:
        """The target in a plan, in a few words and without secrets."""


class Overwritable(Protocol):
    """What the targets of a connector that says OVERWRITES can do besides."""

    def overwriting(self) -> Target:
        """The same target for INSERT OVERWRITE."""


@dataclass(frozen=True, slots=True)
class FileSource(Source):
    """A file of JSON lines standing in for a table."""

    path: str

    def describe(self) -> str:
        """The file's path."""
        return f"file {self.path}"

    def identity(self) -> object:
        """A file that was changed is another one."""
        facts = Path(self.path).stat()
        return [self.path, facts.st_size, facts.st_mtime_ns]


@dataclass(frozen=True, slots=True)
class FileTarget(Target):
    """A file that JSON lines are appended to."""

    guarantee = "exactly-once"

    path: str

    def describe(self) -> str:
        """The file's path."""
        return f"file {self.path}"


@dataclass(frozen=True, slots=True)
class ScanSpec:
    """How the raw records of a source become the stored columns of a table.

    `decoded` are expressions computed once per record (name, expression) that give the rows of its
    key or value as an array: none, one, or several. `columns` gives physical and metadata columns:
    name, expression, type. A `bounded` source comes to an end by itself. `refusal` is why no query
    can read it, though the table may be written. `mode` says which kinds of rows it has; where it
    has more than inserts, `kind` is the expression of a row's (TINYINT, as in `RowKind`). With
    `tombstones` a record without a value is a row, too: that of its key alone. `secrets` are what
    placeholders in the expressions stand for.
    """

    source: Source
    decoded: tuple[tuple[str, str], ...]
    columns: tuple[tuple[str, str, DataType], ...]
    bounded: bool = False
    refusal: OptionError | None = field(default=None, compare=False)
    mode: ChangelogMode = ChangelogMode.APPEND
    kind: str = ""
    tombstones: bool = False
    secrets: tuple[tuple[str, str], ...] = field(default=(), repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class SinkSpec:
    """How the columns of an INSERT become records: (record column, expression).

    `accepts` are the changelog modes the target can take. With `kinds` the expressions may name
    the kind of a row, the column `__kind`. `key` are the columns by which a row replaces another.
    `batch` is a generator of ARRAYs of rows; the expressions then go by its column `batch`.
    `secrets` as in a scan.
    """

    target: Target
    columns: tuple[tuple[str, str], ...]
    accepts: tuple[ChangelogMode, ...] = (ChangelogMode.APPEND,)
    kinds: bool = False
    key: tuple[str, ...] = ()
    batch: str = ""
    secrets: tuple[tuple[str, str], ...] = field(default=(), repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Metadata:
    """A metadata key: its type, how it is read from a raw record, whether it can be written."""

    key: str
    type: DataType
    read: str
    writable: bool = False


def _plain(default: object) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default)


class Connector(ABC):
    """A table's options, understood; subclasses set the tables and build the specifications."""

    name: ClassVar[str]
    IS_SOURCE: ClassVar[bool] = True
    # What to do where it is read and cannot be.
    INSTEAD: ClassVar[str] = ""
    # Whether `--bootstrap` names the brokers of its tables.
    HAS_BROKERS: ClassVar[bool] = False
    # How its options name the properties of Kafka's client: all with a prefix, some by other names.
    PROPERTY_PREFIX: ClassVar[str] = "properties."
    PROPERTY_NAMES: ClassVar[Mapping[str, str]] = {}
    # Whether a script names it in WITH; ClickHouse's tables are named by their ENGINE.
    IN_WITH: ClassVar[bool] = True
    # Whether INSERT OVERWRITE and PARTITIONED BY mean something to it.
    OVERWRITES: ClassVar[bool] = False
    PARTITIONED: ClassVar[bool] = False
    # Whether its rows are in a folder of the warehouse, which is then all of its `folders`.
    AT_REST: ClassVar[bool] = False
    OPTIONS: ClassVar[tuple[Option[object], ...]]
    METADATA: ClassVar[tuple[Metadata, ...]] = ()
    # What of the options changes nothing, with its place.
    notes: tuple[tuple[str, Span | None], ...] = ()

    def __init__(self, table: Table, folders: tuple[str, ...] = ()) -> None:
        self.table = table
        self.folders = folders
        self.read(OptionReader(table.name, table.options))

    @abstractmethod
    def read(self, options: OptionReader) -> None:
        """Pull every option; refuse what is unknown or contradictory.

        `folders`, set before, are where files and classes of the user's own are looked for.
        """

    def scan(self) -> ScanSpec:
        """The table as a source."""
        raise PlanError(
            "NOT_A_SOURCE", table=self.table.name, connector=self.name, instead=self.INSTEAD
        )

    def sink(self) -> SinkSpec:
        """The table as a sink."""
        raise PlanError("NOT_A_SINK", table=self.table.name, connector=self.name)

    def pull_format(self, options: OptionReader, option: Option[str], prefix: str) -> Format | None:
        """The format an option names, with its own options under the prefix."""
        name = options.pull(option)
        if name is None:
            return None
        if name not in FORMATS:
            near = difflib.get_close_matches(name, FORMATS, n=1)
            raise OptionError(
                "UNKNOWN_FORMAT",
                table=self.table.name,
                span=options.span(option.key),
                format=name,
                did_you_mean=f" Did you mean '{near[0]}'?" if near else "",
                supported=", ".join(sorted(FORMATS)),
            )
        return FORMATS[name].read(options, prefix, self.folders)

    def shown_options(self, *, without: str) -> tuple[str, ...]:
        """Options with their values, defaults marked as such, secrets hidden.

        Defaults `without` effect here, those of the other direction, begin with this prefix.
        """
        written = {option.key: option.value for option in self.table.options}
        shown = list(shown_pairs(written.items()))
        shown += [
            f"{option.key}={_plain(option.default)} (default)"
            for option in self.OPTIONS
            if option.key not in written
            and option.default not in (None, "", ())
            and not option.key.removeprefix("penstock.").startswith(without)
        ]
        return tuple(shown)

    def metadata_keys(self) -> tuple[Metadata, ...]:
        """The metadata this table has."""
        return self.METADATA

    def metadata(self, column: Column, *, purpose: str) -> Metadata:
        """The key a metadata column reads or writes."""
        keys = self.metadata_keys()
        supported = ", ".join(m.key for m in keys if purpose == "reading" or m.writable)
        for metadata in keys:
            if metadata.key == column.metadata_key:
                if purpose == "writing" and not metadata.writable:
                    raise PlanError(
                        "READ_ONLY_COLUMN",
                        span=column.span,
                        table=self.table.name,
                        column=column.name,
                        key=metadata.key,
                        supported=supported or "none",
                    )
                return metadata
        raise OptionError(
            "UNKNOWN_METADATA",
            span=column.span,
            table=self.table.name,
            column=column.name,
            key=column.metadata_key,
            connector=self.name,
            purpose=purpose,
            supported=supported or "none",
        )
