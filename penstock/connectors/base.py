"""The contract of a connector: options in, scan and sink specifications out.

A specification is all that `spark/` needs to build a DataFrame; it names Spark SQL expressions over
the columns of the raw source, so a connector never touches Spark itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from penstock.errors import OptionError, PlanError
from penstock.model.changelog import ChangelogMode
from penstock.model.option import Option, OptionReader

if TYPE_CHECKING:
    from penstock.model.table import Column, Table
    from penstock.model.types import DataType


@dataclass(frozen=True, slots=True)
class Startup:
    """Where the first run begins to read; a checkpoint wins over it."""

    mode: str
    group_id: str | None = None
    reset: str | None = None
    timestamp_ms: int | None = None
    offsets: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class KafkaSource:
    """Topics to read, with the properties of the Java client."""

    topics: tuple[str, ...]
    pattern: str | None
    properties: tuple[tuple[str, str], ...]
    startup: Startup
    headers: bool = False


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file of JSON lines standing in for a table."""

    path: str


@dataclass(frozen=True, slots=True)
class KafkaTarget:
    """The topic to write."""

    topic: str
    properties: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FileTarget:
    """A file that JSON lines are appended to."""

    path: str


Source: TypeAlias = KafkaSource | FileSource
Target: TypeAlias = KafkaTarget | FileTarget


@dataclass(frozen=True, slots=True)
class ScanSpec:
    """How the raw records of a source become the stored columns of a table.

    `decoded` are expressions computed once per record (name, expression) that give the rows of its
    key or value as an array: none, one, or several. `columns` gives physical and metadata columns:
    name, expression, type. A `bounded` source comes to an end by itself.
    """

    source: Source
    decoded: tuple[tuple[str, str], ...]
    columns: tuple[tuple[str, str, DataType], ...]
    bounded: bool = False


@dataclass(frozen=True, slots=True)
class SinkSpec:
    """How the columns of an INSERT become records: (record column, expression).

    `accepts` are the changelog modes the target can take.
    """

    target: Target
    columns: tuple[tuple[str, str], ...]
    accepts: tuple[ChangelogMode, ...] = (ChangelogMode.APPEND,)


@dataclass(frozen=True, slots=True)
class Metadata:
    """A metadata key: its type, how it is read from a raw record, whether it can be written."""

    key: str
    type: DataType
    read: str
    writable: bool = False


class Connector(ABC):
    """A table's options, understood; subclasses set the tables and build the specifications."""

    name: ClassVar[str]
    OPTIONS: ClassVar[tuple[Option[object], ...]]
    METADATA: ClassVar[tuple[Metadata, ...]] = ()

    def __init__(self, table: Table) -> None:
        self.table = table
        self.read(OptionReader(table.name, table.options))

    @abstractmethod
    def read(self, options: OptionReader) -> None:
        """Pull every option; refuse what is unknown or contradictory."""

    def scan(self) -> ScanSpec:
        """The table as a source."""
        raise PlanError("NOT_A_SOURCE", table=self.table.name, connector=self.name)

    def sink(self) -> SinkSpec:
        """The table as a sink."""
        raise PlanError("NOT_A_SINK", table=self.table.name, connector=self.name)

    def metadata(self, column: Column, *, purpose: str) -> Metadata:
        """The key a metadata column reads or writes."""
        allowed = [m for m in self.METADATA if purpose == "reading" or m.writable]
        for metadata in self.METADATA:
            if metadata.key == column.metadata_key:
                if purpose == "writing" and not metadata.writable:
                    raise PlanError(
                        "READ_ONLY_COLUMN",
                        span=column.span,
                        table=self.table.name,
                        column=column.name,
                        key=metadata.key,
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
            supported=", ".join(m.key for m in allowed),
        )
