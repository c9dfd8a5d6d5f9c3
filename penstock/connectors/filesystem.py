"""The `filesystem` connector: the files of a folder as a table, partitions as folders in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from penstock.connectors.base import Connector, FolderSource, Metadata, ScanSpec, SinkSpec, Target
from penstock.connectors.file_formats import FileFormat, Lines, Parquet
from penstock.connectors.filesystem_options import OPTIONS
from penstock.errors import OptionError
from penstock.model.secret import shown_value
from penstock.model.types import BIGINT, STRING, TIMESTAMP_LTZ_3, DataType, literal, quote
from penstock.sql.casts import cast

if TYPE_CHECKING:
    from penstock.model.option import OptionReader
    from penstock.model.table import Column

# The columns a reader adds to the records of a file.
PATH, NAME, SIZE, MODIFIED = "file_path", "file_name", "file_size", "file_time"


@dataclass(frozen=True, slots=True)
class FilesystemSource(FolderSource):
    """The files of a folder; with `monitor_ms` also those that come later.

    `kind` is Spark's name of the format. With `partitions`, files that do not lie in a folder for
    each of them are not the table's.
    """

    WHAT = "files"

    path: str
    kind: str
    schema: str = ""
    partitions: tuple[str, ...] = ()
    pattern: str | None = None
    monitor_ms: int | None = None


@dataclass(frozen=True, slots=True)
class PartitionCommit:
    """When a partition is announced, and by what file in it."""

    success_file: str
    by_watermark: bool
    delay_ms: int
    zone: str
    pattern: str


@dataclass(frozen=True, slots=True)
class FilesystemTarget(Target):
    """Files in a folder; `partitions` are record columns that become folders."""

    guarantee = "exactly-once"

    path: str
    kind: str
    suffix: str
    partitions: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    one_file: bool = False
    by_partition: bool = False
    tasks: int | None = None
    commit: PartitionCommit | None = None
    overwrite: bool = False

    @property
    def by_watermark(self) -> bool:
        """Partitions may be announced when event time has passed them."""
        return self.commit is not None and self.commit.by_watermark

    def overwriting(self) -> FilesystemTarget:
        """What was in the folder, or in the partitions that get rows, is replaced."""
        return replace(self, overwrite=True)

    def describe(self) -> str:
        """The folder and its partitions."""
        by = f" by {', '.join(self.partitions)}" if self.partitions else ""
        return f"files {shown_value('path', self.path)}{by}"


class Filesystem(Connector):
    """Reads and writes files of one record per line, and Parquet files."""

    name = "filesystem"
    PARTITIONED = True
    OVERWRITES = True
    OPTIONS = (*OPTIONS.values(), *Parquet.OPTIONS)
    METADATA = (
        Metadata("file.path", STRING, PATH),
        Metadata("file.name", STRING, NAME),
        Metadata("file.size", BIGINT, SIZE),
        Metadata("file.modification-time", TIMESTAMP_LTZ_3, MODIFIED),
    )

    def read(self, options: OptionReader) -> None:
        """Pull every option."""
        self.path: str = options.pull(OPTIONS["path"]) or ""
        self.monitor_ms = options.pull(OPTIONS["source.monitor-interval"])
        self.pattern = options.pull(OPTIONS["source.path.regex-pattern"])
        self.default_name: str = options.pull(OPTIONS["partition.default-name"]) or ""
        self.files = self._files(options)
        self.target = self._target(options)
        options.pull_rest(OPTIONS.values())
        options.finish()
        self.files.check(self.stored)

    @property
    def stored(self) -> tuple[tuple[str, DataType], ...]:
        """The columns that stand in the files; the others are in the names of folders."""
        return tuple(c for c in self.table.physical if c[0] not in self.table.partitioned_by)

    def scan(self) -> ScanSpec:
        """Decode each line, read partition columns from the path."""
        source = FilesystemSource(
            self.path,
            self.files.kind,
            self.files.schema(self.stored),
            self.table.partitioned_by,
            self.pattern,
            self.monitor_ms,
        )
        columns = tuple(
            (column.name, self._read(column, column.type), column.type)
            for column in self.table.columns
            if column.kind != "computed" and column.type is not None
        )
        bounded = self.monitor_ms is None
        return ScanSpec(source, self.files.decoded(self.stored), columns, bounded=bounded)

    def sink(self) -> SinkSpec:
        """Encode each row as a line; partition values as the texts that name their folders."""
        for column in self.table.sink_columns:
            if column.kind == "metadata":
                self.metadata(column, purpose="writing")
        folders = ((name, self._folder(name)) for name in self.table.partitioned_by)
        return SinkSpec(self.target, (*self.files.written(self.stored), *folders))

    def _read(self, column: Column, type_: DataType) -> str:
        if column.kind == "metadata":
            metadata = self.metadata(column, purpose="reading")
            return cast(metadata.read, metadata.type, type_, span=column.span)
        if column.name not in self.table.partitioned_by:
            return self.files.read(column.name, type_)
        folder = literal(f".*/\\Q{column.name}\\E=([^/]*)/.*")
        value = unescaped(f"regexp_extract({PATH}, {folder}, 1)")
        return f"CAST(nullif({value}, {literal(self.default_name)}) AS {type_.spark_sql()})"

    def _folder(self, name: str) -> str:
        """A partition value as Java writes it, the default name for NULL and the empty text."""
        row = f"CAST(penstock_print_encode(named_struct('v', {quote(name)}), '{{}}') AS STRING)"
        text = f"IF({quote(name)} IS NULL, '', substr({row}, 2, length({row}) - 2))"
        return f"coalesce(nullif({text}, ''), {literal(self.default_name)})"

    def _files(self, options: OptionReader) -> FileFormat:
        if self.table.option("format") == Parquet.kind:
            options.pull(OPTIONS["format"])
            return Parquet.pull(options)
        found = self.pull_format(options, OPTIONS["format"], "")
        assert found is not None  # noqa: S101 — the option is required
        if found.has_kinds or not found.IS_TEXT:
            what = "changes" if found.has_kinds else "no lines of a file"
            raise OptionError(
                "CONFLICTING_OPTIONS",
                span=options.span("format"),
                table=self.table.name,
                conflict=f"Messages of the format '{found.name}' are {what}.",
                instead="That is not supported; use 'json', 'csv' or 'parquet'.",
            )
        return Lines(found)

    def _target(self, options: OptionReader) -> FilesystemTarget:
        compact = options.pull(OPTIONS["auto-compaction"])
        return FilesystemTarget(
            self.path,
            self.files.kind,
            self.files.suffix,
            self.table.partitioned_by,
            options=self.files.options,
            one_file=bool(compact),
            by_partition=bool(options.pull(OPTIONS["sink.shuffle-by-partition.enable"])),
            tasks=options.pull(OPTIONS["sink.parallelism"]),
            commit=self._commit(options),
        )

    def _commit(self, options: OptionReader) -> PartitionCommit | None:
        if not options.pull(OPTIONS["sink.partition-commit.policy.kind"]):
            return None
        if not self.table.partitioned_by:
            return None
        first = f"${self.table.partitioned_by[0]}"
        return PartitionCommit(
            options.pull(OPTIONS["sink.partition-commit.success-file.name"]) or "",
            options.pull(OPTIONS["sink.partition-commit.trigger"]) == "partition-time",
            options.pull(OPTIONS["sink.partition-commit.delay"]) or 0,
            options.pull(OPTIONS["sink.partition-commit.watermark-time-zone"]) or "",
            options.pull(OPTIONS["partition.time-extractor.timestamp-pattern"]) or first,
        )


def unescaped(sql: str) -> str:
    """A text in which `%3A` stands for `:`; what is no such code stays as it is."""
    return f"coalesce(try_url_decode(replace({sql}, '+', '%2B')), {sql})"
