"""Rows made up here → their numbers, and the time each is made at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.connectors.datagen_values import NUMBER, TIME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.connectors.datagen import DatagenSource
    from penstock.spark.sources.opening import Opening

_PROVIDER = "penstock.sources.DatagenProvider"


def datagen(opening: Opening, source: DatagenSource) -> DataFrame:
    """All numbers at once, or so many per second."""
    tasks = source.parallelism or opening.session.sparkContext.defaultParallelism
    if opening.batch:
        numbers = opening.session.range(0, source.rows or source.rows_per_second, 1, tasks)
        return numbers.select(F.col("id").alias(NUMBER), F.current_timestamp().alias(TIME))
    options = {"rowsPerSecond": source.rows_per_second, "partitions": tasks}
    if source.rows is not None:
        options["rows"] = source.rows
    return opening.session.readStream.format(_PROVIDER).options(**options).load()
