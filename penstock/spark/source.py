"""A source specification → the raw records as a stream: key, value, topic, partition, offset …"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.connectors.base import FileSource, KafkaSource, Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession


class Sources:
    """Opens the streams of one query; `starting_offsets` is asked once per Kafka source."""

    def __init__(
        self,
        session: SparkSession,
        starting_offsets: Callable[[KafkaSource], dict[str, str]],
        *,
        max_offsets_per_batch: str | None = None,
        windowed: bool = False,
    ) -> None:
        self.windowed = windowed
        self._session = session
        self._starting_offsets = starting_offsets
        self._max_offsets_per_batch = max_offsets_per_batch

    def read(self, source: Source) -> DataFrame:
        """The raw records."""
        return self._kafka(source) if isinstance(source, KafkaSource) else self._file(source)

    def _kafka(self, source: KafkaSource) -> DataFrame:
        options = {f"kafka.{key}": value for key, value in source.properties}
        options |= self._starting_offsets(source)
        if source.pattern:
            options["subscribePattern"] = source.pattern
        else:
            options["subscribe"] = ",".join(source.topics)
        if source.headers:
            options["includeHeaders"] = "true"
        if self._max_offsets_per_batch:
            options["maxOffsetsPerTrigger"] = self._max_offsets_per_batch
        return self._session.readStream.format("kafka").options(**options).load()

    def _file(self, source: FileSource) -> DataFrame:
        # Spark streams folders, not files: the folder, of which one name is let through.
        path = Path(source.path)
        only = re.sub(r"([\\*?\[\]{}])", r"\\\1", path.name)
        reader = self._session.readStream.format("text").option("pathGlobFilter", only)
        lines = reader.load(str(path.parent))
        return lines.select(
            F.col("value").cast("binary").alias("value"),
            F.lit(source.path).alias("topic"),
            F.lit(0).alias("partition"),
            F.lit(-1).cast("bigint").alias("offset"),
        )
