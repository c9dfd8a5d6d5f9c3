"""ClickHouse's functions of numbers, and its operators by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.clickhouse.decimals import MAX_DIGITS, decimal
from penstock.sql.clickhouse.numbers import (
    FLOAT64,
    FLOATS,
    INTEGERS,
    TRUTH,
    arithmetic,
    as_number,
    common_of,
    in_range,
    integer,
    negated,
)
from penstock.sql.clickhouse.types import default_sql, is_ordered
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.base import Table, integer_of, one

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_OPERATORS = {
    "plus": "+",
    "minus": "-",
    "multiply": "*",
    "divide": "/",
    "modulo": "%",
    "intDiv": "div",
}
# Functions of one Float64 that have the same name in Spark.
_JAVA = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh"),
    *("atanh", "cbrt", "degrees", "radians"),
)
_INT8 = DataType("TINYINT", nullable=False)
# From here on a Float64 has no digits behind the point.
_WHOLE = "4503599627370496D"


def _operator(symbol: str) -> Callable[[Sequence[Expr]], Expr | None]:
    return lambda arguments: arithmetic(symbol, *arguments)


def _or_zero(symbol: str) -> Callable[[Sequence[Expr]], Expr | None]:
    """0 where the divisor is 0."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        left, right = arguments
        safe = Expr(f"nullif({right.sql}, 0)", right.type)
        found = arithmetic(symbol, left, safe)
        if found is None:
            return None
        return Expr(f"if({right.sql} = 0, {default_sql(found.type)}, {found.sql})", found.type)

    return build


def _abs(arguments: Sequence[Expr]) -> Expr:
    value = arguments[0]
    if value.type.root in INTEGERS:
        bits, _ = INTEGERS[value.type.root]
        type_ = integer(bits, signed=False)
        wide = f"CAST({value.sql} AS DECIMAL(20, 0))"
        return Expr(f"CAST(abs({wide}) AS {type_.spark_sql()})", type_)
    return Expr(f"abs({value.sql})", value.type)


def _rounding(function: str) -> Callable[[Sequence[Expr]], Expr]:
    """Integers and Decimals round exactly, halves away from 0; a Float by its bits, to even."""

    def build(arguments: Sequence[Expr]) -> Expr:
        value = arguments[0]
        scale = (integer_of(arguments[1].sql) or 0) if len(arguments) > 1 else 0
        if value.type.root in FLOATS:
            return Expr(_rounded_float(function, value, scale), value.type)
        if value.type.root == "DECIMAL":
            name = value.type.spark_sql()
            found = _whole_of(function, value.sql, f", {scale}")
            return Expr(f"CAST({found} AS {name})", value.type)
        if scale >= 0:
            return value
        exact = _whole_of(function, f"CAST({value.sql} AS DECIMAL(38, 0))", f", {scale}")
        return Expr(in_range(exact, value.type), value.type)

    return build


def _whole_of(function: str, sql: str, scale: str = "") -> str:
    """A call of Spark's; `trunc`, towards 0, is one of two."""
    if function != "trunc":
        return f"{function}({sql}{scale})"
    return f"if({sql} < 0, ceil({sql}{scale}), floor({sql}{scale}))"


def _rounded_float(function: str, value: Expr, scale: int) -> str:
    """In the width of the value; what has no digits behind the point stays as it is."""
    name, suffix = value.type.spark_sql(), "F" if value.type.root == "FLOAT" else "D"
    factor = f"{10 ** abs(scale)}{suffix}"
    up, down = ("*", "/") if scale >= 0 else ("/", "*")
    shifted = f"({value.sql} {up} {factor})" if scale else value.sql
    whole = _whole_of("rint" if function == "round" else function, shifted)
    moved = f"if(isnan({shifted}) OR abs({shifted}) >= {_WHOLE}, {shifted}, {whole})"
    back = f"CAST({moved} AS {name})" + (f" {down} {factor}" if scale else "")
    # A zero keeps its sign.
    return f"CAST(if({back} = 0, {value.sql} * 0{suffix}, {back}) AS {name})"


def _extreme(function: str) -> Callable[[Sequence[Expr]], Expr | None]:
    """NULLs count only if there is nothing else, as since ClickHouse 24.12."""
    from penstock.sql.clickhouse.casts import cast

    def build(arguments: Sequence[Expr]) -> Expr | None:
        type_ = common_of([argument.type for argument in arguments])
        if type_ is None or type_.root in ("BOOLEAN", "ARRAY") or not is_ordered(type_):
            return None
        if type_.root == "DECIMAL" and len(arguments) > 1:
            return _decimal_extreme(function, arguments, type_)
        texts = ", ".join(cast(argument, type_).sql for argument in arguments)
        if type_.root in FLOATS and len(arguments) > 1:
            plain = len(arguments) == 2 and not type_.nullable
            return Expr(_float_extreme(function, texts, type_, plain=plain), type_)
        return Expr(f"{function}({texts})" if len(arguments) > 1 else texts, type_)

    return build


def _decimal_extreme(function: str, arguments: Sequence[Expr], common: DataType) -> Expr:
    """Two of them give what their sum has as type; NULLs or more of them the common type."""
    numbers = [as_number(argument) for argument in arguments]
    total = decimal("+", *numbers) if len(numbers) == 2 and not common.nullable else None
    type_ = total.type if total else common
    wide = f"DECIMAL({MAX_DIGITS}, {type_.scale})"
    texts = ", ".join(f"CAST({number.sql} AS {wide})" for number in numbers)
    return Expr(f"CAST({function}({texts}) AS {type_.spark_sql()})", type_)


