"""JSON in and out against Spark's own functions, in one session, turn by turn: rows per second.

    python benchmarks/codecs.py [rows] [rounds]

Five columns (BIGINT, two STRING, DOUBLE, TIMESTAMP), rows cached in memory, nothing written. The
first round warms up and does not count; of the others the median and the extremes are printed.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from penstock.jars.module import module_jar
from penstock.spark.functions import register

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_COLUMNS = "id BIGINT, user STRING, category STRING, price DOUBLE, ts TIMESTAMP_NTZ"
_TIME_FORMAT = "yyyy-MM-dd HH:mm:ss.SSS"
_FORMATS = {"timestampNTZFormat": _TIME_FORMAT}


def _session() -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.extraClassPath", str(module_jar()))
        .config("spark.driver.memory", "4g")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    register(session)
    return session


def _rows(session: SparkSession, count: int) -> DataFrame:
    category = "element_at(array('books', 'toys', 'food', 'garden'), CAST(id % 4 AS INT) + 1)"
    return session.range(0, count, 1, 4).selectExpr(
        "id",
        "concat('user_', id % 100000) AS user",
        f"{category} AS category",
        "id % 10007 * 0.25D AS price",
        "CAST(timestamp_millis(1600000000000 + id * 37) AS TIMESTAMP_NTZ) AS ts",
    )


def _cases(session: SparkSession, count: int) -> dict[str, DataFrame]:
    rows = _rows(session, count).cache()
    spark_json = F.to_json(F.struct("*"), _FORMATS)
    # The partition makes another plan than the encoding below: Spark would take the cache for it.
    message = (spark_json.cast("binary").alias("value"), F.lit(0).alias("partition"))
    messages = _rows(session, count).select(*message).cache()
    rows.count()
    messages.count()
    ours = messages.select(F.inline(_decode()))
    theirs = messages.select(
        F.from_json(F.col("value").cast("string"), _COLUMNS, _FORMATS).alias("row")
    ).select("row.*")
    encode = F.call_function("penstock_json_encode", F.struct("*"), F.lit("{}"))
    return {
        "decode, from_json": theirs,
        "decode, penstock": ours,
        "decode + filter, from_json": theirs.where("category = 'toys'"),
        "decode + filter, penstock": ours.where("category = 'toys'"),
        "encode, to_json": rows.select(spark_json.cast("binary")),
        "encode, penstock": rows.select(encode),
    }


def _decode() -> Column:
    schema = StructType.fromDDL(_COLUMNS).json()
    return F.call_function("penstock_json_decode", F.col("value"), F.lit(schema), F.lit("{}"))


def _seconds(frame: DataFrame) -> float:
    start = time.perf_counter()
    frame.write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


def main(count: int = 2_000_000, rounds: int = 5) -> None:
    session = _session()
    cases = _cases(session, count)
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(rounds + 1):
        for name, frame in cases.items():
            seconds = _seconds(frame)
            if turn:
                taken[name].append(seconds)
    for name, times in taken.items():
        median, slowest, fastest = (
            count / t for t in (statistics.median(times), max(times), min(times))
        )
        print(f"{name:28} {median:12,.0f} rows/s  ({slowest:,.0f} to {fastest:,.0f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
