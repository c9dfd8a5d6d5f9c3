"""Comparisons and conditions of ClickHouse: what they give is UInt8."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import NULL, DataType
from penstock.plan.terms import COMPARISON
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.number_casts import Mode
from penstock.sql.clickhouse.numbers import FLOATS, TRUTH, as_number, common_type, is_number
from penstock.sql.clickhouse.text import enum_number
from penstock.sql.clickhouse.types import type_name
from penstock.sql.functions.clickhouse.base import integer_of, is_text
from penstock.sql.functions.clickhouse.conditions import joined_type, logical_type
from penstock.sql.literals import text_of
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.expressions import ExpressionCompiler

_NUMBER = re.compile(r"CAST\('[0-9.eE+-]+' AS DOUBLE\)")
_UNORDERED = {"UUID", "IPV4", "IPV6"}


def comparison(compiler: ExpressionCompiler, node: exp.Binary) -> Expr:
    """`= != < <= > >=`."""
    left, right = compiler.compile(node.this), compiler.compile(node.expression)
    return compared(compiler, COMPARISON[type(node)], left, right, node)


def compared(
    compiler: ExpressionCompiler, operator: str, left: Expr, right: Expr, node: exp.Expr
) -> Expr:
    """Two values compared in the type that both can be read as."""
    if "NULL" in (left.type.root, right.type.root) and operator != "<=>":
        return Expr("NULL", NULL)
    nullable = left.type.nullable or right.type.nullable
    ordered = operator not in ("=", "<>", "<=>")
    if ordered and {left.type.root, right.type.root} & _UNORDERED:
        compiler.refuse(node, "UUID, IPv4 and IPv6 have another order in Spark.")
    a, b = comparable(compiler, left, right, node, ordered=ordered)
    sql = _without_nan(operator, (a, left), (b, right))
    return Expr(sql, TRUTH.as_nullable(nullable and operator != "<=>"))


def _without_nan(operator: str, left: tuple[str, Expr], right: tuple[str, Expr]) -> str:
    """A NaN is not equal to anything, nor below or above it; to Spark it is the largest number.

    What stands for it is false beside a value and NULL beside NULL.
    """
    (a, first), (b, second) = left, right
    floats = [side.type.root in FLOATS and not _is_literal(side) for side in (first, second)]
    if operator in (">", ">="):
        a, b, floats = b, a, floats[::-1]
        operator = operator.replace(">", "<")
    needed = all(floats) if operator in ("=", "<>") else floats[1]
    if not needed or operator == "<=>":
        return f"({a} {operator} {b})"
    never = f"({a} < CAST('-Infinity' AS DOUBLE))"
    other = f"(NOT {never})" if operator == "<>" else never
    return f"if(isnan({b}), {other}, {a} {operator} {b})"


def _is_literal(value: Expr) -> bool:
    return integer_of(value.sql) is not None or _NUMBER.fullmatch(value.sql) is not None


def comparable(
    compiler: ExpressionCompiler, left: Expr, right: Expr, node: exp.Expr, *, ordered: bool = False
) -> tuple[str, str]:
    """Both in one type; a constant text is read as the type of the other side."""
    for text, other in ((left, right), (right, left)):
        if text_of(text.sql) is not None and not is_text(other.type) and other.type.root != "NULL":
            if other.type.labels and not ordered:
                return left.sql, right.sql  # Nothing is equal to a name that is not in the Enum.
            converted = cast(text, other.type, Mode.STRICT)
            pair = (converted, other) if text is left else (other, converted)
            return _ordered(pair, ordered=ordered)
    left, right = _numbered(left, right), _numbered(right, left)
    if left.type.root != right.type.root and is_number(left.type) and is_number(right.type):
        left, right = as_number(left), as_number(right)
    common = common_type(left.type, right.type)
    if common is None and is_number(left.type) and is_number(right.type):
        # Int64 beside UInt64: exact in Spark's decimals.
        return left.sql, right.sql
    if (common and common.root == "TIMESTAMP_LTZ") or _are_times(left, right):
        # No digit and no day is lost in it.
        zone = next((side.type.zone for side in (left, right) if side.type.zone), "")
        common = DataType("TIMESTAMP_LTZ", 6, nullable=False, zone=zone)
    if common is None or common.root == "MAP":
        names = f"{type_name(left.type)} and {type_name(right.type)}"
        compiler.refuse(node, f"{names} cannot be compared; convert one of them.")
    if common.root == "ROW" and any(child.nullable for _, child in common.children):
        compiler.refuse(node, "Compare the elements: some are Nullable.")
    if left.type.labels and right.type.labels:
        return _ordered((left, right), ordered=ordered)
    return cast(left, common).sql, cast(right, common).sql


def _numbered(value: Expr, other: Expr) -> Expr:
    """An Enum beside a number is its own number."""
    if not value.type.labels or not is_number(other.type) or other.type.root == "DECIMAL":
        return value
    return Expr(enum_number(value), DataType("INT", nullable=value.type.nullable))


def _are_times(left: Expr, right: Expr) -> bool:
    return {left.type.root, right.type.root} == {"DATE32", "TIMESTAMP_LTZ"}


def _ordered(pair: tuple[Expr, Expr], *, ordered: bool) -> tuple[str, str]:
    """The elements of an Enum are ordered by their numbers."""
    if ordered and pair[0].type.labels:
        return enum_number(pair[0]), enum_number(pair[1])
    return pair[0].sql, pair[1].sql


def truth(expr: Expr) -> Expr:
    """A value as a condition: a number is true unless it is 0."""
    if expr.type.root in ("BOOLEAN", "NULL") or not is_number(expr.type):
        return expr
    return Expr(f"({expr.sql} <> 0)", TRUTH.as_nullable(expr.type.nullable))


def connector(compiler: ExpressionCompiler, node: exp.Connector) -> Expr:
    """`AND` and `OR`."""
    word = "AND" if isinstance(node, exp.And) else "OR"
    left, right = compiler.condition(node.this), compiler.condition(node.expression)
    return Expr(f"({left.sql} {word} {right.sql})", joined_type((left, right)))


def negation(compiler: ExpressionCompiler, node: exp.Not) -> Expr:
    """`NOT`."""
    inner = compiler.condition(node.this)
    return Expr(f"(NOT {inner.sql})", logical_type((inner,)))


def paren(compiler: ExpressionCompiler, node: exp.Paren) -> Expr:
    """`(a)`."""
    return compiler.compile(node.this)


def is_(compiler: ExpressionCompiler, node: exp.Is) -> Expr:
    """`a IS NULL`."""
    operand = compiler.compile(node.this)
    if not isinstance(node.expression, exp.Null):
        compiler.refuse(node)
    return Expr(f"({operand.sql} IS NULL)", TRUTH)


def between(compiler: ExpressionCompiler, node: exp.Between) -> Expr:
    """`a BETWEEN b AND c`."""
    operand = compiler.compile(node.this)
    low, high = (compiler.compile(node.args[name]) for name in ("low", "high"))
    above = compared(compiler, ">=", operand, low, node)
    below = compared(compiler, "<=", operand, high, node)
    nullable = above.type.nullable or below.type.nullable
    return Expr(f"({above.sql} AND {below.sql})", TRUTH.as_nullable(nullable))


def in_(compiler: ExpressionCompiler, node: exp.In) -> Expr:
    """`a IN (b, c)`; a NULL among the values is never equal, as in ClickHouse."""
    if node.args.get("query") or node.args.get("field") or not node.expressions:
        raise PlanError(
            "UNSUPPORTED_QUERY",
            span=node_span(node),
            feature="IN with a subquery or a table",
            instead="List the values.",
        )
    operand = compiler.compile(node.this)
    listed = node.expressions
    if len(listed) == 1 and isinstance(listed[0], exp.Array):
        listed = listed[0].expressions
    values = [compiler.compile(value) for value in listed]
    known = [value for value in values if value.type.root != "NULL"]
    pairs = [(*comparable(compiler, operand, value, node), value) for value in known]
    equal = (_without_nan("=", (a, operand), (b, value)) for a, b, value in pairs)
    tests = " OR ".join(equal) or "FALSE"
    return Expr(f"({tests})", TRUTH.as_nullable(operand.type.nullable))
