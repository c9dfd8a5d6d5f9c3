"""Calls whose arguments are not all plain values: CAST, lambdas, comparisons by name."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError, SqlError
from penstock.model.expression import Expr
from penstock.plan.clickhouse.comparisons import compared, truth
from penstock.plan.clickhouse.invoke import invoke
from penstock.plan.clickhouse.names import element_at
from penstock.sql.clickhouse.casts import cast_explicit
from penstock.sql.clickhouse.numbers import FLOATS, TRUTH
from penstock.sql.clickhouse.type_reader import type_of
from penstock.sql.clickhouse.types import array_of, default_sql, is_ordered, type_name
from penstock.sql.functions.clickhouse import (
    AGGREGATES,
    ALIASES,
    ANY_CASE,
    FINISHED,
    REFUSED,
    TOPICS,
    WINDOWS,
)
from penstock.sql.functions.clickhouse.collections import (
    UINT32,
    element,
    same_size,
    sum_type,
)
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.types import DataType
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
    operand = compiler.compile(node.this)
    try:
        return cast_explicit(operand, type_of(text, node.this.sql(dialect="clickhouse")))
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
            test = exp.EQ(this=node.this.copy(), expression=test)
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
    known = written in REFUSED
    raise PlanError(
        "UNSUPPORTED_FUNCTION",
        span=node_span(node),
        function=written,
        did_you_mean=f" Did you mean {_LOWERED[near[0]]}?" if near and not known else "",
        instead=REFUSED.get(written, ""),
    )


def _lambda(
    compiler: ExpressionCompiler, node: exp.Anonymous, types: list[DataType]
) -> tuple[list[str], Expr]:
    """The parameters of a lambda and its body over elements of these types."""
    function = node.expressions[0]
    if not isinstance(function, exp.Lambda) or len(function.expressions) != len(types):
        compiler.refuse(node, f"{node.name} takes a lambda of as many parameters as arrays.")
    names = [f"{p.name}_{len(compiler.given)}" for p in function.expressions]
    known = {
        parameter.name: Expr(name, type_)
        for parameter, name, type_ in zip(function.expressions, names, types, strict=True)
    }
    for part in function.this.walk():
        if isinstance(part, exp.Identifier) and part.name in known:
            compiler.given[id(part)] = known[part.name]
    return names, compiler.compile(function.this)


def _arrays(compiler: ExpressionCompiler, node: exp.Anonymous, *, start: int = 1) -> list[Expr]:
    arrays = [compiler.compile(argument) for argument in node.expressions[start:]]
    if not arrays or any(array.type.root != "ARRAY" for array in arrays):
        compiler.refuse(node, f"{node.name} takes a lambda and arrays.")
    return arrays


def _mapped(compiler: ExpressionCompiler, node: exp.Anonymous) -> tuple[Expr, Expr]:
    """The arrays behind a lambda, and the results of the lambda, as arrays."""
    arrays = _arrays(compiler, node)
    names, body = _lambda(compiler, node, [element(array) for array in arrays])
    texts = ", ".join(array.sql for array in arrays)
    if len(arrays) == 1:
        sql = f"transform({texts}, {names[0]} -> {body.sql})"
    elif len(arrays) == 2:
        first, second = same_size(arrays), arrays[1].sql
        sql = f"zip_with({first}, {second}, ({names[0]}, {names[1]}) -> {body.sql})"
    else:
        compiler.refuse(node, "A lambda has one or two parameters here.")
    return arrays[0], Expr(sql, array_of(body.type))


def array_map(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arrayMap(x -> …, array)`."""
    return _mapped(compiler, node)[1]


def _tested(compiler: ExpressionCompiler, node: exp.Anonymous) -> tuple[Expr, str]:
    """One array and a lambda that is a condition."""
    arrays = _arrays(compiler, node)
    if len(arrays) != 1:
        compiler.refuse(node, f"{node.name} takes one array here.")
    names, body = _lambda(compiler, node, [element(arrays[0])])
    return arrays[0], f"{names[0]} -> {truth(body).sql}"


