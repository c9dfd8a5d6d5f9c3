"""Operators with Flink's result types: integers stay integers, decimals follow SQL's rules."""

from __future__ import annotations

from penstock.model.expression import Expr
from penstock.model.types import DOUBLE, DataType

_RANK = ("TINYINT", "SMALLINT", "INT", "BIGINT")
_DIGITS = {"TINYINT": 3, "SMALLINT": 5, "INT": 10, "BIGINT": 19}
_MAX_PRECISION = 38
_MIN_DIVISION_SCALE = 6


def arithmetic(operator: str, left: Expr, right: Expr) -> Expr | None:
    """`left operator right` for numbers, or None if one of them is not a number."""
    a, b = left.type, right.type
    if not (a.is_numeric and b.is_numeric):
        return None
    if a.is_integer and b.is_integer:
        return _integers(operator, left, right)
    if "DOUBLE" in (a.root, b.root) or "FLOAT" in (a.root, b.root):
        return _floating(operator, left, right)
    result = decimal_result(operator, _as_decimal(a), _as_decimal(b))
    return Expr(f"CAST(({left.sql} {operator} {right.sql}) AS {result.spark_sql()})", result)


def common_type(a: DataType, b: DataType) -> DataType | None:
    """The type that both can be read as: for CASE, COALESCE, IN and UNION."""
    if a.root == "NULL" or b.root == "NULL":
        return b if a.root == "NULL" else a
    if a.root == b.root and a.root != "DECIMAL":
        if a.is_text or a.is_time or a.root in ("BINARY", "VARBINARY"):
            return a if (a.precision or 0) >= (b.precision or 0) else b
        return a if not a.children or a.accepts(b) else None
    if a.is_numeric and b.is_numeric:
        return _common_number(a, b)
    if a.is_text and b.is_text:
        return a if a.root == "VARCHAR" else b
    if a.accepts(b):
        return a
    return b if b.accepts(a) else None


def _common_number(a: DataType, b: DataType) -> DataType:
    if a.is_integer and b.is_integer:
        return max(a, b, key=lambda t: _RANK.index(t.root))
    if a.root == b.root == "FLOAT":
        return a
    if "DOUBLE" in (a.root, b.root) or "FLOAT" in (a.root, b.root):
        return DOUBLE
    left, right = _as_decimal(a), _as_decimal(b)
    scale = max(left.scale or 0, right.scale or 0)
    whole = max((t.precision or 0) - (t.scale or 0) for t in (left, right))
    return DataType("DECIMAL", min(_MAX_PRECISION, whole + scale), scale)


def _integers(operator: str, left: Expr, right: Expr) -> Expr:
    wider = _common_number(left.type, right.type).as_nullable()
    if operator == "%":
        wider = right.type.as_nullable()
    symbol = "div" if operator == "/" else operator
    return Expr(f"CAST(({left.sql} {symbol} {right.sql}) AS {wider.spark_sql()})", wider)


def _floating(operator: str, left: Expr, right: Expr) -> Expr:
    result = _common_number(left.type, right.type).as_nullable()
    a, b = (f"CAST({side.sql} AS {result.spark_sql()})" for side in (left, right))
    if operator != "/":
        return Expr(f"({a} {operator} {b})", result)
    # Flink divides floating numbers as Java does; Spark's ANSI mode would refuse a zero.
    name = result.spark_sql()
    by_zero = (
        f"CASE WHEN {a} > 0 THEN CAST('Infinity' AS {name}) "
        f"WHEN {a} < 0 THEN CAST('-Infinity' AS {name}) ELSE CAST('NaN' AS {name}) END"
    )
    return Expr(f"CASE WHEN {b} = 0 AND {a} IS NOT NULL THEN {by_zero} ELSE {a} / {b} END", result)


def decimal_result(operator: str, a: DataType, b: DataType) -> DataType:
    """The type of a decimal operation, as SQL defines it and Flink applies it."""
    p1, s1, p2, s2 = a.precision or 0, a.scale or 0, b.precision or 0, b.scale or 0
    if operator == "*":
        precision, scale = p1 + p2 + 1, s1 + s2
    elif operator == "/":
        scale = max(_MIN_DIVISION_SCALE, s1 + p2 + 1)
        precision = p1 - s1 + s2 + scale
    elif operator == "%":
        scale = max(s1, s2)
        precision = min(p1 - s1, p2 - s2) + scale
    else:
        scale = max(s1, s2)
        precision = max(p1 - s1, p2 - s2) + scale + 1
    if precision <= _MAX_PRECISION:
        return DataType("DECIMAL", precision, scale)
    whole = precision - scale
    kept = max(min(scale, _MIN_DIVISION_SCALE), _MAX_PRECISION - whole)
    return DataType("DECIMAL", _MAX_PRECISION, kept)


def _as_decimal(type_: DataType) -> DataType:
    if type_.root == "DECIMAL":
        return type_
    return DataType("DECIMAL", _DIGITS[type_.root], 0)
