"""Operators with Flink's result types: integers stay integers, decimals follow SQL's rules.

Where Flink gives NULL (a decimal that is too large) so do we; where it wraps around silently (an
integer that is too large) Spark's ANSI mode fails instead.
"""

from __future__ import annotations

from dataclasses import replace

from penstock.model.expression import Expr
from penstock.model.types import DOUBLE, MAX_LENGTH, DataType
from penstock.sql.time_math import shifted

_RANK = ("TINYINT", "SMALLINT", "INT", "BIGINT")
_DIGITS = {"TINYINT": 3, "SMALLINT": 5, "INT": 10, "BIGINT": 19}
_MAX_PRECISION = 38
_MIN_DIVISION_SCALE = 6
_STRINGS = {
    "CHAR": "VARCHAR",
    "VARCHAR": "VARCHAR",
    "BINARY": "VARBINARY",
    "VARBINARY": "VARBINARY",
}
_APPROXIMATE = ("FLOAT", "DOUBLE")
# Spark's functions that give NULL for a decimal that is too large.
_DECIMAL_FUNCTIONS = {"+": "try_add", "-": "try_subtract", "*": "try_multiply"}


def arithmetic(operator: str, left: Expr, right: Expr) -> Expr | None:
    """`left operator right` for numbers, or None if it is not defined for these types."""
    a, b = left.type, right.type
    if a.is_interval or b.is_interval:
        return _intervals(operator, left, right)
    if not (a.is_numeric and b.is_numeric):
        return None
    if a.is_integer and b.is_integer:
        return _integers(operator, left, right)
    if a.root in _APPROXIMATE or b.root in _APPROXIMATE:
        return None if operator == "%" else _floating(operator, left, right)
    return _decimals(operator, left, right)


def advice(a: DataType, b: DataType) -> str:
    """What to write where an operator is not defined for these types."""
    if _is_moment(a) and _is_moment(b):
        return "Write TIMESTAMPDIFF(unit, start, end) for the time between two moments."
    if "DATE" in (a.root, b.root) and (a.is_interval or b.is_interval):
        return "A DATE has no time of day; CAST it to TIMESTAMP(3)."
    return f"The operands are {a} and {b}; CAST one of them."


def _intervals(operator: str, left: Expr, right: Expr) -> Expr | None:
    """A moment and an interval, two intervals, or an interval and how many times it is."""
    a, b = left.type, right.type
    nullable = a.nullable or b.nullable
    if a.is_interval and operator == "+" and _is_moment(b):
        return shifted(right, left)
    if _is_moment(a) and operator in "+-":
        return shifted(left, right, back=operator == "-")
    result = (a if a.is_interval else b).as_nullable(nullable)
    same = a.root == b.root and operator in "+-"
    times = operator == "*" and (a.is_integer or b.is_integer)
    if not (same or times or (operator == "/" and b.is_integer)):
        return None
    symbol = "div" if operator == "/" else operator
    return Expr(f"CAST(({left.sql} {symbol} {right.sql}) AS {result.spark_sql()})", result)


def _is_moment(type_: DataType) -> bool:
    return type_.is_time or type_.root in ("DATE", "TIME")


def merged_type(a: DataType, b: DataType) -> DataType | None:
    """The type that both can be read as in COALESCE and alike: DOUBLE and instants count first.

    A DECIMAL before a FLOAT becomes one, where the other way round both become a DOUBLE.
    """
    if (a.root, b.root) == ("DECIMAL", "FLOAT"):
        return b
    first, second = sorted((a, b), key=lambda t: t.root not in ("DOUBLE", "TIMESTAMP_LTZ"))
    return common_type(first, second)


def common_type(a: DataType, b: DataType) -> DataType | None:
    """The type that both can be read as: for CASE, IN and UNION.

    Of a FLOAT and a DOUBLE, or of a TIMESTAMP and a TIMESTAMP_LTZ, it is the first, as in Flink.
    """
    if a.root == "NULL" or b.root == "NULL":
        return b if a.root == "NULL" else a
    if a.is_numeric and b.is_numeric:
        return _common_number(a, b)
    if a.root in _STRINGS and _STRINGS[a.root] == _STRINGS.get(b.root):
        return _common_string(a, b)
    if a.is_time and b.is_time:
        alike = a.root == b.root or a.precision == b.precision
        root = a.root if alike else "TIMESTAMP_LTZ"
        return DataType(root, max(a.precision or 0, b.precision or 0))
    if a.root == b.root and not a.children:
        return max(a, b, key=lambda t: t.precision or 0)
    if a.root == b.root and len(a.children) == len(b.children):
        return _common_nested(a, b)
    if {a.root, b.root} & {"DATE", "TIME"}:
        return None
    if a.accepts(b):
        return a
    return b if b.accepts(a) else None


