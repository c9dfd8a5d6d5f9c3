"""Rows that stand in the script, behind INSERT INTO … VALUES → a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError, SqlError
from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.nodes import Values
from penstock.plan.scope import Field, Scope
from penstock.sql.clickhouse.casts import stored
from penstock.sql.clickhouse.dialect import ClickHouse
from penstock.sql.clickhouse.types import default_sql

if TYPE_CHECKING:
    from penstock.model.table import Column
    from penstock.plan.language import Language
    from penstock.sql.clickhouse.statements import InsertRows


def rows_of(statement: InsertRows, columns: tuple[Column, ...], language: Language) -> Values:
    """The rows of VALUES, each value in the type of its column."""
    if statement.format != "Values":
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=statement.span,
            clause=f"INSERT … FORMAT {statement.format} with data in the script",
            instead="Write INSERT INTO … VALUES.",
        )
    # The data is the script's own; it is read, not run.
    parsed = ClickHouse().parse(f"INSERT INTO t VALUES {statement.data}")[0]  # noqa: S608
    values = parsed.expression if parsed else None
    if not isinstance(values, exp.Values):
        raise _invalid(statement, "VALUES lists rows in brackets")
    compiler = ExpressionCompiler(Scope(()), language)
    rows = []
    for row in values.expressions:
        items = [_value(item) for item in row.expressions]
        if len(items) != len(columns):
            raise _invalid(statement, f"a row has {len(items)} values for {len(columns)} columns")
        pairs = zip(items, columns, strict=True)
        rows.append(tuple(_stored(compiler, item, column) for item, column in pairs))
    fields = tuple(
        Field(column.name, value.type, quote(f"c{i}"))
        for i, (column, value) in enumerate(zip(columns, rows[0], strict=True))
    )
    return Values(tuple(rows), fields)


def _value(item: exp.Expr) -> exp.Expr:
    """sqlglot wraps each value of a row into a tuple of its own."""
    if isinstance(item, exp.Tuple) and len(item.expressions) == 1:
        inner: exp.Expr = item.expressions[0]
        return inner
    return item


def _stored(compiler: ExpressionCompiler, item: exp.Expr, column: Column) -> Expr:
    assert column.type is not None  # noqa: S101 — a column that INSERT fills has a type
    if isinstance(item, exp.Column) and item.name.upper() == "DEFAULT":
        return Expr(default_sql(column.type), column.type)
    return stored(compiler.compile(item), column.type)


def _invalid(statement: InsertRows, problem: str) -> PlanError:
    return PlanError(
        "INVALID_QUERY",
        span=statement.span,
        problem=f"INSERT INTO `{statement.table}`: {problem}.",
        instead="",
    )
