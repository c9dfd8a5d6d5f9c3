"""Kafka into a Delta table as a PySpark programmer writes it; nothing of Penstock.

python -m benchmarks.ingest_by_hand ADDRESS INPUT TABLE CHECKPOINT MESSAGES_PER_BATCH
"""

from __future__ import annotations

import os
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from penstock.jars.fetch import jars

_EVENT = """
file_time TIMESTAMP, event_type STRING, actor_login STRING, repo_name STRING, created_at TIMESTAMP,
updated_at TIMESTAMP, action STRING, comment_id BIGINT, path STRING, ref STRING, ref_type STRING,
creator_user_login STRING, number BIGINT, title STRING, labels ARRAY<STRING>, state STRING,
assignee STRING, assignees ARRAY<STRING>, closed_at TIMESTAMP, merged_at TIMESTAMP,
merge_commit_sha STRING, requested_reviewers ARRAY<STRING>, merged_by STRING,
review_comments BIGINT, member_login STRING
"""


def main(address: str, source: str, table: str, checkpoint: str, most: str) -> None:
    rows = (
        _session()
        .readStream.format("kafka")
        .option("kafka.bootstrap.servers", address)
        .option("subscribe", source)
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", most)
        .load()
        .select(F.from_json(F.col("value").cast("string"), _EVENT).alias("row"))
        .select("row.*")
    )
    writer = rows.writeStream.format("delta").option("checkpointLocation", checkpoint)
    writer.trigger(availableNow=True).start(table).awaitTermination()


def _session() -> SparkSession:
    session = (
        SparkSession.builder.master("local[*]")
        .config("spark.driver.extraClassPath", os.pathsep.join(map(str, _jars())))
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config(
            "spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog"
        )
        # A small log; by default each commit would read it with fifty tasks.
        .config("spark.databricks.delta.snapshotPartitions", "1")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    return session


def _jars() -> list[object]:
    return [*jars("spark"), *jars("delta")]


if __name__ == "__main__":
    main(*sys.argv[1:])
