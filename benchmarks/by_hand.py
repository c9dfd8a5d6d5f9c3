"""The same jobs as a PySpark programmer writes them: `by_hand.py CASE ADDRESS TOPIC CHECKPOINT`."""

from __future__ import annotations

import os
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from penstock.connectors.kafka_options import PRODUCER_DEFAULTS
from penstock.jars.fetch import jars

SCHEMA = "user_id BIGINT, item_id BIGINT, category STRING, behavior STRING, ts TIMESTAMP_NTZ"


def main(case: str, address: str, topic: str, checkpoint: str) -> None:
    spark = (
        SparkSession.builder.master("local[*]")
        .config("spark.driver.extraClassPath", os.pathsep.join(map(str, jars("spark"))))
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    rows = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", address)
        .option("subscribe", "bench_events")
        .option("startingOffsets", "earliest")
        .load()
        .select(F.from_json(F.col("value").cast("string"), SCHEMA).alias("row"))
        .select("row.*")
    )
    if case == "filter":
        rows = rows.where("behavior = 'buy'")
    writer = rows.select(F.to_json(F.struct("*")).alias("value")).writeStream.format("kafka")
    for key, value in PRODUCER_DEFAULTS.items():
        writer = writer.option(f"kafka.{key}", value)
    query = (
        writer.option("kafka.bootstrap.servers", address)
        .option("topic", topic)
        .option("checkpointLocation", checkpoint)
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
