"""The cases of this folder: expressions over one row, as the files `*.jsonl` list them.

    {"sql": …, "is": …, "type": …}    its value as Spark prints it, its type in Flink's words
    {"sql": …, "fails": …}            it fails at run time, with this in the message
    {"sql": …, "error": …, "says": …} it is refused when planned, with this code

`zone` is the session's time zone; without it a case holds in every zone.
Values come from Flink's documentation and tests, never from what Penstock gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.types import BIGINT, DATE, INT, STRING, TIMESTAMP_3, TIMESTAMP_LTZ_3, DataType
from penstock.plan.expressions import FLINK, ExpressionCompiler
from penstock.plan.scope import Field, Scope
from penstock.sql.flink import Flink

if TYPE_CHECKING:
    from penstock.model.expression import Expr

ZONES = ("UTC", "Asia/Shanghai")

# name → Flink's type, its value in Spark SQL
COLUMNS = {
    "s": (STRING, "'This is a test String.'"),
    "e": (STRING, "''"),
    "n": (STRING, "CAST(NULL AS STRING)"),
    "one": (INT, "1"),
    "zero": (INT, "0"),
    "minus": (INT, "-2"),
    "ni": (INT, "CAST(NULL AS INT)"),
    "big": (BIGINT, "1L"),
    "dec": (DataType("DECIMAL", 10, 2), "CAST(-12.34 AS DECIMAL(10, 2))"),
    "dt": (DATE, "DATE'2020-01-31'"),
    "ts": (TIMESTAMP_3, "TIMESTAMP_NTZ'2020-01-31 10:11:12.345'"),
    "ltz": (TIMESTAMP_LTZ_3, "timestamp_millis(1612029600000)"),
    "arr": (DataType("ARRAY", children=(("element", INT),)), "array(3, NULL, 1)"),
    "mp": (DataType("MAP", children=(("key", STRING), ("value", INT))), "map('k', 5)"),
    "tm": (DataType("TIME", 3), "TIME'12:34:56.123'"),
    "bag": (DataType("MULTISET", children=(("element", STRING),)), "map('a', 2)"),
    "r": (DataType("ROW", children=(("x", INT),)), "named_struct('x', 1)"),
    "k": (STRING, "'k'"),
    # Called as the variables of lambdas are.
    "a0": (INT, "5"),
    "b0": (INT, "6"),
    "a1": (INT, "6"),
    "k0": (STRING, "'k'"),
}
ROW_SQL = "SELECT " + ", ".join(f"{sql} AS {name}" for name, (_, sql) in COLUMNS.items())
SCOPE = Scope((("t", tuple(Field(name, type_, name) for name, (type_, _) in COLUMNS.items())),))


def parsed(sql: str) -> exp.Expr:
    """The expression as it stands in a query."""
    query = Flink().parse(f"SELECT {sql}")[0]
    assert isinstance(query, exp.Select)
    return query.expressions[0]


def compiled(sql: str) -> Expr:
    """The expression as Penstock compiles it over the row."""
    return ExpressionCompiler(SCOPE, FLINK).compile(parsed(sql))
