"""Flink's functions of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import DOUBLE, INT, STRING, DataType
from penstock.sql.arithmetic import arithmetic
from penstock.sql.functions.base import Signature as S
from penstock.sql.literals import integer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.expression import Expr

_MAX_PRECISION = 38
_DOUBLE = "CAST({0} AS DOUBLE)"
_BOTH = "CAST({0} AS DOUBLE), CAST({1} AS DOUBLE)"


def _without_scale(arguments: Sequence[Expr]) -> DataType:
    """DECIMAL(p, 0)."""
    return DataType("DECIMAL", arguments[0].type.precision, 0)


def _rounded(arguments: Sequence[Expr]) -> DataType:
    """A DECIMAL with the digits that are left."""
    precision, scale = arguments[0].type.precision or 0, arguments[0].type.scale or 0
    digits = _digits(arguments)
    if digits >= scale:
        return DataType("DECIMAL", precision, scale)
    kept = max(0, digits)
    return DataType("DECIMAL", min(_MAX_PRECISION, 1 + precision - scale + kept), kept)


def _digits(arguments: Sequence[Expr]) -> int:
    return (integer_of(arguments[1].sql) or 0) if len(arguments) > 1 else 0


def _truncate(arguments: Sequence[Expr]) -> str:
    value, digits = arguments[0], _digits(arguments)
    type_ = value.type
    if (type_.is_integer and digits >= 0) or (type_.scale is not None and digits >= type_.scale):
        return value.sql
    # Flink truncates a floating number as a decimal of this size.
    exact = value.sql if type_.root == "DECIMAL" else f"CAST({value.sql} AS DECIMAL(38, 18))"
    cut = f"if({exact} < 0, ceil({exact}, {digits}), floor({exact}, {digits}))"
    result = _rounded(arguments) if type_.root == "DECIMAL" else type_
    return f"CAST({cut} AS {result.spark_sql()})"


def _mod(arguments: Sequence[Expr]) -> str:
    found = arithmetic("%", *arguments)
    return found.sql if found else ""


def _mod_type(arguments: Sequence[Expr]) -> DataType | None:
    """The type of `%`."""
    found = arithmetic("%", *arguments)
    return found.type if found else None


def _absolute(arguments: Sequence[Expr]) -> str:
    (number,) = arguments
    return f"{'penstock_absolute' if number.type.root == 'DECIMAL' else 'abs'}({number.sql})"


def _whole(name: str) -> str:
    return f"CAST(penstock_{name}({_DOUBLE}) AS {{type}})"


def _double(name: str) -> tuple[S, ...]:
    return (S(("number",), f"{name}({{0}})", DOUBLE),)


def _random(function: str) -> Callable[[Sequence[Expr]], str]:
    """A sequence of its own for a literal seed, else the first number of each row's seed."""

    def build(arguments: Sequence[Expr]) -> str:
        known = integer_of(arguments[0].sql)
        seed = f"CAST({arguments[0].sql} AS INT)" if known is None else str(known)
        rest = [f"CAST({argument.sql} AS INT)" for argument in arguments[1:]]
        return f"{function}({', '.join([seed, *rest])})"

    return build


def _round_to(sql: str) -> tuple[S, ...]:
    return (
        S(("decimal",), f"CAST({sql.format('0')} AS {{type}})", _rounded),
        S(("number",), f"CAST({sql.format('0')} AS {{type}})", 0),
        S(("decimal", "literal int"), f"CAST({sql.format('{1}')} AS {{type}})", _rounded),
        S(("number", "literal int"), f"CAST({sql.format('{1}')} AS {{type}})", 0),
    )


_ROUNDING = {
    "CEIL": (
        S(("integer",), "{0}", 0),
        S(("decimal",), "CAST(ceil({0}) AS {type})", _without_scale),
    ),
    "FLOOR": (
        S(("integer",), "{0}", 0),
        S(("decimal",), "CAST(floor({0}) AS {type})", _without_scale),
    ),
}
_DOUBLES = (
    *("ACOS", "ASIN", "ATAN", "COS", "COSH", "COT", "DEGREES", "RADIANS"),
    *("SIN", "SINH", "TAN", "TANH"),
)

NUMERIC: dict[str, tuple[S, ...]] = {
    **{name: _double(name.lower()) for name in _DOUBLES},
    "ABS": (S(("number",), _absolute, 0),),
    "ATAN2": (S(("number", "number"), f"penstock_atan2({_BOTH})", DOUBLE),),
    "BIN": (S(("integer",), "bin({0})", STRING),),
    "CEIL": (*_ROUNDING["CEIL"], S(("number",), _whole("ceil"), 0)),
    "E": (S((), "e()", DOUBLE.as_nullable(nullable=False)),),
    "FLOOR": (*_ROUNDING["FLOOR"], S(("number",), _whole("floor"), 0)),
    "EXP": (S(("number",), f"penstock_exp({_DOUBLE})", DOUBLE),),
    "LN": (S(("number",), f"penstock_log({_DOUBLE})", DOUBLE),),
    "LOG": (
        S(("number",), f"penstock_log({_DOUBLE})", DOUBLE),
        S(("number", "number"), f"penstock_log({_BOTH})", DOUBLE),
    ),
    "LOG10": (S(("number",), f"penstock_log10({_DOUBLE})", DOUBLE),),
    "LOG2": (S(("number",), f"penstock_log(2D, {_DOUBLE})", DOUBLE),),
    "MOD": (S(("exact number", "exact number"), _mod, _mod_type),),
    "PI": (S((), "pi()", DOUBLE.as_nullable(nullable=False)),),
    "POWER": (S(("number", "number"), f"penstock_power({_BOTH})", DOUBLE),),
    "RAND": (
        S((), "rand()", DOUBLE.as_nullable(nullable=False)),
        S(("integer",), _random("penstock_random"), DOUBLE),
    ),
    "RAND_INTEGER": (
        S(("integer",), "penstock_random_integer(NULL, CAST({0} AS INT))", INT),
        S(("integer", "integer"), _random("penstock_random_integer"), INT),
    ),
    "ROUND": _round_to("round({{0}}, {})"),
    "SIGN": (S(("number",), "CAST(sign({0}) AS {type})", 0),),
    # Flink's SQRT is a power, which differs from Java's sqrt in the last digit of some results.
    "SQRT": (S(("number",), f"penstock_power({_DOUBLE}, 0.5D)", DOUBLE),),
    "TRUNCATE": (
        S(("decimal",), _truncate, _rounded),
        S(("number",), _truncate, 0),
        S(("decimal", "literal int"), _truncate, _rounded),
        S(("number", "literal int"), _truncate, 0),
    ),
}
NUMERIC["CEILING"] = NUMERIC["CEIL"]
