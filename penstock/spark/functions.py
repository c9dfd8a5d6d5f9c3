"""The SQL functions of the Java module in a session; called by `spark.session`.

    penstock_json_decode(value, schema, options[, topic, partition, offset]) → ARRAY<STRUCT<…>>
    penstock_csv_decode(value, schema, options[, topic, partition, offset])  → ARRAY<STRUCT<…>>
    penstock_json_encode(row, options) → BINARY
    penstock_csv_encode(row, options)  → BINARY
    penstock_after_watermark(rowtime, condition) → BOOLEAN

`schema` is Spark's JSON text of a struct type, `options` a JSON object of the format's options
without its prefix; both are string literals. A message decodes to its rows, NULL if it has none:
use it under `explode` or `inline`, which also keeps Spark from decoding once more for a filter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(spark: SparkSession) -> None:
    """Make the functions known to a session; doing it again changes nothing."""
    gateway: Any = spark.sparkContext._jvm
    session: Any = spark._jsparkSession
    gateway.penstock.formats.Functions.register(session)
    gateway.penstock.catalyst.AfterWatermark.register(session)
