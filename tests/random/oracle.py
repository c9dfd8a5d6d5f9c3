"""What a query gives over rows at rest: by SQLite, and by Spark's batch."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from typing import TYPE_CHECKING

from tests.random.relation import SOME_ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from tests.random.relation import Relation
    from tests.random.tables import Row, Table

# The average of integers is one in Flink.
_AVERAGE = re.compile(r"AVG\((\w+)\)")
# Spark's join for NOT IN takes 0.0 and -0.0 for two values, where = does not.
_SPARK_NOT_IN = "spark.sql.optimizeNullAwareAntiJoin"
_SQLITE_TYPES = {"INT": "INTEGER", "BIGINT": "INTEGER", "DOUBLE": "REAL", "STRING": "TEXT"}


def by_sqlite(query: Relation, tables: Sequence[Table], batch: int) -> Counter[Row] | None:
    """The rows of a query over what is left after a batch; None if SQLite cannot tell."""
    if not query.portable:
        return None
    with sqlite3.connect(":memory:") as database:
        for table in tables:
            columns = ", ".join(f"{c.name} {_SQLITE_TYPES[c.type]}" for c in table.stored)
            database.execute(f"CREATE TABLE {table.name} ({columns})")
            places = ", ".join("?" * len(table.stored))
            database.executemany(f"INSERT INTO {table.name} VALUES ({places})", table.left[batch])
        sql = _at_rest(query.sql, r"SUM(\1) / COUNT(\1)")
        try:
            return Counter(database.execute(sql).fetchall())
        except sqlite3.OperationalError as error:
            # It merges nested queries with a RIGHT JOIN in them, and then refuses what it made.
            if "ON clause references tables to its right" in str(error):
                return None
            raise


def by_spark(
    spark: SparkSession, query: Relation, tables: Sequence[Table], batch: int
) -> Counter[Row]:
    """The same by Spark, which has all that the queries use."""
    for table in tables:
        columns = ", ".join(f"{c.name} {c.type}" for c in table.stored)
        spark.createDataFrame(table.left[batch], columns).createOrReplaceTempView(table.name)
    sql = _at_rest(query.sql, r"SUM(\1) div NULLIF(COUNT(\1), 0)")
    spark.conf.set(_SPARK_NOT_IN, "false")
    return Counter(tuple(row) for row in spark.sql(sql).collect())


def _at_rest(sql: str, average: str) -> str:
    return _AVERAGE.sub(average, sql).replace(SOME_ROWS, "HAVING COUNT(*) > 0")
