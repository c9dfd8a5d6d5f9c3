"""Calls whose arguments are not all plain values: CAST, comparisons by name, elements."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError, SqlError
from penstock.plan.clickhouse.comparisons import compared
from penstock.plan.clickhouse.folds import FOLDS
from penstock.plan.clickhouse.invoke import invoke
from penstock.plan.clickhouse.lambdas import LAMBDAS
from penstock.plan.clickhouse.literals import as_written
from penstock.plan.clickhouse.moments import MOMENTS
from penstock.plan.clickhouse.names import element_at, tuple_element
from penstock.sql.clickhouse.casts import cast_explicit
from penstock.sql.clickhouse.dialect import COLONS, PARAMETRIC
from penstock.sql.clickhouse.type_reader import type_of
from penstock.sql.functions.clickhouse import (
    AGGREGATES,
    ALIASES,
    ANY_CASE,
    FINISHED,
    REFUSED,
    TOPICS,
    WINDOWS,
)
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.expression import Expr
    from penstock.plan.expressions import ExpressionCompiler

_COMPARISONS = {
    "equals": "=",
    "notEquals": "<>",
    "less": "<",
    "greater": ">",
    "lessOrEquals": "<=",
    "greaterOrEquals": ">=",
}


def cast_node(compiler: ExpressionCompiler, node: exp.Cast) -> Expr:
    """`CAST(x AS T)` and `x::T`."""
    return _cast(compiler, node, node.to.sql(dialect="clickhouse"))


def cast_text(compiler: ExpressionCompiler, node: exp.CastToStrType) -> Expr:
    """`CAST(x, 'T')`."""
    return _cast(compiler, node, node.args["to"].name)


def _cast(compiler: ExpressionCompiler, node: exp.Expr, text: str) -> Expr:
    try:
        type_ = type_of(text, node.this.sql(dialect="clickhouse"))
        given = as_written(node.this, type_) if node.meta.get(COLONS) else node.this
        return cast_explicit(compiler.compile(given), type_)
    except (PlanError, SqlError) as error:
        error.span = node_span(node)
        raise


def ternary(compiler: ExpressionCompiler, node: exp.If) -> Expr:
    """`a ? b : c`."""
    return invoke(compiler, "if", [node.this, node.args["true"], node.args["false"]], node)


def case(compiler: ExpressionCompiler, node: exp.Case) -> Expr:
    """CASE is multiIf."""
    arguments: list[exp.Expr] = []
    for branch in node.args["ifs"]:
        test = branch.this
        if node.this is not None:
            test = exp.EQ(this=node.this, expression=test)
        arguments += [test, branch.args["true"]]
    arguments.append(node.args.get("default") or exp.Null())
    return invoke(compiler, "multiIf", arguments, node)


def call(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """A function by its own name."""
    name = own_name(node)
    form = CALLS.get(name)
    return form(compiler, node) if form else invoke(compiler, name, node.expressions, node)


def own_name(node: exp.Anonymous) -> str:
    """The name of the function that is called, in its own spelling."""
    written = node.name
    if written in _KNOWN:
        return written
    if written in ALIASES:
        return ALIASES[written]
    lowered = written.lower()
    if lowered in _ANY_CASE:
        return _ANY_CASE[lowered]
    near = difflib.get_close_matches(lowered, _LOWERED, n=1)
    # One with parameters is refused for the same reason.
    instead = REFUSED.get(written.removesuffix(PARAMETRIC), "")
    raise PlanError(
        "UNSUPPORTED_FUNCTION",
        span=node_span(node),
        function=written,
        did_you_mean=f" Did you mean {_LOWERED[near[0]]}?" if near and not instead else "",
        instead=instead,
    )


def _comparison(name: str) -> Callable[[ExpressionCompiler, exp.Anonymous], Expr]:
    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        if len(node.expressions) != 2:
            compiler.refuse(node, f"{name} takes two values.")
        left, right = (compiler.compile(argument) for argument in node.expressions)
        return compared(compiler, _COMPARISONS[name], left, right, node)

    return build


def _element(
    element: Callable[[ExpressionCompiler, Expr, Expr, exp.Expr], Expr],
) -> Callable[[ExpressionCompiler, exp.Anonymous], Expr]:
    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        if len(node.expressions) != 2:
            compiler.refuse(node, f"{node.name} takes two arguments.")
        container, index = (compiler.compile(argument) for argument in node.expressions)
        return element(compiler, container, index, node)

    return build


def _outside(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """A query's own calls are columns before they come here."""
    return compiler.refuse(node, "It stands in SELECT, WHERE, GROUP BY and their like.")


CALLS: dict[str, Callable[[ExpressionCompiler, exp.Anonymous], Expr]] = {
    **{name: _comparison(name) for name in _COMPARISONS},
    **FOLDS,
    **LAMBDAS,
    **MOMENTS,
    "arrayJoin": _outside,
    "arrayElement": _element(element_at),
    "tupleElement": _element(tuple_element),
}
_KNOWN = {
    *(name for topic in TOPICS.values() for name in topic),
    *AGGREGATES,
    *CALLS,
    *FINISHED,
    *WINDOWS,
}
_LOWERED = {name.lower(): name for name in _KNOWN}
_ANY_CASE = {name.lower(): ALIASES.get(name, name) for name in ANY_CASE}
