"""ClickHouse's functions of numbers, and its operators by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.clickhouse.numbers import (
    FLOAT64,
    INTEGERS,
    TRUTH,
    arithmetic,
    common_of,
    integer,
    negated,
)
from penstock.sql.clickhouse.types import default_sql
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
    """Integers stay as they are; a Float stays a Float."""

    def build(arguments: Sequence[Expr]) -> Expr:
        value = arguments[0]
        scale = (integer_of(arguments[1].sql) or 0) if len(arguments) > 1 else 0
        if value.type.root in INTEGERS and scale >= 0:
            return value
        number = f"CAST({value.sql} AS DOUBLE)" if value.type.root != "DECIMAL" else value.sql
        if function == "bround":
            sql = f"bround({number}, {scale})"
        elif value.type.root == "DECIMAL":
            sql = f"{function}({number}, {scale})"
        else:
            factor = f"{10 ** abs(scale)}D"
            up, down = ("*", "/") if scale >= 0 else ("/", "*")
            sql = f"(CAST({function}({number} {up} {factor}) AS DOUBLE) {down} {factor})"
        return Expr(f"CAST({sql} AS {value.type.spark_sql()})", value.type)

    return build


def _extreme(function: str) -> Callable[[Sequence[Expr]], Expr | None]:
    from penstock.sql.clickhouse.casts import cast

    def build(arguments: Sequence[Expr]) -> Expr | None:
        type_ = common_of([argument.type for argument in arguments])
        if type_ is None:
            return None
        texts = ", ".join(cast(argument, type_).sql for argument in arguments)
        null = " OR ".join(f"{argument.sql} IS NULL" for argument in arguments)
        return Expr(f"if({null}, NULL, {function}({texts}))", type_)

    return build


def _double(function: str) -> tuple[S, ...]:
    return one(("number",), f"{function}(CAST({{0}} AS DOUBLE))", FLOAT64)


def _rounded(function: str) -> tuple[S, ...]:
    build = _rounding(function)
    return (
        S(("number",), build, "The type of argument 1"),
        S(("number", "literal integer"), build, "The type of argument 1"),
    )


MATHS: Table = {
    **{
        name: one(("number", "number"), _operator(symbol), "ClickHouse's type of the operation")
        for name, symbol in _OPERATORS.items()
    },
    "intDivOrZero": one(("integer", "integer"), _or_zero("div"), "The type of intDiv"),
    "moduloOrZero": one(("integer", "integer"), _or_zero("%"), "The type of modulo"),
    "negate": one(("number",), lambda a: negated(a[0]), "A signed type"),
    "abs": one(("number",), _abs, "An unsigned type of the same width"),
    "round": _rounded("bround"),
    "floor": _rounded("floor"),
    "ceiling": _rounded("ceil"),
    "sqrt": _double("sqrt"),
    "exp": _double("exp"),
    "log": _double("ln"),
    "log2": _double("log2"),
    "log10": _double("log10"),
    "sin": _double("sin"),
    "cos": _double("cos"),
    "tan": _double("tan"),
    "pow": one(("number", "number"), "power(CAST({0} AS DOUBLE), CAST({1} AS DOUBLE))", FLOAT64),
    "pi": one((), "pi()", FLOAT64),
    "e": one((), "e()", FLOAT64),
    "sign": one(("number",), "CAST(sign({0}) AS TINYINT)", DataType("TINYINT", nullable=False)),
    "greatest": one(("any",), _extreme("greatest"), "The common type", variadic=True),
    "least": one(("any",), _extreme("least"), "The common type", variadic=True),
    "isNaN": one(("number",), "isnan(CAST({0} AS DOUBLE))", TRUTH),
    "isFinite": one(
        ("number",),
        "(NOT isnan(CAST({0} AS DOUBLE)) AND abs(CAST({0} AS DOUBLE)) "
        "<> CAST('Infinity' AS DOUBLE))",
        TRUTH,
    ),
    "isInfinite": one(
        ("number",), "(abs(CAST({0} AS DOUBLE)) = CAST('Infinity' AS DOUBLE))", TRUTH
    ),
}
