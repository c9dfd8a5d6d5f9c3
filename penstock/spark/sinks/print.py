"""Rows as lines on standard output: `identifier> +I[a, b]`; only texts reach this process."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.errors import RunError
from penstock.model.changelog import KIND_COLUMN, RowKind
from penstock.spark.sinks.base import BatchwiseSink

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.connectors.print import PrintTarget
    from penstock.spark.place import Place


class PrintSink(BatchwiseSink):
    """Prints rows as they come; a batch that is run again is printed again."""

    def __init__(self, target: PrintTarget, place: Place) -> None:
        self._prefix = target.prefix
        self._stream = sys.stderr if target.standard_error else sys.stdout
        self._printed = 0

    @property
    def rows_out(self) -> int:
        """Lines printed so far."""
        return self._printed

    def write(self, records: DataFrame) -> None:
        """Print all records, one partition after the other."""
        names = F.array(*(F.lit(kind.value) for kind in RowKind))
        line = F.concat(F.lit(self._prefix), names[F.col(KIND_COLUMN)], F.col("line"))
        try:
            for (text,) in records.select(line).toLocalIterator():
                self._stream.write(f"{text}\n")
                self._printed += 1
            self._stream.flush()
        except BrokenPipeError:
            # Python would try to write the rest once more when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
            raise RunError("OUTPUT_CLOSED") from None
