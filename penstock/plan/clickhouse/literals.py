"""Constants of ClickHouse: a whole number has the smallest type that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.model.types import MAX_LENGTH, NULL, DataType, literal
from penstock.sql.clickhouse.numbers import BOOL, FLOAT64, INTEGERS, common_of
from penstock.sql.clickhouse.types import NOTHING, array_of, type_name

if TYPE_CHECKING:
    from penstock.plan.expressions import ExpressionCompiler

_SUFFIXES = {"SMALLINT": "S", "TINYINT": "Y", "BIGINT": "L", "INT": ""}
_UNSIGNED = ("UINT8", "UINT16", "UINT32", "UINT64")
_SIGNED = ("TINYINT", "SMALLINT", "INT", "BIGINT")
STRING = DataType("VARCHAR", MAX_LENGTH, nullable=False)


def whole(value: int) -> Expr | None:
    """A whole number as a constant; None beyond 64 bits."""
    roots = _SIGNED if value < 0 else _UNSIGNED
    for root in roots:
        bits, signed = INTEGERS[root]
        if -(2 ** (bits - 1)) <= value < 2 ** (bits - 1 if signed else bits):
            type_ = DataType(root, nullable=False)
            suffix = _SUFFIXES.get(type_.spark_sql())
            text = str(value) if value >= 0 else f"(- {-value}{suffix})"
            if suffix is None:
                return Expr(f"CAST({value} AS DECIMAL(20, 0))", type_)
            return Expr(f"{text}{suffix}" if value >= 0 else text, type_)
    return None


def number_literal(compiler: ExpressionCompiler, node: exp.Literal) -> Expr:
    """A number or a text."""
    if node.is_string:
        return Expr(literal(node.this), STRING)
    text = node.this.replace("_", "")
    if text.isdigit():
        found = whole(int(text))
        if found is not None:
            return found
    return Expr(f"CAST('{text}' AS DOUBLE)", FLOAT64)


def as_written(node: exp.Expr, type_: DataType) -> exp.Expr:
    """A constant with its Decimals read digit by digit: a Float64 may lack the last ones."""
    if isinstance(node, exp.Paren):
        return as_written(node.this, type_)
    if type_.root == "DECIMAL":
        return _digits(node, type_)
    types = [child for _, child in type_.children]
    if isinstance(node, exp.Array) and type_.root == "ARRAY":
        return exp.Array(expressions=[as_written(item, types[0]) for item in node.expressions])
    if isinstance(node, exp.VarMap) and type_.root == "MAP":
        values = [as_written(item, types[1]) for item in node.args["values"].expressions]
        return exp.VarMap(keys=node.args["keys"], values=exp.Array(expressions=values))
    if isinstance(node, exp.Tuple) and len(node.expressions) == len(types):
        pairs = zip(node.expressions, types, strict=True)
        return exp.Tuple(expressions=[as_written(*pair) for pair in pairs])
    return node


def _digits(node: exp.Expr, type_: DataType) -> exp.Expr:
    number = node.this if isinstance(node, exp.Neg) else node
    if not isinstance(number, exp.Literal) or number.is_string:
        return node
    sign = "" if number is node else "-"
    text = exp.Literal.string(sign + number.name.replace("_", ""))
    return exp.CastToStrType(this=text, to=exp.Literal.string(type_name(type_)))


def hexadecimal(compiler: ExpressionCompiler, node: exp.HexString) -> Expr:
    """`0xFF`."""
    return whole(int(node.name, 16)) or compiler.refuse(node, "It has more than 64 bits.")


def heredoc(compiler: ExpressionCompiler, node: exp.RawString) -> Expr:
    """`$$text$$`."""
    return Expr(literal(node.this), STRING)


def boolean(compiler: ExpressionCompiler, node: exp.Boolean) -> Expr:
    """`true` and `false`."""
    return Expr("TRUE" if node.this else "FALSE", BOOL)


def null(compiler: ExpressionCompiler, node: exp.Null) -> Expr:
    """`NULL`."""
    return Expr("NULL", NULL)


def array(compiler: ExpressionCompiler, node: exp.Array) -> Expr:
    """`[a, b]`."""
    return make_array(compiler, [compiler.compile(item) for item in node.expressions], node)


def make_array(compiler: ExpressionCompiler, values: list[Expr], node: exp.Expr) -> Expr:
    """An array of values in their common type."""
    from penstock.sql.clickhouse.casts import cast

    if not values:
        return Expr("array()", array_of(NOTHING))
    element = common_of([value.type for value in values])
    if element is None:
        kinds = ", ".join(type_name(value.type) for value in values)
        compiler.refuse(node, f"Its elements have no common type: {kinds}.")
    texts = ", ".join(cast(value, element).sql for value in values)
    return Expr(f"array({texts})", array_of(element))


def tuple_(compiler: ExpressionCompiler, node: exp.Tuple) -> Expr:
    """`(a, b)`."""
    return make_tuple([compiler.compile(item) for item in node.expressions])


def make_tuple(values: list[Expr]) -> Expr:
    """A Tuple; its fields are named 1, 2, …"""
    names = [str(position) for position in range(1, len(values) + 1)]
    parts = (f"'{name}', {value.sql}" for name, value in zip(names, values, strict=True))
    children = tuple(zip(names, (value.type for value in values), strict=True))
    return Expr(
        f"named_struct({', '.join(parts)})", DataType("ROW", children=children, nullable=False)
    )
