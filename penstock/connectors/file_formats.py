"""How files hold rows: one record per line, or Parquet; what `filesystem` tables are made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from penstock.errors import SqlError
from penstock.formats.base import field
from penstock.model.option import Option, boolean, one_of
from penstock.model.types import quote, spark_schema_text

if TYPE_CHECKING:
    from penstock.formats.base import Format
    from penstock.model.option import OptionReader
    from penstock.model.types import DataType

Fields = tuple[tuple[str, "DataType"], ...]

_EPOCH = "TIMESTAMP_NTZ '1970-01-01 00:00:00'"


class FileFormat(ABC):
    """Between the columns of a table and the columns of Spark's reader and writer of `kind`."""

    kind: ClassVar[str]

    @property
    @abstractmethod
    def suffix(self) -> str:
        """How names of files end."""

    @abstractmethod
    def check(self, stored: Fields) -> None:
        """Refuse columns whose type the files cannot hold."""

    @abstractmethod
    def schema(self, stored: Fields) -> str:
        """The schema Spark is to read with, as JSON; empty if the reader has its own."""

    @abstractmethod
    def decoded(self, stored: Fields) -> tuple[tuple[str, str], ...]:
        """Expressions that give the rows of a record, as in a scan."""

    @abstractmethod
    def read(self, name: str, type_: DataType) -> str:
        """The expression of one column."""

    @abstractmethod
    def written(self, stored: Fields) -> tuple[tuple[str, str], ...]:
        """The columns of a record, as in a sink."""

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Options of Spark's writer."""
        return ()


@dataclass(frozen=True, slots=True)
class Lines(FileFormat):
    """A message format, one message per line."""

    kind = "text"

    format: Format

    @property
    def suffix(self) -> str:
        """The format's name."""
        return f".{self.format.name}"

    def check(self, stored: Fields) -> None:
        """As in messages."""
        self.format.check_types(stored)

    def schema(self, stored: Fields) -> str:
        """Lines have none."""
        return ""

    def decoded(self, stored: Fields) -> tuple[tuple[str, str], ...]:
        """The rows of a line."""
        return (("__value", self.format.decode("value", stored)),)

    def read(self, name: str, type_: DataType) -> str:
        """A field of the row."""
        return field("__value", name)

    def written(self, stored: Fields) -> tuple[tuple[str, str], ...]:
        """The text of a line."""
        line = self.format.encode([(name, quote(name), type_) for name, type_ in stored])
        return (("value", f"CAST({line} AS STRING)"),)


@dataclass(frozen=True, slots=True)
class Parquet(FileFormat):
    """Parquet files; times are INT96 in UTC, which is Flink's form with `parquet.utc-timezone`."""

    kind = "parquet"
    suffix = ".parquet"
    OPTIONS: ClassVar[tuple[Option[Any], ...]] = (
        Option(
            "parquet.utc-timezone",
            boolean,
            False,
            "Times are stored in UTC; needed for columns of type TIMESTAMP and TIMESTAMP_LTZ.",
            "Boolean",
        ),
        Option(
            "parquet.compression",
            one_of("SNAPPY", "GZIP", "ZSTD", "LZ4", "UNCOMPRESSED"),
            "SNAPPY",
            "Compression of files that are written.",
            "Enum",
        ),
    )

    utc: bool
    compression: str

    @classmethod
    def pull(cls, options: OptionReader) -> Parquet:
        """The format with its options."""
        utc, compression = (options.pull(option) for option in cls.OPTIONS)
        return cls(bool(utc), str(compression))

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The compression."""
        return (("compression", self.compression.lower()),)

    def check(self, stored: Fields) -> None:
        """Flink's default stores times in the zone of its machine, which a reader cannot know."""
        for name, type_ in stored:
            if type_.is_time and self.utc:
                continue
            if any(part.is_time or part.root == "TIME" for part in type_.parts):
                advice = "Set 'parquet.utc-timezone' = 'true', and keep times out of nested types."
                raise SqlError("UNSUPPORTED_TYPE", column=name, type=type_, instead=advice)

    def schema(self, stored: Fields) -> str:
        """The columns; times are instants there."""
        instants = tuple(
            (name, type_ if type_.root != "TIMESTAMP" else _as_instant(type_))
            for name, type_ in stored
        )
        return spark_schema_text(instants)

    def decoded(self, stored: Fields) -> tuple[tuple[str, str], ...]:
        """A record is a row."""
        return ()

    def read(self, name: str, type_: DataType) -> str:
        """The column of the file."""
        if type_.root != "TIMESTAMP":
            return quote(name)
        return f"timestampadd(MICROSECOND, unix_micros({quote(name)}), {_EPOCH})"

    def written(self, stored: Fields) -> tuple[tuple[str, str], ...]:
        """The columns of the file."""
        return tuple((name, self._write(name, type_)) for name, type_ in stored)

    def _write(self, name: str, type_: DataType) -> str:
        if type_.root != "TIMESTAMP":
            return quote(name)
        return f"timestamp_micros(timestampdiff(MICROSECOND, {_EPOCH}, {quote(name)}))"


def _as_instant(type_: DataType) -> DataType:
    return replace(type_, root="TIMESTAMP_LTZ")