def _float_extreme(function: str, texts: str, type_: DataType, *, plain: bool) -> str:
    """Of two: a NaN gives way to what follows it. Of more, or Nullable ones: to any other value."""
    if plain:
        test = "a > b AND NOT isnan(a)" if function == "greatest" else "a < b AND NOT isnan(b)"
    else:
        sign = ">=" if function == "greatest" else "<="
        test = f"isnan(b) OR (NOT isnan(a) AND a {sign} b)"
    step = f"CASE WHEN a IS NULL THEN b WHEN b IS NULL OR ({test}) THEN a ELSE b END"
    return f"reduce(array({texts}), CAST(NULL AS {type_.spark_sql()}), (a, b) -> {step})"


def _logarithm(function: str) -> tuple[S, ...]:
    value = "CAST({0} AS DOUBLE)"
    none = f"if({value} = 0, CAST('-Infinity' AS DOUBLE), CAST('NaN' AS DOUBLE))"
    found = f"if({value} > 0 OR {value} IS NULL, {function}({value}), {none})"
    return one(("number",), found, FLOAT64)


def _double(function: str) -> tuple[S, ...]:
    return one(("number",), f"{function}(CAST({{0}} AS DOUBLE))", FLOAT64)


def _or_null(symbol: str) -> Callable[[Sequence[Expr]], Expr | None]:
    """NULL where the divisor is 0."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        left, right = arguments
        return arithmetic(symbol, left, Expr(f"nullif({right.sql}, 0)", right.type.as_nullable()))

    return build


def _if_not_finite(arguments: Sequence[Expr]) -> Expr | None:
    from penstock.sql.clickhouse.casts import cast

    type_ = common_of([argument.type for argument in arguments])
    if type_ is None:
        return None
    value, other = (cast(argument, type_).sql for argument in arguments)
    finite = f"abs({arguments[0].sql}) < CAST('Infinity' AS DOUBLE)"
    return Expr(f"if({finite}, {value}, {other})", type_)


def _rounded(function: str) -> tuple[S, ...]:
    build = _rounding(function)
    return (
        S(("number except Bool",), build, "The type of argument 1"),
        S(("number except Bool", "literal integer"), build, "The type of argument 1"),
    )


MATHS: Table = {
    **{
        name: one(("number", "number"), _operator(symbol), "ClickHouse's type of the operation")
        for name, symbol in _OPERATORS.items()
    },
    "intDivOrZero": one(("integer", "integer"), _or_zero("div"), "The type of intDiv"),
    "moduloOrZero": one(("integer", "integer"), _or_zero("%"), "The type of modulo"),
    "intDivOrNull": one(("integer", "integer"), _or_null("div"), "The type of intDiv, Nullable"),
    "moduloOrNull": one(("integer", "integer"), _or_null("%"), "The type of modulo, Nullable"),
    "divideOrNull": one(("integer", "integer"), _or_null("/"), "Nullable(Float64)"),
    "negate": one(("number",), lambda a: negated(a[0]), "A signed type"),
    "abs": one(("number",), _abs, "An unsigned type of the same width"),
    "round": _rounded("round"),
    "floor": _rounded("floor"),
    "ceiling": _rounded("ceil"),
    "trunc": _rounded("trunc"),
    "sqrt": _double("sqrt"),
    "exp": _double("exp"),
    "log": _logarithm("ln"),
    "log2": _logarithm("log2"),
    "log10": _logarithm("log10"),
    "log1p": one(
        ("number",),
        "if(CAST({0} AS DOUBLE) > -1 OR {0} IS NULL, log1p(CAST({0} AS DOUBLE)), "
        "if(CAST({0} AS DOUBLE) = -1, CAST('-Infinity' AS DOUBLE), CAST('NaN' AS DOUBLE)))",
        FLOAT64,
    ),
    **{name: _double(name) for name in _JAVA},
    "exp2": one(("number",), "power(2D, CAST({0} AS DOUBLE))", FLOAT64),
    "exp10": one(("number",), "power(10D, CAST({0} AS DOUBLE))", FLOAT64),
    "atan2": one(("number", "number"), "atan2(CAST({0} AS DOUBLE), CAST({1} AS DOUBLE))", FLOAT64),
    "hypot": one(("number", "number"), "hypot(CAST({0} AS DOUBLE), CAST({1} AS DOUBLE))", FLOAT64),
    "pow": one(("number", "number"), "power(CAST({0} AS DOUBLE), CAST({1} AS DOUBLE))", FLOAT64),
    "pi": one((), "pi()", FLOAT64),
    "e": one((), "e()", FLOAT64),
    "sign": (
        S(("float",), "CAST(if(isnan({0}), 1, sign({0})) AS TINYINT)", _INT8),
        S(("number",), "CAST(sign({0}) AS TINYINT)", _INT8),
    ),
    "greatest": one(("any",), _extreme("greatest"), "The common type", variadic=True, lenient=True),
    "least": one(("any",), _extreme("least"), "The common type", variadic=True, lenient=True),
    "ifNotFinite": one(("float", "number"), _if_not_finite, "The common type"),
    "isNaN": one(("integer or float",), "if({0} IS NULL, NULL, isnan({0}))", TRUTH),
    "isFinite": one(
        ("integer or float",),
        "(NOT isnan(CAST({0} AS DOUBLE)) AND abs(CAST({0} AS DOUBLE)) "
        "<> CAST('Infinity' AS DOUBLE))",
        TRUTH,
    ),
    "isInfinite": one(
        ("integer or float",), "(abs(CAST({0} AS DOUBLE)) = CAST('Infinity' AS DOUBLE))", TRUTH
    ),
}
