"""The cases of this folder: expressions of ClickHouse over one row, as the files `*.jsonl` list.

    {"sql": …, "is": …, "type": …}    its value as Spark prints it, its type as toTypeName gives it
    {"sql": …, "fails": …}            it fails at run time, with this in the message
    {"sql": …, "error": …, "says": …} it is refused when planned, with this code

`zone` is the session's time zone; without it a case is run in UTC.
Values and types are those of ClickHouse 26.9, which every case without an error was run on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.plan.clickhouse import CLICKHOUSE
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.scope import Field, Scope
from penstock.sql.clickhouse.dialect import ClickHouse
from penstock.sql.clickhouse.type_reader import type_of

if TYPE_CHECKING:
    from penstock.model.expression import Expr

# name → ClickHouse's type, its value in Spark SQL
COLUMNS = {
    "s": ("String", "'Hello, World!'"),
    "e": ("String", "''"),
    "n": ("Nullable(String)", "CAST(NULL AS STRING)"),
    "u8": ("UInt8", "200S"),
    "u64": ("UInt64", "CAST(18446744073709551615 AS DECIMAL(20, 0))"),
    "i8": ("Int8", "(- 5Y)"),
    "i32": ("Int32", "7"),
    "i64": ("Int64", "9223372036854775807L"),
    "ni": ("Nullable(Int32)", "CAST(NULL AS INT)"),
    "f": ("Float64", "CAST(2.5 AS DOUBLE)"),
    "dec": ("Decimal(10, 2)", "CAST(-12.34 AS DECIMAL(10, 2))"),
    "b": ("Bool", "TRUE"),
    "d": ("Date", "DATE'2024-01-31'"),
    "t": ("DateTime", "TIMESTAMP'2024-01-31 10:11:12 UTC'"),
    "tokyo": ("DateTime('Asia/Tokyo')", "TIMESTAMP'2024-01-31 20:11:12 UTC'"),
    "t64": ("DateTime64(3)", "TIMESTAMP'2024-01-31 10:11:12.345 UTC'"),
    "arr": ("Array(UInt8)", "array(3S, 1S, 2S)"),
    "words": ("Array(String)", "array('b', 'a')"),
    "m": ("Map(String, UInt64)", "map('k', CAST(5 AS DECIMAL(20, 0)))"),
    "tup": ("Tuple(a UInt8, b String)", "named_struct('a', 1S, 'b', 'x')"),
    "en": ("Enum8('z' = 1, 'a' = 2)", "'z'"),
    "n.a": ("Array(UInt8)", "array(1S)"),
    # Names that parameters of lambdas have, too.
    "x": ("UInt8", "9S"),
    "i": ("String", "'ab'"),
    "v": ("UInt64", "CAST(6 AS DECIMAL(20, 0))"),
    "r": ("Array(UInt8)", "array(2S, 1S)"),
    "done": ("UInt8", "2S"),
    "x_0": ("UInt8", "100S"),
}
ROW_SQL = "SELECT " + ", ".join(f"{sql} AS `{name}`" for name, (_, sql) in COLUMNS.items())
SCOPE = Scope((("t1", tuple(Field(n, type_of(t, n), f"`{n}`") for n, (t, _) in COLUMNS.items())),))


def parsed(sql: str) -> exp.Expr:
    """The expression as it stands in a query."""
    query = ClickHouse().parse(f"SELECT {sql}")[0]
    assert isinstance(query, exp.Select)
    item: exp.Expr = query.expressions[0]
    return item


def compiled(sql: str) -> Expr:
    """The expression as Penstock compiles it over the row."""
    return ExpressionCompiler(SCOPE, CLICKHOUSE).compile(parsed(sql))
