"""What Penstock makes of expressions over the table: its type and a text for each row, as TSV."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import PenstockError
from penstock.formats.clickhouse import CLICKHOUSE_FORMATS
from penstock.model.option import OptionReader
from penstock.model.types import quote, spark_schema_text
from penstock.plan.clickhouse import CLICKHOUSE
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.scope import Field, Scope
from penstock.sql.clickhouse.numbers import as_number
from penstock.sql.clickhouse.type_reader import type_of
from penstock.sql.clickhouse.types import type_name
from tests.side_by_side.columns import COLUMNS, ROWS
from tests.sql.clickhouse.expressions import parsed

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from penstock.model.expression import Expr

_FIELDS = (
    ("n", type_of("UInt16", "n")),
    *((name, type_of(type_, name)) for name, (type_, _) in COLUMNS.items()),
)
_SCOPE = Scope((("t", tuple(Field(name, type_, quote(name)) for name, type_ in _FIELDS)),))
_TSV = CLICKHOUSE_FORMATS["TSV"].of_table(OptionReader("t", ()), 0)
_BATCH = 80
# What is evaluated for several columns at once would fail outside of the `try` of each.
_SETTINGS = {
    "spark.sql.subexpressionElimination.enabled": "false",
    "spark.sql.optimizer.excludedRules": (
        "org.apache.spark.sql.catalyst.optimizer.ConstantFolding"
    ),
}


@dataclass(frozen=True)
class Compiled:
    """An expression that the planner takes, and ClickHouse's type of it."""

    expr: Expr
    type: str


def compiled(sql: str) -> Compiled | PenstockError:
    """The expression as the planner compiles it, or why it does not."""
    try:
        found = ExpressionCompiler(_SCOPE, CLICKHOUSE).compile(parsed(sql))
    except PenstockError as error:
        return error
    return Compiled(found, type_name(found.type))


def read(spark: SparkSession, table: Path) -> DataFrame:
    """The table that ClickHouse wrote, in its order."""
    from pyspark.sql import DataFrame
    from pyspark.sql import functions as F

    from penstock.spark.session import prepare

    session = prepare(spark, {"table.local-time-zone": "UTC", **_SETTINGS})
    lines = session.read.text(str(table), wholetext=True)
    rows = F.call_function(
        _TSV.DECODE,
        F.col("value").cast("binary"),
        F.lit(spark_schema_text(_FIELDS)),
        F.expr(_TSV._options(_FIELDS)),
    )
    frame = lines.select(F.explode(rows).alias("row")).select("row.*").orderBy("n")
    # Rows that the plan itself holds are computed by the optimizer: no code is generated for them.
    kept = session._jsparkSession.createDataFrame(frame._jdf.collectAsList(), frame._jdf.schema())
    return DataFrame(kept, session)


def values(table: DataFrame, expressions: list[Expr]) -> list[tuple[str | None, ...]]:
    """The texts of each expression, by row; None where it fails."""
    found = []
    for start in range(0, len(expressions), _BATCH):
        found += _values(table, expressions[start : start + _BATCH])
    return found


def _values(table: DataFrame, batch: list[Expr]) -> list[tuple[str | None, ...]]:
    """Spark computes what stands in BETWEEN before all else, outside of `penstock_try`."""
    from pyspark.errors import PySparkException

    columns = [f"{_text(expr)} AS c{i}" for i, expr in enumerate(batch)]
    try:
        lines = table.selectExpr(*columns).collect()
    except PySparkException:
        if len(batch) == 1:
            return [tuple(_value(table, columns[0], row) for row in range(ROWS))]
        middle = len(batch) // 2
        return _values(table, batch[:middle]) + _values(table, batch[middle:])
    return [tuple(_shown(value) for value in column) for column in zip(*lines, strict=True)]


def _value(table: DataFrame, column: str, row: int) -> str | None:
    from pyspark.errors import PySparkException

    try:
        return _shown(table.where(f"n = {row}").selectExpr(column).collect()[0][0])
    except PySparkException:
        return None


def _text(expr: Expr) -> str:
    number = as_number(expr) if expr.type.root == "BOOLEAN" and expr.type.precision else expr
    if number.type.root == "NULL":
        return "CAST('\\\\N' AS BINARY)"
    return f"penstock_try({_TSV.encode([('x', number.sql, number.type)])})"


def _shown(value: bytearray | None) -> str | None:
    if value is None:
        return None
    return bytes(value).removesuffix(b"\n").decode("utf-8", "backslashreplace")
