"""The contract of a writer: what becomes of the records of a stream, and of a batch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.readwriter import DataStreamWriter


class Sink(ABC):
    """Writes one query's records to its target."""

    def prepare(self, records: DataFrame) -> DataFrame:
        """The records of a stream as the target takes them; called once, before `attach`."""
        return records

    @abstractmethod
    def attach(self, writer: DataStreamWriter) -> DataStreamWriter:
        """The stream's writer, told where to write."""

    @abstractmethod
    def write(self, records: DataFrame) -> None:
        """Write all records of a bounded query; returns when they are there."""

    def append(self, batch: DataFrame, batch_id: int) -> None:
        """Write one batch of a stream; the same batch may come again."""
        self.write(batch)

    def tick(self, watermark_ms: int | None) -> None:
        """Called now and then while a stream runs, with the last watermark it reported."""
        return

    @property
    def rows_out(self) -> int | None:
        """Rows written so far, where the sink counts them itself."""
        return None


class BatchwiseSink(Sink):
    """A sink that is handed each batch of a stream."""

    def attach(self, writer: DataStreamWriter) -> DataStreamWriter:
        """Let `append` have every batch."""
        return writer.foreachBatch(self.append)
