"""Files in a folder, each row in them exactly once, none visible before its batch is whole."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from penstock.spark.files import Files
from penstock.spark.kept import keep, read_kept
from penstock.spark.sinks.base import BatchwiseSink
from penstock.spark.sinks.partition_commit import Partitions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    from penstock.connectors.filesystem import FilesystemTarget
    from penstock.spark.place import Place

_STAGING = ".penstock-staging-"


class FilesystemSink(BatchwiseSink):
    """Writes each batch beside the table and moves its files in; `append` says how."""

    def __init__(self, target: FilesystemTarget, place: Place) -> None:
        self._target = target
        self._noted = place.folder / "files.json"
        self._partitions = (
            Partitions(target.commit, place.folder / "partitions.json") if target.commit else None
        )
        self._files: Files | None = None
        self._watermark_ms: int | None = None

    def attach(self, writer: DataStreamWriter) -> DataStreamWriter:
        """Partitions of an earlier run may be waiting, whether rows come or not."""
        self._files = Files(writer._spark, self._target.path)
        return super().attach(writer)

    def append(self, batch: DataFrame, batch_id: int) -> None:
        """Write one batch, once.

        1 write the batch to a hidden folder of this query, which is emptied first; 2 note under
        the batch's number which files are to be moved where; 3 move them.
        A crash before 2 leaves nothing that is read, and the batch is written again. A crash after
        2 leaves some files moved; the batch comes again, is found noted, and the rest is moved.
        """
        files = Files(batch.sparkSession, self._target.path)
        noted = self._read_note()
        staging = f"{_STAGING}{noted['id']}"
        if noted["batch"] != batch_id:
            moves = self._stage(batch, files, staging, name=f"{noted['id']}-{batch_id}")
            noted = {**noted, "batch": batch_id, "moves": moves}
            keep(self._noted, noted)
        for source, target in noted["moves"]:
            files.move(source, target)
        if self._partitions:
            self._partitions.written([target for _, target in noted["moves"]])
            self._partitions.announce(files, watermark_ms=self._watermark_ms)
        files.delete(staging)

    def write(self, records: DataFrame) -> None:
        """Write all records; what a failure leaves behind lies in a hidden folder."""
        files = Files(records.sparkSession, self._target.path)
        run = uuid.uuid4().hex[:12]
        staging = f"{_STAGING}{run}"
        try:
            moves = self._stage(records, files, staging, name=run)
            if self._target.overwrite:
                self._clear(files, [target for _, target in moves])
            for source, target in moves:
                files.move(source, target)
            if self._partitions:
                self._partitions.written([target for _, target in moves])
                self._partitions.announce_all(files)
        finally:
            files.delete(staging)

    def _clear(self, files: Files, coming: list[str]) -> None:
        """Remove the files of the table, or of each partition that gets new ones."""
        folders = {path.rpartition("/")[0] for path in coming} if self._target.partitions else {""}
        for file in files.list(""):
            if not self._target.partitions or file.path.rpartition("/")[0] in folders:
                files.delete(file.path)

    def tick(self, watermark_ms: int | None) -> None:
        """Announce partitions whose time has come."""
        self._watermark_ms = watermark_ms
        if self._partitions and self._files:
            self._partitions.announce(self._files, watermark_ms=watermark_ms)

    def _stage(
        self, records: DataFrame, files: Files, staging: str, *, name: str
    ) -> list[tuple[str, str]]:
        """Write to the hidden folder; which file goes where."""
        files.delete(staging)
        folder = f"{files.root.rstrip('/')}/{staging}"
        writer = self._gathered(records).write.partitionBy(*self._target.partitions)
        writer.format(self._target.kind).options(**dict(self._target.options)).save(folder)
        staged = [file for file in files.list(staging) if file.length]
        if len(staged) == 1 and self._is_empty(records.sparkSession, folder):
            return []
        moves = []
        for number, file in enumerate(staged):
            partition = f"{file.path.rpartition('/')[0]}/" if "/" in file.path else ""
            target = f"{partition}part-{name}-{number}{self._target.suffix}"
            moves.append((f"{staging}/{file.path}", target))
        return moves

    def _is_empty(self, session: SparkSession, folder: str) -> bool:
        """Spark writes one file also for no rows; a Parquet file is then not of length 0."""
        return self._target.kind == "parquet" and session.read.parquet(folder).count() == 0

    def _gathered(self, records: DataFrame) -> DataFrame:
        columns = [F.col(name) for name in self._target.partitions]
        if columns and (self._target.one_file or self._target.by_partition):
            return records.repartition(*columns)
        if self._target.one_file:
            return records.coalesce(1)
        return records.repartition(self._target.tasks) if self._target.tasks else records

    def _read_note(self) -> dict[str, Any]:
        if noted := read_kept(self._noted):
            return noted
        # Names of its own: another job may write the same folder.
        note: dict[str, Any] = {"id": uuid.uuid4().hex[:12], "batch": None, "moves": []}
        keep(self._noted, note)
        return note
