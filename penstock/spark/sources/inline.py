"""Data of the script → the one message that it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.connectors.inline import PLACE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.connectors.inline import InlineSource
    from penstock.spark.sources.opening import Opening


def inline(opening: Opening, source: InlineSource) -> DataFrame:
    """A message like one of Kafka, as formats read them."""
    return opening.session.range(0, 1, 1, 1).select(
        F.lit(bytearray(source.data.encode())).alias("value"),
        F.lit(PLACE).alias("topic"),
        F.lit(0).alias("partition"),
        F.lit(0).cast("bigint").alias("offset"),
    )