def compared(operator: str, left: Expr, right: Expr) -> str | None:
    """`left operator right` of numbers that Spark would round first, to fit both into 38 digits."""
    if not {left.type.root, right.type.root} <= {"DECIMAL", *_RANK}:
        return None
    types = _as_decimal(left.type), _as_decimal(right.type)
    whole = max((type_.precision or 0) - (type_.scale or 0) for type_ in types)
    if whole + max(type_.scale or 0 for type_ in types) <= _MAX_PRECISION:
        return None
    a, b = (
        f"CAST({side.sql} AS {type_.spark_sql()})"
        for side, type_ in zip((left, right), types, strict=True)
    )
    return f"(penstock_compare({a}, {b}) {operator} 0)"


def joined_type(a: DataType, b: DataType) -> DataType:
    """The type of `a || b`: as long as both together."""
    root = "CHAR" if a.root == b.root == "CHAR" else "VARCHAR"
    return DataType(root, min(MAX_LENGTH, (a.precision or 0) + (b.precision or 0)))


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


def _common_nested(a: DataType, b: DataType) -> DataType | None:
    children = []
    for (name, mine), (_, theirs) in zip(a.children, b.children, strict=True):
        child = common_type(mine, theirs)
        if child is None:
            return None
        children.append((name, child.as_nullable(mine.nullable or theirs.nullable)))
    return replace(a, children=tuple(children))


def _common_number(a: DataType, b: DataType) -> DataType:
    if a.is_integer and b.is_integer:
        return max(a, b, key=lambda t: _RANK.index(t.root))
    if a.root in _APPROXIMATE and b.root in _APPROXIMATE:
        return a
    if a.root in _APPROXIMATE or b.root in _APPROXIMATE:
        # An integer becomes a FLOAT beside a FLOAT; everything else beside it needs a DOUBLE.
        only_float = {a.root, b.root} <= {"FLOAT", *_RANK}
        return DataType("FLOAT") if only_float else DOUBLE
    left, right = _as_decimal(a), _as_decimal(b)
    whole = max((t.precision or 0) - (t.scale or 0) for t in (left, right))
    scale = min(max(left.scale or 0, right.scale or 0), _MAX_PRECISION - whole)
    return DataType("DECIMAL", whole + scale, scale)


def _common_string(a: DataType, b: DataType) -> DataType:
    length = max(a.precision or 0, b.precision or 0)
    same = a.root == b.root and a.precision == b.precision
    return DataType(a.root if same else _STRINGS[a.root], length)


def _integers(operator: str, left: Expr, right: Expr) -> Expr:
    result = _common_number(left.type, right.type).as_nullable()
    if operator == "%":
        result = right.type.as_nullable()
    symbol = "div" if operator == "/" else operator
    return Expr(f"CAST(({left.sql} {symbol} {right.sql}) AS {result.spark_sql()})", result)


def _floating(operator: str, left: Expr, right: Expr) -> Expr:
    result = _common_number(left.type, right.type).as_nullable()
    name = result.spark_sql()
    a, b = (f"CAST({side.sql} AS {name})" for side in (left, right))
    if operator != "/":
        return Expr(f"({a} {operator} {b})", result)
    return Expr(f"CAST({_divided(a, b)} AS {name})", result)


def _divided(a: str, b: str) -> str:
    """A division of doubles as Java does it; Spark's ANSI mode would refuse a zero."""
    return f"CASE WHEN {b} = 0 THEN {a} * CAST('Infinity' AS DOUBLE) ELSE {a} / {b} END"


def _decimals(operator: str, left: Expr, right: Expr) -> Expr:
    types = _as_decimal(left.type), _as_decimal(right.type)
    result = decimal_result(operator, *types)
    if operator == "%" and not any(type_.scale for type_ in types):
        result = right.type.as_nullable()
    # Spark would take an integer literal for a decimal of its own length, and round too early.
    a, b = (
        side.sql if side.type.root == "DECIMAL" else f"CAST({side.sql} AS {type_.spark_sql()})"
        for side, type_ in zip((left, right), types, strict=True)
    )
    function = _DECIMAL_FUNCTIONS.get(operator)
    sql = f"{function}({a}, {b})" if function else f"({a} {operator} {b})"
    if operator == "/" and _may_overflow(*types, result):
        # A zero still fails.
        sql = f"if({b} = 0, {sql}, try_divide({a}, {b}))"
    return Expr(f"CAST({sql} AS {result.spark_sql()})", result)


def _may_overflow(a: DataType, b: DataType, quotient: DataType) -> bool:
    """Whether a quotient can have more digits before the point than its type has."""
    whole = (a.precision or 0) - (a.scale or 0) + (b.scale or 0)
    return whole > (quotient.precision or 0) - (quotient.scale or 0)


def _as_decimal(type_: DataType) -> DataType:
    if type_.root == "DECIMAL":
        return type_
    return DataType("DECIMAL", _DIGITS[type_.root], 0)
