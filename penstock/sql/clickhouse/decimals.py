"""Arithmetic with a Decimal beside another one or an integer, as ClickHouse's rules of scales say.

Two Decimals give one of ClickHouse's storage classes, beside an integer a Decimal keeps its digits.
Scales add up in `*`; a quotient has the dividend's, and so has a remainder, which is one of units.
"""

from __future__ import annotations

from penstock.model.expression import Expr
from penstock.model.types import DataType

_CLASSES = (9, 18, 38)
MAX_DIGITS = 38
# root of an integer → its decimal digits
DIGITS = {"TINYINT": 3, "SMALLINT": 5, "INT": 10, "BIGINT": 20}
DIGITS |= {"UINT8": 3, "UINT16": 5, "UINT32": 10, "UINT64": 20}
_QUOTIENTS = {"/": "divide", "%": "modulo"}


def decimal(operator: str, left: Expr, right: Expr) -> Expr | None:
    """`left operator right` for `+ - * / %`, None if ClickHouse has no type for it."""
    scales = [side.type.scale or 0 for side in (left, right)]
    scale = sum(scales) if operator == "*" else max(scales)
    type_ = DataType("DECIMAL", _precision(left, right), scale, nullable=False)
    if operator in _QUOTIENTS:
        sql = quotient(_QUOTIENTS[operator], left, right)
    else:
        sql = _exact(operator, left, right) if scale <= (type_.precision or 0) else None
    return Expr(f"CAST({sql} AS {type_.spark_sql()})", type_) if sql else None


def quotient(function: str, left: Expr, right: Expr) -> str | None:
    """Spark would round to digits of its own choice. A dividend has the larger scale."""
    both = left.type.root == right.type.root
    if both and (left.type.scale or 0) < (right.type.scale or 0):
        return None
    a, b = (
        side.sql if side.type.root == "DECIMAL" else f"CAST({side.sql} AS DECIMAL(20, 0))"
        for side in (left, right)
    )
    return f"penstock_ch_{function}({a}, {b}, {decimal_class(_precision(left, right))})"


def _precision(left: Expr, right: Expr) -> int:
    known = [side.type.precision or 0 for side in (left, right) if side.type.root == "DECIMAL"]
    return known[0] if len(known) == 1 else decimal_class(max(known))


def decimal_class(digits: int) -> int:
    """The precision of the smallest of ClickHouse's Decimals that has so many digits."""
    return next(size for size in _CLASSES if min(digits, MAX_DIGITS) <= size)


def _exact(operator: str, left: Expr, right: Expr) -> str:
    """Spark would drop digits behind the point rather than fail where 38 are not enough."""
    sizes = _sizes(operator, left.type, right.type)
    a, b = (
        f"CAST({side.sql} AS DECIMAL({size}, {side.type.scale or 0}))"
        for side, size in zip((left, right), sizes, strict=True)
    )
    return f"({a} {operator} {b})"


def _sizes(operator: str, left: DataType, right: DataType) -> tuple[int, int]:
    """Digits of both operands with which Spark's result has at most 38."""
    a, b = (side.precision or DIGITS[side.root] for side in (left, right))
    scales = [side.scale or 0 for side in (left, right)]
    if operator == "*":
        while a + b + 1 > MAX_DIGITS:
            a, b = (a - 1, b) if a - scales[0] >= b - scales[1] else (a, b - 1)
        return a, b
    room = MAX_DIGITS - 1 - max(scales)
    return min(a, room + scales[0]), min(b, room + scales[1])
