"""Literals, calls and constructors with a syntax of their own: CASE, CAST, TRIM, ARRAY[…] and such.

Each is a function of the compiler and the node; `plan.expressions` finds them in `FORMS` by the
kind of node and in `CALLS` by name.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.model.types import (
    BIGINT,
    DATE,
    INT,
    NULL,
    TIMESTAMP_3,
    TIMESTAMP_LTZ_3,
    DataType,
    literal,
)
from penstock.plan.grouping import ELSEWHERE
from penstock.plan.json_forms import JSON_FORMS
from penstock.plan.predicates import overlaps, similar
from penstock.sql.arithmetic import common_type
from penstock.sql.casts import cast
from penstock.sql.intervals import interval_value
from penstock.sql.literals import integer_of
from penstock.sql.spans import node_span
from penstock.sql.time_math import (
    ADDABLE,
    DATE_PARTS,
    ROUNDABLE,
    TIME_PARTS,
    ceil,
    difference,
    floor,
    part,
    shift,
    truncated,
)
from penstock.sql.types import data_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.expressions import ExpressionCompiler

_NOW = Expr(
    truncated("current_timestamp()", TIMESTAMP_LTZ_3), TIMESTAMP_LTZ_3.as_nullable(nullable=False)
)
_LOCAL_NOW = Expr(
    truncated("localtimestamp()", TIMESTAMP_3), TIMESTAMP_3.as_nullable(nullable=False)
)
# Written apart from CURRENT_TIMESTAMP: a column that is this can be a window's time.
PROCTIME = Expr(truncated("now()", TIMESTAMP_LTZ_3), TIMESTAMP_LTZ_3.as_nullable(nullable=False))
_MAX_INT, _MAX_BIGINT = 2**31 - 1, 2**63 - 1
_CLOCK = Expr("CAST(current_time(0) AS TIME(6))", DataType("TIME", 0, nullable=False))
_TODAY = Expr("current_date()", DATE.as_nullable(nullable=False))
# words that sqlglot takes for columns
LOCAL_WORDS = {"LOCALTIME": _CLOCK, "LOCALTIMESTAMP": _LOCAL_NOW}


def _literal(compiler: ExpressionCompiler, node: exp.Literal) -> Expr:
    if node.is_string:
        length = max(1, len(node.this))
        return Expr(literal(node.this), DataType("CHAR", length, nullable=False))
    text = node.this
    if text.isdigit() and int(text) <= _MAX_BIGINT:
        small = int(text) <= _MAX_INT
        return Expr(text if small else f"{text}L", (INT if small else BIGINT).as_nullable(False))
    if "e" in text.lower():
        return Expr(f"{text}D", DataType("DOUBLE", nullable=False))
    whole, _, fraction = text.partition(".")
    scale = len(fraction)
    precision = max(len(whole.lstrip("0")) + scale, scale + 1)
    type_ = DataType("DECIMAL", precision, scale, nullable=False)
    # Spark does not count the zero before the point.
    return Expr(f"CAST({text}BD AS {type_.spark_sql()})", type_)


def smallest(node: exp.Expr) -> Expr | None:
    """The least number of a type, which has no opposite: after a minus it is of this type."""
    if not isinstance(node, exp.Literal) or node.is_string:
        return None
    if node.this == str(_MAX_INT + 1):
        return Expr(f"CAST(-{node.this}L AS INT)", INT.as_nullable(False))
    found = node.this == str(_MAX_BIGINT + 1)
    return Expr(f"(-{node.this}L)", BIGINT.as_nullable(False)) if found else None


def _hex(compiler: ExpressionCompiler, node: exp.HexString) -> Expr:
    length = max(1, len(node.name) // 2)
    return Expr(f"X'{node.name}'", DataType("BINARY", length, nullable=False))


def _case(compiler: ExpressionCompiler, node: exp.Case) -> Expr:
    branches = [(branch.this, branch.args["true"]) for branch in node.args["ifs"]]
    if node.this is not None:
        branches = [(exp.EQ(this=node.this, expression=when), then) for when, then in branches]
    whens = [(compiler.condition(when), compiler.compile(then)) for when, then in branches]
    default = node.args.get("default")
    otherwise = compiler.compile(default) if default else Expr("NULL", NULL)
    results = [*(then for _, then in whens), otherwise]
    type_ = _common(compiler, results, node).as_nullable()
    parts = [f"WHEN {w.sql} THEN {cast(t.sql, t.type, type_)}" for w, t in whens]
    last = cast(otherwise.sql, otherwise.type, type_)
    return Expr(f"CASE {' '.join(parts)} ELSE {last} END", type_)


def _common(compiler: ExpressionCompiler, values: list[Expr], node: exp.Expr) -> DataType:
    """The type all values can be read as."""
    types: list[DataType | None] = [value.type for value in values]
    found = reduce(lambda a, b: common_type(a, b) if a and b else None, types)
    if found is None:
        compiler.refuse(node, f"Its values differ: {', '.join(map(str, types))}.")
    return found.as_nullable(any(value.type.nullable for value in values))


def _cast(compiler: ExpressionCompiler, node: exp.Cast) -> Expr:
    operand = compiler.compile(node.this)
    target = data_type(node.to, node.this.sql(dialect="flink"))
    safe = isinstance(node, exp.TryCast)
    sql = cast(operand.sql, operand.type, target, span=node_span(node), safe=safe)
    nullable = operand.type.nullable or safe or target.root == "DECIMAL"
    return Expr(sql, target.as_nullable(nullable))


def _extract(compiler: ExpressionCompiler, node: exp.Extract) -> Expr:
    found = part(node.this.name.upper(), _moment(compiler, node.expression))
    if found is None:
        compiler.refuse(
            node, f"Units: {', '.join(DATE_PARTS)}, and of a time {', '.join(TIME_PARTS)}."
        )
    return found


def _moment(compiler: ExpressionCompiler, node: exp.Expr) -> Expr:
    moment = compiler.compile(node)
    if not (moment.type.is_time or moment.type.root in ("DATE", "TIME")):
        compiler.refuse(node, f"A date or a time is needed here, this is {moment.type}.")
    return moment


def _rounded(compiler: ExpressionCompiler, node: exp.Floor | exp.Ceil) -> Expr:
    unit = node.args.get("to")
    name, rounding = ("FLOOR", floor) if isinstance(node, exp.Floor) else ("CEIL", ceil)
    if unit is None:
        return compiler.call(name, [node.this], node)
    if unit.name.upper() not in ROUNDABLE:
        compiler.refuse(node, f"Units: {', '.join(ROUNDABLE)}.")
    return rounding(_moment(compiler, node.this), unit.name.upper())


def _unit(compiler: ExpressionCompiler, node: exp.Anonymous) -> str:
    written = node.expressions[0].name.upper() if len(node.expressions) == 3 else ""
    unit = written.removeprefix("SQL_TSI_")
    if unit not in ADDABLE:
        compiler.refuse(node, f"Write {node.name.upper()}(unit, …, …) with {', '.join(ADDABLE)}.")
    return unit


def _timestamp_add(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    unit = _unit(compiler, node)
    amount, moment = compiler.compile(node.expressions[1]), _moment(compiler, node.expressions[2])
    if not amount.type.is_integer:
        compiler.refuse(node, f"The amount must be an integer, this is {amount.type}.")
    return shift(moment, amount, unit)


def _timestamp_diff(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    unit = _unit(compiler, node)
    start, end = (_moment(compiler, argument) for argument in node.expressions[1:])
    if "TIME" in (start.type.root, end.type.root):
        compiler.refuse(node, "A TIME is of no day; CAST it to TIMESTAMP(3).")
    if (start.type.root == "TIMESTAMP_LTZ") != (end.type.root == "TIMESTAMP_LTZ"):
        compiler.refuse(node, "A TIMESTAMP_LTZ can be compared with another one only; CAST one.")
    return difference(unit, start, end)


def _trim(compiler: ExpressionCompiler, node: exp.Trim) -> Expr:
    where = (node.args.get("position") or "").upper()
    name = {"LEADING": "LTRIM", "TRAILING": "RTRIM"}.get(where, "BTRIM")
    if not where and node.expression is None:
        return compiler.call("TRIM", [node.this], node)
    characters = [] if node.expression is None else [node.expression]
    found = compiler.call(name, [node.this, *characters], node)
    return Expr(found.sql, DataType("VARCHAR", compiler.compile(node.this).type.precision))


def _array(compiler: ExpressionCompiler, node: exp.Array) -> Expr:
    values = [compiler.compile(value) for value in node.expressions]
    if not values:
        compiler.refuse(node, "An array needs one value at least, to have a type.")
    type_ = _common(compiler, values, node)
    texts = ", ".join(cast(value.sql, value.type, type_) for value in values)
    return Expr(
        f"array({texts})", DataType("ARRAY", children=(("element", type_),), nullable=False)
    )


def _map(compiler: ExpressionCompiler, node: exp.Bracket) -> Expr:
    values = [compiler.compile(value) for value in node.expressions]
    if not values or len(values) % 2:
        compiler.refuse(node, "Write MAP[key, value, key, value, …].")
    kinds = [_common(compiler, values[start::2], node) for start in (0, 1)]
    texts = [cast(v.sql, v.type, kinds[i % 2]) for i, v in enumerate(values)]
    children = (("key", kinds[0]), ("value", kinds[1]))
    return Expr(f"map({', '.join(texts)})", DataType("MAP", children=children, nullable=False))


def _row(compiler: ExpressionCompiler, node: exp.Anonymous | exp.Tuple) -> Expr:
    values = [compiler.compile(value) for value in node.expressions]
    names = [f"EXPR${position}" for position in range(len(values))]
    texts = [f"{literal(name)}, {value.sql}" for name, value in zip(names, values, strict=True)]
    children = tuple(zip(names, (value.type for value in values), strict=True))
    type_ = DataType("ROW", children=children, nullable=False)
    return Expr(f"named_struct({', '.join(texts)})", type_)


def _bracket(compiler: ExpressionCompiler, node: exp.Bracket) -> Expr:
    if isinstance(node.this, exp.Column) and node.this.sql().upper() == "MAP":
        return _map(compiler, node)
    if len(node.expressions) != 1:
        compiler.refuse(node, "An element has one index or key.")
    container, index = compiler.compile(node.this), compiler.compile(node.expressions[0])
    if container.type.root == "ARRAY" and index.type.is_integer:
        known = integer_of(index.sql)
        if known is not None and known < 1:
            compiler.refuse(node, "The first element has the index 1.")
        position = cast(index.sql, index.type, INT)
        return Expr(f"get({container.sql}, {position} - 1)", _inside(container, 0))
    if container.type.root == "MAP":
        key = container.type.children[0][1].as_nullable()
        if not key.accepts(index.type):
            compiler.refuse(node, f"The keys are {key}, this is {index.type}.")
        found = f"try_element_at({container.sql}, {cast(index.sql, index.type, key)})"
        return Expr(found, _inside(container, 1))
    return compiler.refuse(node, f"{container.type} has no such elements.")


def _inside(container: Expr, child: int) -> DataType:
    return container.type.children[child][1].as_nullable()


def _substring(compiler: ExpressionCompiler, node: exp.Substring) -> Expr:
    return compiler.call("SUBSTRING", _given(node, "this", "start", "length"), node)


def _position(compiler: ExpressionCompiler, node: exp.StrPosition) -> Expr:
    return compiler.call("POSITION", _given(node, "substr", "this"), node)


def _overlay(compiler: ExpressionCompiler, node: exp.Overlay) -> Expr:
    return compiler.call("OVERLAY", _given(node, "this", "expression", "from_", "for_"), node)


def _given(node: exp.Expr, *names: str) -> list[exp.Expr]:
    return [node.args[name] for name in names if node.args.get(name) is not None]


FORMS: dict[type, Callable[..., Expr]] = {
    exp.Array: _array,
    exp.Bracket: _bracket,
    exp.Case: _case,
    exp.Cast: _cast,
    exp.Ceil: _rounded,
    exp.CurrentTime: lambda compiler, node: _CLOCK,
    exp.CurrentDate: lambda compiler, node: _TODAY,
    exp.CurrentTimestamp: lambda compiler, node: _NOW,
    exp.Extract: _extract,
    exp.Floor: _rounded,
    exp.HexString: _hex,
    exp.Interval: lambda compiler, node: interval_value(node),
    exp.Literal: _literal,
    exp.Overlaps: overlaps,
    exp.Overlay: _overlay,
    exp.SimilarTo: similar,
    exp.StrPosition: _position,
    exp.Substring: _substring,
    exp.Trim: _trim,
    exp.Tuple: _row,
}
CALLS: dict[str, Callable[..., Expr]] = {
    **ELSEWHERE,
    **JSON_FORMS,
    "PROCTIME": lambda compiler, node: PROCTIME,
    "ROW": _row,
    "TIMESTAMPADD": _timestamp_add,
    "TIMESTAMPDIFF": _timestamp_diff,
}
