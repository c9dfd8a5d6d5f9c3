"""The same jobs as a PySpark programmer writes them, with a tuned producer; nothing of Penstock.

python -m benchmarks.by_hand CASE TRIGGER ADDRESS INPUT OUTPUT CHECKPOINT
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from penstock.jars.fetch import jars

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.readwriter import DataStreamWriter

_EVENT = "user_id BIGINT, item_id BIGINT, category STRING, behavior STRING, ts TIMESTAMP_NTZ"
_SCHEMAS = {"latency": "id BIGINT, sent BIGINT, note STRING"}
_CONDITIONS = {"filter": "behavior = 'buy'"}
# For rows in bulk; in real-time mode waiting for a full batch of messages would be the latency.
_TUNED = {"linger.ms": "50", "batch.size": "262144", "buffer.memory": "67108864"}
_TRIGGERS = {
    "available-now": {"availableNow": True},
    "micro-batch": {"processingTime": "0 seconds"},
    "real-time": {"realTime": "5 minutes"},
}


def main(case: str, trigger: str, address: str, source: str, target: str, checkpoint: str) -> None:
    rows = _rows(_session(), address, source, _SCHEMAS.get(case, _EVENT))
    rows = rows.where(_CONDITIONS.get(case, "true"))
    writer = rows.select(F.to_json(F.struct("*")).alias("value")).writeStream.format("kafka")
    tuned = {} if trigger == "real-time" else _TUNED
    options = {"bootstrap.servers": address, **tuned}
    writer = (
        writer.options(**{f"kafka.{key}": value for key, value in options.items()})
        .option("topic", target)
        .option("checkpointLocation", checkpoint)
    )
    _triggered(writer, trigger).start().awaitTermination()


def _triggered(writer: DataStreamWriter, trigger: str) -> DataStreamWriter:
    if trigger == "real-time":
        writer = writer.outputMode("update")
    return writer.trigger(**_TRIGGERS[trigger])  # type: ignore[arg-type]


def _session() -> SparkSession:
    session = (
        SparkSession.builder.master("local[*]")
        .config("spark.driver.extraClassPath", os.pathsep.join(map(str, jars("spark"))))
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    return session


def _rows(session: SparkSession, address: str, source: str, schema: str) -> DataFrame:
    return (
        session.readStream.format("kafka")
        .option("kafka.bootstrap.servers", address)
        .option("subscribe", source)
        .option("startingOffsets", "earliest")
        .load()
        .select(F.from_json(F.col("value").cast("string"), schema).alias("row"))
        .select("row.*")
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
