"""A file bound in place of a table: each record is a line."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.spark.kept import keep, read_kept
from penstock.spark.sinks.base import BatchwiseSink

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.connectors.base import FileTarget
    from penstock.spark.place import Place


class FileSink(BatchwiseSink):
    """Appends each batch to one file, once: a replayed batch first cuts the file back.

    1 note the file's length under the batch's number, unless it is noted already;
    2 cut the file to that length; 3 append the batch. A crash after any step leaves a file that
    the replay of the same batch brings to the same content.
    """

    def __init__(self, target: FileTarget, place: Place) -> None:
        self._path = Path(target.path)
        self._lengths = place.folder / "file-lengths.json"
        self._scratch = place.folder / "file-batch"

    def append(self, batch: DataFrame, batch_id: int) -> None:
        """Write one batch."""
        self._stage(batch)
        self._path.touch()
        length = min(self._noted_length(batch_id), self._path.stat().st_size)
        self._copy_to(self._path, from_length=length)

    def write(self, records: DataFrame) -> None:
        """Write the file anew; the old one stays until the new one is whole."""
        self._stage(records)
        whole = self._path.with_name(f".{self._path.name}.partial")
        whole.write_bytes(b"")
        self._copy_to(whole, from_length=0)
        whole.replace(self._path)

    def _stage(self, records: DataFrame) -> None:
        lines = records.selectExpr("CAST(value AS STRING)").coalesce(1)
        lines.write.mode("overwrite").text(str(self._scratch))

    def _copy_to(self, path: Path, *, from_length: int) -> None:
        with path.open("r+b") as file:
            file.truncate(from_length)
            file.seek(from_length)
            for part in sorted(self._scratch.glob("part-*")):
                with part.open("rb") as rows:
                    shutil.copyfileobj(rows, file)
        shutil.rmtree(self._scratch)

    def _noted_length(self, batch_id: int) -> int:
        noted = read_kept(self._lengths)
        if noted.get("batch") != batch_id:
            noted = {"batch": batch_id, "length": self._path.stat().st_size}
            keep(self._lengths, noted)
        return int(noted["length"])
