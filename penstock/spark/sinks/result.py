"""The rows of a SELECT on standard output; only texts reach this process."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from penstock.errors import RunError
from penstock.spark.sinks.base import BatchwiseSink

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame

    from penstock.connectors.result import ResultTarget
    from penstock.spark.place import Place


class ResultSink(BatchwiseSink):
    """Shows rows in the format of the query."""

    def __init__(self, target: ResultTarget, place: Place) -> None:
        self._target = target
        self._shown = 0

    @property
    def rows_out(self) -> int:
        """Rows shown so far."""
        return self._shown

    def write(self, records: DataFrame) -> None:
        """Show all rows, in their order."""
        texts = self._laid_out(records) if self._target.laid_out else self._as_they_are(records)
        try:
            for text in texts:
                sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            # Python would try to write the rest once more when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise RunError("OUTPUT_CLOSED") from None

    def _as_they_are(self, records: DataFrame) -> Iterator[str]:
        lines = self._lines(records)
        if self._target.is_shown:
            yield from self._target.texts(lines)
        else:
            yield from ("" for _ in lines)

    def _lines(self, records: DataFrame) -> Iterator[str]:
        for (line,) in records.toLocalIterator():
            self._shown += 1
            yield line

    def _laid_out(self, records: DataFrame) -> Iterator[str]:
        most = self._target.most_rows
        rows = [line for (line,) in records.limit(most + 1).collect()]
        self._shown = len(rows[:most])
        yield from (f"{line}\n" for line in self._target.lay_out(rows))
