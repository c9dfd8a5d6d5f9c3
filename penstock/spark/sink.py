"""A query's records → its target: starts the streaming query that writes them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.connectors.base import FileTarget, KafkaTarget

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

    from penstock.connectors.base import Target


def write(
    records: DataFrame, target: Target, *, name: str, checkpoint: str, drain: bool
) -> StreamingQuery:
    """Start writing; with `drain` the query ends when it has read what was there."""
    writer = records.writeStream.queryName(name).option("checkpointLocation", checkpoint)
    if drain:
        writer = writer.trigger(availableNow=True)
    if isinstance(target, KafkaTarget):
        options = {f"kafka.{key}": value for key, value in target.properties}
        return writer.format("kafka").options(topic=target.topic, **options).start()
    appender = _FileAppender(target, Path(checkpoint).parent)
    return writer.foreachBatch(appender.append).start()


class _FileAppender:
    """Appends each batch to one file, once: a replayed batch first cuts the file back.

    1 note the file's length under the batch's number, unless it is noted already;
    2 cut the file to that length; 3 append the batch. A crash after any step leaves a file that
    the replay of the same batch brings to the same content.
    """

    def __init__(self, target: FileTarget, folder: Path) -> None:
        self._path = Path(target.path)
        self._lengths = folder / "file-lengths.json"
        self._scratch = folder / "file-batch"

    def append(self, batch: DataFrame, batch_id: int) -> None:
        """Write one batch."""
        batch.selectExpr("CAST(value AS STRING)").coalesce(1).write.mode("overwrite").text(
            str(self._scratch)
        )
        self._path.touch()
        length = min(self._noted_length(batch_id), self._path.stat().st_size)
        with self._path.open("r+b") as file:
            file.truncate(length)
            file.seek(length)
            for part in sorted(self._scratch.glob("part-*")):
                with part.open("rb") as rows:
                    shutil.copyfileobj(rows, file)
        shutil.rmtree(self._scratch)

    def _noted_length(self, batch_id: int) -> int:
        noted = json.loads(self._lengths.read_text()) if self._lengths.exists() else {}
        if noted.get("batch") != batch_id:
            noted = {"batch": batch_id, "length": self._path.stat().st_size}
            staged = self._lengths.with_suffix(".tmp")
            staged.write_text(json.dumps(noted))
            staged.replace(self._lengths)
        return int(noted["length"])
