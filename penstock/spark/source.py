"""A source specification → its raw records, as a stream or all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.datagen import DatagenSource
from penstock.spark.sources import READERS
from penstock.spark.sources.opening import Opening

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from penstock.connectors.base import Source
    from penstock.spark.place import Place
    from penstock.spark.sources.opening import Offsets, Static


class Sources:
    """Opens the sources of one query: all as streams, or with `batch` all at once."""

    def __init__(
        self,
        session: SparkSession,
        offsets: Offsets,
        *,
        place: Place,
        batch: bool = False,
        static: Static = "",
    ) -> None:
        self.session = session
        self.batch = batch
        self.place = place
        self._static = static
        self._offsets = offsets

    def read(self, source: Source, table: str = "", *, watermark: str = "") -> DataFrame:
        """The raw records of a table; `watermark` names the one they move, if any."""
        opening = Opening(
            self.session,
            self._offsets,
            self.batch,
            self.place,
            table,
            static=self._static,
            watermark=watermark,
        )
        return READERS[type(source)](opening, source)

    def one_row(self) -> DataFrame:
        """A single row, as a stream where the query is one: what VALUES stand on."""
        return self.read(DatagenSource(rows_per_second=1, rows=1, parallelism=1))

    def as_static(self, *, current: bool = False) -> Sources:
        """The same sources, each read whole: as they first were, or as they are by then."""
        static: Static = "current" if current else "first"
        return Sources(self.session, self._offsets, place=self.place, batch=True, static=static)
