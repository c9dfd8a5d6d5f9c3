"""VALUES, and SELECT without FROM → `Values`."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import INT, DataType, quote
from penstock.plan.nodes import Values
from penstock.plan.scope import Field, Scope
from penstock.sql.arithmetic import common_type
from penstock.sql.casts import cast
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.build import Builder


def one_row() -> Values:
    """One row without a column that could be named."""
    return Values(((Expr("0", INT),),), (Field("", INT, "c0", hidden=True),))


def values(builder: Builder, node: exp.Values) -> Values:
    """The rows, each column in the common type of its values."""
    compiler = builder.expressions(Scope(()))
    rows = []
    for row in node.expressions:
        items = _items(row)
        rows.append([compiler.compile(item) for item in items])
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(node),
            problem="The rows of VALUES have different numbers of columns.",
            instead="",
        )
    types = [_common([row[i] for row in rows], node) for i in range(width)]
    converted = tuple(
        tuple(
            Expr(cast(value.sql, value.type, type_), type_)
            for value, type_ in zip(row, types, strict=True)
        )
        for row in rows
    )
    fields = tuple(Field(f"EXPR${i}", type_, quote(f"c{i}")) for i, type_ in enumerate(types))
    return Values(converted, fields)


def _items(row: exp.Expr) -> list[exp.Expr]:
    """The values of `(1, 'a')`, `ROW(1, 'a')`, `(1)` or `1`."""
    if isinstance(row, exp.Tuple) and len(row.expressions) == 1:
        return _items(row.expressions[0])
    is_row = isinstance(row, exp.Anonymous) and row.name.upper() == "ROW"
    if isinstance(row, exp.Tuple | exp.Struct) or is_row:
        return list(row.expressions)
    return [row.this if isinstance(row, exp.Paren) else row]


def _common(column: list[Expr], node: exp.Expr) -> DataType:
    types: list[DataType | None] = [value.type for value in column]
    found = reduce(lambda a, b: common_type(a, b) if a and b else None, types)
    if found is None:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(node),
            problem=f"A column of VALUES mixes {', '.join(map(str, dict.fromkeys(types)))}.",
            instead="CAST them to one type.",
        )
    return found.as_nullable(any(value.type.nullable for value in column))
