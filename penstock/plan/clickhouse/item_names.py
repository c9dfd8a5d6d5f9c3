"""What ClickHouse calls a column of a result that was given no name: `plus(a, 1)` for `a + 1`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.sql.clickhouse.dialect import PARAMETRIC
from penstock.sql.clickhouse.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

# operator → its function
_BINARY: dict[type, str] = {
    exp.Add: "plus",
    exp.Sub: "minus",
    exp.Mul: "multiply",
    exp.Div: "divide",
    exp.Mod: "modulo",
    exp.IntDiv: "intDiv",
    exp.EQ: "equals",
    exp.NEQ: "notEquals",
    exp.LT: "less",
    exp.GT: "greater",
    exp.LTE: "lessOrEquals",
    exp.GTE: "greaterOrEquals",
}
# operator that may be chained → its function
_CHAINS: dict[type, str] = {exp.And: "and", exp.Or: "or", exp.DPipe: "concat"}
_UNITS = {"YEAR": "toYear", "QUARTER": "toQuarter", "MONTH": "toMonth", "DAY": "toDayOfMonth"}
_UNITS |= {"HOUR": "toHour", "MINUTE": "toMinute", "SECOND": "toSecond"}
_MOST_DIGITS = 1e21
_LISTS = {"array": exp.Array, "tuple": exp.Tuple}
_TRIMS = {"LEADING": "trimLeft", "TRAILING": "trimRight"}


def item_name(item: exp.Expr) -> str:
    """The name; of what has a form of its own, its text."""
    kind = type(item)
    if kind in _BINARY:
        return _call(_BINARY[kind], item.this, item.expression)
    if kind in _CHAINS:
        return _call(_CHAINS[kind], *_chain(item, kind))
    form = _FORMS.get(kind)
    return form(item) if form else item.sql(dialect="clickhouse")


def _call(name: str, *arguments: exp.Expr) -> str:
    return f"{name}({', '.join(item_name(one) for one in arguments)})"


def _chain(item: exp.Expr, kind: type) -> list[exp.Expr]:
    """The operands, those of the same operator to the left taken apart."""
    first: exp.Expr = item.this
    left = _chain(first, kind) if type(first) is kind else [first]
    return [*left, item.expression]


def _column(item: exp.Expr) -> str:
    """An element of a Tuple by its number is a call."""
    parts = item.parts if isinstance(item, exp.Column) else []
    *before, last = (part.name for part in parts)
    whole = ".".join(before)
    return (
        f"tupleElement({whole}, {last})" if before and last.isdigit() else ".".join([*before, last])
    )


def _dot(item: exp.Expr) -> str:
    name = item.expression.name
    return f"tupleElement({item_name(item.this)}, {name if name.isdigit() else quoted(name)})"


def _function(item: exp.Expr) -> str:
    name, given = item.name, list(item.expressions)
    if given and isinstance(given[0], exp.Distinct):
        return _call(f"{name}Distinct", *given[0].expressions)
    if len(given) == 1 and isinstance(given[0], exp.Star):
        given = []
    if name in _LISTS and given:
        return _list(_LISTS[name](expressions=given))
    if not name.endswith(PARAMETRIC):
        return _call(name, *given)
    # Its arguments come first, then as many parameters as were counted.
    count = len(given) - item.meta.get(PARAMETRIC, 0)
    parameters = ", ".join(item_name(one) for one in given[count:])
    return _call(f"{name.removesuffix(PARAMETRIC)}({parameters})", *given[:count])


def _filter(item: exp.Expr) -> str:
    call = item.this
    test = item.expression.this
    return _call(f"{call.name}If", *call.expressions, test)


def _literal(item: exp.Expr) -> str:
    if item.is_string:
        return quoted(item.name)
    text = item.name.replace("_", "")
    if text.isdigit():
        return text
    return _float(float(text))


def _float(value: float) -> str:
    """A Float without digits behind the point keeps the point, unless it has an exponent."""
    if value.is_integer() and abs(value) < _MOST_DIGITS:
        return f"{int(value)}."
    return re.sub(r"e([+-]?)0*(\d)", lambda m: f"e{m[1].strip('+')}{m[2]}", repr(value))


def _list(item: exp.Expr) -> str:
    first, last = "[]" if isinstance(item, exp.Array) else "()"
    return f"{first}{', '.join(item_name(one) for one in item.expressions)}{last}"


def _negative(item: exp.Expr) -> str:
    inner = item.this
    if isinstance(inner, exp.Literal) and not inner.is_string:
        return f"-{inner.this}"
    return _call("negate", inner)


def _not(item: exp.Expr) -> str:
    inner = item.this
    if isinstance(inner, exp.Between):
        low = _call("less", inner.this, inner.args["low"])
        return f"or({low}, {_call('greater', inner.this, inner.args['high'])})"
    if isinstance(inner, exp.Is):
        return _call("isNotNull", inner.this)
    for kind, name in ((exp.In, "notIn"), (exp.Like, "notLike"), (exp.ILike, "notILike")):
        if isinstance(inner, kind):
            return f"{name}{item_name(inner)[len(name) - 3 :]}"
    return _call("not", inner)


def _like(item: exp.Expr) -> str:
    name = "ilike" if isinstance(item, exp.ILike) else "like"
    negated = {"like": "notLike", "ilike": "notILike"}[name]
    return _call(negated if item.args.get("negate") else name, item.this, item.expression)


def _in(item: exp.Expr) -> str:
    given = item.expressions
    if item.args.get("query") or not given:
        return item.sql(dialect="clickhouse")
    values = item_name(given[0]) if len(given) == 1 else item_name(exp.Tuple(expressions=given))
    return f"in({item_name(item.this)}, {values})"


def _between(item: exp.Expr) -> str:
    low = _call("greaterOrEquals", item.this, item.args["low"])
    return f"and({low}, {_call('lessOrEquals', item.this, item.args['high'])})"


def _cast(item: exp.Expr) -> str:
    text = item.args["to"]
    name = text.name if isinstance(item, exp.CastToStrType) else text.sql(dialect="clickhouse")
    return f"CAST({item_name(item.this)}, {quoted(name)})"


def _case(item: exp.Expr) -> str:
    parts = [one for branch in item.args["ifs"] for one in (branch.this, branch.args["true"])]
    other = item.args.get("default") or exp.Null()
    if item.this is not None:
        return _call("caseWithExpression", item.this, *parts, other)
    return _call("multiIf", *parts, other)


def _interval(item: exp.Expr) -> str:
    amount, unit = item.this, item.args["unit"].name.capitalize().removesuffix("s")
    text = amount.name if isinstance(amount, exp.Literal) else item_name(amount)
    return f"toInterval{unit}({text})"


def _trim(item: exp.Expr) -> str:
    name = _TRIMS.get((item.args.get("position") or "").upper(), "trimBoth")
    return _call(name, item.this, *([item.expression] if item.expression else []))


def _extract(item: exp.Expr) -> str:
    return _call(_UNITS.get(item.this.name.upper(), "extract"), item.expression)


def _substring(item: exp.Expr) -> str:
    given = (item.args.get(name) for name in ("this", "start", "length"))
    return _call("substring", *(one for one in given if one is not None))


def _lambda(item: exp.Expr) -> str:
    names = ", ".join(one.name for one in item.expressions)
    return f"lambda(tuple({names}), {item_name(item.this)})"


_FORMS: dict[type, Callable[[exp.Expr], str]] = {
    exp.Alias: lambda item: item.alias,
    exp.Anonymous: _function,
    exp.Array: _list,
    exp.Between: _between,
    exp.Boolean: lambda item: "true" if item.this else "false",
    exp.Bracket: lambda item: _call("arrayElement", item.this, *item.expressions),
    exp.Case: _case,
    exp.Cast: _cast,
    exp.CastToStrType: _cast,
    exp.Column: _column,
    exp.Dot: _dot,
    exp.Extract: _extract,
    exp.HexString: lambda item: str(int(item.name, 16)),
    exp.If: lambda item: _call("if", item.this, item.args["true"], item.args["false"]),
    exp.Filter: _filter,
    exp.ILike: _like,
    exp.In: _in,
    exp.Interval: _interval,
    exp.Is: lambda item: _call("isNull", item.this),
    exp.Lambda: _lambda,
    exp.Like: _like,
    exp.Literal: _literal,
    exp.Neg: _negative,
    exp.Not: _not,
    exp.Null: lambda item: "NULL",
    exp.Paren: lambda item: item_name(item.this),
    exp.StrPosition: lambda item: _call("position", item.this, item.args["substr"]),
    exp.Substring: _substring,
    exp.Trim: _trim,
    exp.Tuple: _list,
}
