"""ClickHouse's operators: names, arithmetic, comparisons, conditions, elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.plan.clickhouse.comparisons import (
    between,
    comparison,
    connector,
    in_,
    is_,
    negation,
    paren,
)
from penstock.plan.clickhouse.invoke import invoke
from penstock.plan.clickhouse.literals import whole
from penstock.plan.clickhouse.names import bracket, column, dot
from penstock.plan.terms import COMPARISON
from penstock.sql.clickhouse.numbers import (
    INTEGERS,
    TRUTH,
    arithmetic,
    is_number,
    negated,
)
from penstock.sql.clickhouse.shift import shift
from penstock.sql.clickhouse.types import type_name
from penstock.sql.functions.clickhouse.base import integer_of, is_text
from penstock.sql.functions.clickhouse.patterns import like_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.expressions import ExpressionCompiler

_ARITHMETIC = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%"}
_TIMES = ("DATE", "DATE32", "TIMESTAMP_LTZ")


def binary(compiler: ExpressionCompiler, node: exp.Binary) -> Expr:
    """`+ - * / %`."""
    operator = _ARITHMETIC[type(node)]
    sides = (node.this, node.expression)
    for moment, length in (sides, sides[::-1]):
        if isinstance(length, exp.Interval) and operator in "+-":
            return _shifted(compiler, moment, length, node)
    left, right = (compiler.compile(side) for side in sides)
    return calculated(compiler, operator, left, right, node)


def calculated(
    compiler: ExpressionCompiler, operator: str, left: Expr, right: Expr, node: exp.Expr
) -> Expr:
    """An operation on two values; a Date moves by days, a DateTime by seconds."""
    if "NULL" in (left.type.root, right.type.root):
        return Expr("NULL", DataType("NULL"))
    if operator in "+-" and left.type.root in _TIMES and right.type.root in INTEGERS:
        unit = "SECOND" if left.type.root == "TIMESTAMP_LTZ" else "DAY"
        amount = right if operator == "+" else negated(right)
        return shift(left, amount, unit)
    if operator == "-" and left.type.root in _TIMES and left.type.root == right.type.root:
        return _between_times(compiler, left, right, node)
    result = arithmetic(operator, left, right)
    if result is None:
        compiler.refuse(
            node,
            f"The operands are {type_name(left.type)} and {type_name(right.type)}; convert one.",
        )
    return result


def _between_times(compiler: ExpressionCompiler, a: Expr, b: Expr, node: exp.Expr) -> Expr:
    if a.type.root == "DATE32":
        compiler.refuse(node, "Use dateDiff for Date32.")
    nullable = a.type.nullable or b.type.nullable
    digits = max(a.type.precision or 0, b.type.precision or 0)
    if digits:
        micros = f"CAST(unix_micros({a.sql}) - unix_micros({b.sql}) AS DECIMAL(20, 0))"
        seconds = DataType("DECIMAL", 18, digits, nullable=nullable)
        return Expr(f"CAST({micros} / 1000000 AS {seconds.spark_sql()})", seconds)
    type_ = DataType("INT", nullable=nullable)
    if a.type.root == "TIMESTAMP_LTZ":
        return Expr(f"CAST(unix_seconds({a.sql}) - unix_seconds({b.sql}) AS INT)", type_)
    return Expr(f"datediff({a.sql}, {b.sql})", type_)


def _shifted(
    compiler: ExpressionCompiler, moment: exp.Expr, length: exp.Interval, node: exp.Expr
) -> Expr:
    compiled = compiler.compile(moment)
    amount_node, unit = length.this, length.args.get("unit")
    if amount_node is None or unit is None or compiled.type.root not in _TIMES:
        compiler.refuse(node, "Write INTERVAL 1 DAY beside a Date or a DateTime.")
    text = amount_node.name if isinstance(amount_node, exp.Literal) else ""
    amount = whole(int(text)) if text.lstrip("-").isdigit() else compiler.compile(amount_node)
    if amount is None or amount.type.root not in INTEGERS:
        compiler.refuse(node, "The length of an interval is a whole number.")
    if isinstance(node, exp.Sub):
        amount = negated(amount)
    return shift(compiled, amount, unit.name.upper().removesuffix("S"))


def integer_division(compiler: ExpressionCompiler, node: exp.IntDiv) -> Expr:
    """`a DIV b`."""
    left, right = compiler.compile(node.this), compiler.compile(node.expression)
    return calculated(compiler, "div", left, right, node)


def negative(compiler: ExpressionCompiler, node: exp.Neg) -> Expr:
    """`-a`; of a literal, the smallest type that holds it."""
    operand = compiler.compile(node.this)
    known = integer_of(operand.sql)
    if known is not None and isinstance(node.this, exp.Literal):
        return whole(-known) or operand
    if not is_number(operand.type):
        compiler.refuse(node, f"The operand is {type_name(operand.type)}.")
    return negated(operand)


def like(compiler: ExpressionCompiler, node: exp.Like | exp.ILike) -> Expr:
    """`a LIKE b` and `a ILIKE b`."""
    operand, pattern = compiler.compile(node.this), compiler.compile(node.expression)
    if not (is_text(operand.type) and is_text(pattern.type)):
        compiler.refuse(node, "LIKE compares texts.")
    word = "ILIKE" if isinstance(node, exp.ILike) else "LIKE"
    word = f"NOT {word}" if node.args.get("negate") else word
    nullable = operand.type.nullable or pattern.type.nullable
    sql = f"({operand.sql} {word} {like_pattern(pattern.sql)})"
    return Expr(sql, TRUTH.as_nullable(nullable))


def regexp(compiler: ExpressionCompiler, node: exp.RegexpLike) -> Expr:
    """`a REGEXP pattern` is match(a, pattern)."""
    return invoke(compiler, "match", [node.this, node.expression], node)


def pipe(compiler: ExpressionCompiler, node: exp.DPipe) -> Expr:
    """`a || b` is concat(a, b)."""
    return invoke(compiler, "concat", [node.this, node.expression], node)


def map_literal(compiler: ExpressionCompiler, node: exp.VarMap) -> Expr:
    """`{'a': 1}`."""
    keys, values = (node.args[name].expressions for name in ("keys", "values"))
    pairs = [part for pair in zip(keys, values, strict=True) for part in pair]
    return invoke(compiler, "map", pairs, node)


def trim(compiler: ExpressionCompiler, node: exp.Trim) -> Expr:
    """`trim(BOTH ' ' FROM text)`."""
    where = (node.args.get("position") or "").upper()
    name = {"LEADING": "trimLeft", "TRAILING": "trimRight"}.get(where, "trimBoth")
    characters = [] if node.expression is None else [node.expression]
    return invoke(compiler, name, [node.this, *characters], node)


def position(compiler: ExpressionCompiler, node: exp.StrPosition) -> Expr:
    """`position(text, part)` and `position(part IN text)`."""
    return invoke(compiler, "position", [node.this, node.args["substr"]], node)


def substring(compiler: ExpressionCompiler, node: exp.Substring) -> Expr:
    """`substring(text, start, length)`."""
    parts = [node.args[name] for name in ("this", "start", "length") if node.args.get(name)]
    return invoke(compiler, "substring", parts, node)


def extract(compiler: ExpressionCompiler, node: exp.Extract) -> Expr:
    """`EXTRACT(unit FROM moment)`."""
    names = {"YEAR": "toYear", "QUARTER": "toQuarter", "MONTH": "toMonth", "DAY": "toDayOfMonth"}
    names |= {"HOUR": "toHour", "MINUTE": "toMinute", "SECOND": "toSecond"}
    name = names.get(node.this.name.upper())
    if name is None:
        compiler.refuse(node, f"Units: {', '.join(names)}.")
    return invoke(compiler, name, [node.expression], node)


OPERATORS: dict[type, Callable[..., Expr]] = {
    exp.Column: column,
    exp.Dot: dot,
    **dict.fromkeys(_ARITHMETIC, binary),
    **dict.fromkeys(COMPARISON, comparison),
    exp.IntDiv: integer_division,
    exp.Neg: negative,
    exp.And: connector,
    exp.Or: connector,
    exp.Not: negation,
    exp.Paren: paren,
    exp.Is: is_,
    exp.Between: between,
    exp.In: in_,
    exp.Like: like,
    exp.ILike: like,
    exp.RegexpLike: regexp,
    exp.DPipe: pipe,
    exp.Bracket: bracket,
    exp.VarMap: map_literal,
    exp.Trim: trim,
    exp.StrPosition: position,
    exp.Substring: substring,
    exp.Extract: extract,
}