def array_filter(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arrayFilter(x -> …, array)`."""
    array, test = _tested(compiler, node)
    return Expr(f"filter({array.sql}, {test})", array.type)


def array_count(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arrayCount(x -> …, array)`."""
    array, test = _tested(compiler, node)
    return Expr(f"CAST(size(filter({array.sql}, {test})) AS BIGINT)", UINT32)


def array_exists(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arrayExists(x -> …, array)`."""
    array, test = _tested(compiler, node)
    return Expr(f"coalesce(exists({array.sql}, {test}), FALSE)", TRUTH)


def array_all(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arrayAll(x -> …, array)`."""
    array, test = _tested(compiler, node)
    return Expr(f"coalesce(forall({array.sql}, {test}), FALSE)", TRUTH)


def array_first(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arrayFirst(x -> …, array)`."""
    array, test = _tested(compiler, node)
    type_ = element(array)
    found = f"get(filter({array.sql}, {test}), 0)"
    return Expr(found if type_.nullable else f"coalesce({found}, {default_sql(type_)})", type_)


def array_sum(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arraySum([x -> …,] array)`."""
    if not isinstance(node.expressions[0], exp.Lambda):
        return invoke(compiler, "arraySum", node.expressions, node)
    values = _mapped(compiler, node)[1]
    type_ = sum_type(element(values))
    name = type_.spark_sql()
    step = f"(s, v) -> CAST(s + CAST(v AS {name}) AS {name})"
    return Expr(f"aggregate({values.sql}, {default_sql(type_)}, {step})", type_)


def _sorted(*, descending: bool) -> Callable[[ExpressionCompiler, exp.Anonymous], Expr]:
    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        """`arraySort([x -> …,] array)`: by the results of the lambda, equal ones as they stood."""
        if isinstance(node.expressions[0], exp.Lambda):
            array, keys = _mapped(compiler, node)
        else:
            array = keys = _arrays(compiler, node, start=0)[0]
        key = element(keys)
        if not is_ordered(key):
            compiler.refuse(node, f"{type_name(key)} has another order in Spark.")
        # NULL and NaN come last, whichever way the rest goes.
        last = "k IS NULL OR isnan(k)" if key.root in FLOATS else "k IS NULL"
        end, place = ("0, 1", "- i") if descending else ("1, 0", "i")
        rank = f"named_struct('l', if({last}, {end}), 'k', k, 'i', {place})"
        ranked = f"transform({keys.sql}, (k, i) -> {rank})"
        order = f"sort_array({ranked}, {'FALSE' if descending else 'TRUE'})"
        return Expr(f"transform({order}, r -> get({array.sql}, abs(r.i)))", array.type)

    return build


def _comparison(name: str) -> Callable[[ExpressionCompiler, exp.Anonymous], Expr]:
    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        if len(node.expressions) != 2:
            compiler.refuse(node, f"{name} takes two values.")
        left, right = (compiler.compile(argument) for argument in node.expressions)
        return compared(compiler, _COMPARISONS[name], left, right, node)

    return build


def _element(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arrayElement(array, n)` and `tupleElement(tuple, 'name')`."""
    if len(node.expressions) != 2:
        compiler.refuse(node, f"{node.name} takes two arguments.")
    container, index = (compiler.compile(argument) for argument in node.expressions)
    return element_at(compiler, container, index, node)


CALLS: dict[str, Callable[[ExpressionCompiler, exp.Anonymous], Expr]] = {
    **{name: _comparison(name) for name in _COMPARISONS},
    "arrayAll": array_all,
    "arrayCount": array_count,
    "arrayElement": _element,
    "arrayExists": array_exists,
    "arrayFilter": array_filter,
    "arrayFirst": array_first,
    "arrayMap": array_map,
    "arrayReverseSort": _sorted(descending=True),
    "arraySort": _sorted(descending=False),
    "arraySum": array_sum,
    "tupleElement": _element,
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
