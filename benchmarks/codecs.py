"""Formats against Spark's own functions, without Kafka: rows decoded or encoded per second.

One session, messages cached in memory, nothing written; the sides take turns. The first round warms
up and does not count. Both sides read the same bytes, which Spark's function has written.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from benchmarks import avro_codecs, topics
from benchmarks.report import AT_LEAST, OURS, Bar, Comparison, compared
from penstock.jars.module import module_jar
from penstock.spark.functions import register

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyspark.sql import Column, DataFrame

_TIME = "CAST(timestamp_millis(1600000000000 + id * 37) AS TIMESTAMP_NTZ)"
_FORMATS = {"timestampNTZFormat": "yyyy-MM-dd HH:mm:ss.SSS"}
_FIVE = {
    "id BIGINT": "id",
    "user STRING": "concat('user_', id % 100000)",
    "category STRING": "element_at(array('books', 'toys', 'food', 'tea'), CAST(id % 4 AS INT) + 1)",
    "price DOUBLE": "id % 10007 * 0.25D",
    "ts TIMESTAMP_NTZ": _TIME,
}
_TWENTY = {
    **{f"n{i} BIGINT": f"id * {i + 1}" for i in range(5)},
    **{f"t{i} STRING": f"concat('text_{i}_', id % 1000)" for i in range(6)},
    **{f"d{i} DOUBLE": f"id % 10007 * 0.{i + 1}25D" for i in range(3)},
    **{f"b{i} BOOLEAN": f"id % {i + 2} = 0" for i in range(2)},
    **{f"c{i} DECIMAL(10, 2)": f"CAST(id % 1000 AS DECIMAL(10, 2)) + 0.{i}1" for i in range(2)},
    **{f"ts{i} TIMESTAMP_NTZ": _TIME for i in range(2)},
}
_ITEM = "named_struct('sku', concat('s', i), 'quantity', CAST(i AS INT), 'price', i * 1.5D)"
_NESTED = {
    "id BIGINT": "id",
    "user STRUCT<name: STRING, age: INT, tags: ARRAY<STRING>>": "named_struct('name', "
    "concat('user_', id % 100000), 'age', CAST(id % 90 AS INT), 'tags', array('a', 'b'))",
    "items ARRAY<STRUCT<sku: STRING, quantity: INT, price: DOUBLE>>": "transform(sequence(1, 3), "
    f"i -> {_ITEM})",
    "attributes MAP<STRING, STRING>": "map('colour', 'red', 'size', concat('', id % 50))",
    "ts TIMESTAMP_NTZ": _TIME,
}


@dataclass(frozen=True, slots=True)
class Codec:
    """A format on rows of one shape, and what Spark has for it: to bytes, and from bytes."""

    format: str
    columns: Mapping[str, str]
    other: str
    write: Callable[[Column], Column]
    read: Callable[[Column, str], Column]
    bar: Bar
    options: str = field(default="{}")

    @property
    def ddl(self) -> str:
        """The columns with their types."""
        return ", ".join(self.columns)

    def close(self) -> None:
        """Nothing is left open."""

    def rows(self, session: SparkSession, count: int) -> DataFrame:
        """Rows of the shape."""
        columns = (f"{sql} AS {named.split()[0]}" for named, sql in self.columns.items())
        return session.range(0, count, 1, 4).selectExpr(*columns)

    def sides(self, session: SparkSession, count: int) -> dict[str, DataFrame]:
        """What decodes the same messages."""
        value = self.write(F.struct("*")).cast("binary").alias("value")
        messages = self.rows(session, count).select(value).cache()
        messages.count()
        schema = F.lit(StructType.fromDDL(self.ddl).json())
        function = f"penstock_{self.format}_decode"
        ours = F.call_function(function, F.col("value"), schema, F.lit(self.options))
        theirs = messages.select(self.read(F.col("value"), self.ddl).alias("row"))
        return {OURS: messages.select(F.inline(ours)), self.other: theirs.select("row.*")}


def _json(columns: Mapping[str, str]) -> Codec:
    return Codec(
        "json",
        columns,
        "from_json",
        lambda row: F.to_json(row, _FORMATS),
        lambda value, ddl: F.from_json(value.cast("string"), ddl, _FORMATS),
        Bar(AT_LEAST, 1.6),
    )


CASES: dict[str, Codec | avro_codecs.AvroCodec] = {
    **avro_codecs.CASES,
    "decode_json_5": _json(_FIVE),
    "decode_json_20": _json(_TWENTY),
    "decode_json_nested": _json(_NESTED),
    "decode_csv": Codec(
        "csv",
        _FIVE,
        "from_csv",
        lambda row: F.to_csv(row, _FORMATS),
        lambda value, ddl: F.from_csv(value.cast("string"), F.lit(ddl), _FORMATS),
        Bar(AT_LEAST, 1),
    ),
}


def compare(case: str, *, rounds: int) -> list[Comparison]:
    """Ours and Spark's, turn by turn."""
    session = _session()
    sides = CASES[case].sides(session, topics.ROWS)
    taken: dict[str, list[float]] = {name: [] for name in sides}
    for number in range(rounds + 1):
        print(f"• round {number} of {rounds}: {case}", file=sys.stderr)
        order = list(sides) if number % 2 == 0 else list(sides)[::-1]
        for name in order:
            seconds = _seconds(sides[name])
            if number:
                taken[name].append(topics.ROWS / seconds)
    session.catalog.clearCache()
    CASES[case].close()
    return compared(case, "rows/s", taken, bars={CASES[case].other: CASES[case].bar})


def _session() -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[*]")
        .config(
            "spark.driver.extraClassPath", f"{module_jar()}{os.pathsep}{avro_codecs.spark_avro()}"
        )
        .config("spark.driver.memory", "4g")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    register(session)
    return session


def _seconds(frame: DataFrame) -> float:
    start = time.perf_counter()
    frame.write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start
