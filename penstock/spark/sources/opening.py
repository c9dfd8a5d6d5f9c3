"""What every reader is told about the query it reads for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrameReader, SparkSession
    from pyspark.sql.streaming.readwriter import DataStreamReader

    from penstock.connectors.kafka_specs import KafkaSource
    from penstock.spark.place import Place

# Not beside a stream; as it first was; as it is by then.
Static: TypeAlias = Literal["", "first", "current"]
# Marks files for `penstock.sources.CurrentFiles`.
_CURRENT = "penstock.current"
# topic → partition → offset
PartitionOffsets = dict[str, dict[int, int]]


@dataclass(frozen=True, slots=True)
class OffsetRange:
    """From where, and to before where, each partition is read; never an end before its start."""

    start: PartitionOffsets
    end: PartitionOffsets


class Offsets(Protocol):
    """Answers about offsets that only a look into the cluster can give."""

    def start(self, source: KafkaSource) -> Mapping[str, str]:
        """Options of Spark's stream that say where it begins."""

    def first_partitions(self, source: KafkaSource) -> Mapping[str, list[int]]:
        """The partitions that the first run found, by topic: all there are without discovery."""

    def range(self, source: KafkaSource) -> OffsetRange:
        """Everything between the start and the bound; without a bound, what is there now."""


@dataclass(frozen=True, slots=True)
class Opening:
    """One table reference of a query: read all at once (`batch`) or as a stream.

    What is `static` stands beside a stream and is read again with each of its batches: what was
    there first, or what is there by then. `watermark` names the watermark of the query that these
    rows move, empty if they move none.
    """

    session: SparkSession
    offsets: Offsets
    batch: bool
    place: Place
    table: str
    static: Static = ""
    watermark: str = ""

    def reader(self, format_: str) -> DataFrameReader | DataStreamReader:
        """Spark's reader for a format; the files of what is current are listed with each batch."""
        begin = self.session.read if self.batch else self.session.readStream
        reader = begin.format(format_)
        return reader.option(_CURRENT, "true") if self.static == "current" else reader
