"""Calls with a lambda: `arrayMap(x -> …, array)` and its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.plan.clickhouse.comparisons import truth
from penstock.plan.clickhouse.invoke import invoke
from penstock.sql.clickhouse.numbers import FLOATS, TRUTH, UINT32
from penstock.sql.clickhouse.text import enum_number
from penstock.sql.clickhouse.types import array_of, default_sql, is_ordered, type_name
from penstock.sql.functions.clickhouse import SCALAR
from penstock.sql.functions.clickhouse.base import EACH, PLACE
from penstock.sql.functions.clickhouse.collections import element, same_size

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.types import DataType
    from penstock.plan.expressions import ExpressionCompiler


def bound(
    compiler: ExpressionCompiler, node: exp.Anonymous, types: Sequence[DataType]
) -> tuple[list[str], Expr]:
    """The parameters of a lambda and its body over elements of these types."""
    depth = len(compiler.given)
    names = [f"{EACH}_{depth}_{at}" for at in range(len(node.expressions[0].expressions))]
    given = [Expr(name, type_) for name, type_ in zip(names, types, strict=False)]
    return names, _body(compiler, node, given, len(types))


def _body(
    compiler: ExpressionCompiler, node: exp.Anonymous, given: Sequence[Expr], count: int
) -> Expr:
    """What a lambda makes of these values of its parameters."""
    function = node.expressions[0]
    if not isinstance(function, exp.Lambda) or len(function.expressions) != count:
        compiler.refuse(node, f"{node.name} takes a lambda of as many parameters as arrays.")
    known = {p.name: value for p, value in zip(function.expressions, given, strict=True)}
    for part in function.this.walk():
        if isinstance(part, exp.Identifier) and part.name in known:
            compiler.given[id(part)] = known[part.name]
    return compiler.compile(function.this)


def _placed(
    compiler: ExpressionCompiler, node: exp.Anonymous, arrays: Sequence[Expr]
) -> tuple[str, Expr]:
    """The parameters of one lambda over an array and its places, and the body over all arrays."""
    depth = len(compiler.given)
    each, place = f"{EACH}_{depth}", f"{PLACE}_{depth}"
    others = (Expr(f"get({array.sql}, {place})", element(array)) for array in arrays[1:])
    body = _body(compiler, node, [Expr(each, element(arrays[0])), *others], len(arrays))
    return f"({each}, {place})", body


def _arrays(compiler: ExpressionCompiler, node: exp.Anonymous, *, start: int = 1) -> list[Expr]:
    arrays = [compiler.compile(argument) for argument in node.expressions[start:]]
    if not arrays or any(array.type.root != "ARRAY" for array in arrays):
        compiler.refuse(node, f"{node.name} takes a lambda and arrays.")
    return arrays


def _mapped(compiler: ExpressionCompiler, node: exp.Anonymous) -> tuple[Expr, Expr]:
    """The arrays behind a lambda, and the results of the lambda, as arrays."""
    arrays = _arrays(compiler, node)
    names, body = _placed(compiler, node, arrays)
    if len(arrays) == 1:
        names = names.partition(",")[0].removeprefix("(")
    sql = f"transform({same_size(arrays)}, {names} -> {body.sql})"
    return arrays[0], Expr(sql, array_of(body.type))


def array_map(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arrayMap(x -> …, array)`."""
    return _mapped(compiler, node)[1]


def _tested(compiler: ExpressionCompiler, node: exp.Anonymous) -> tuple[Expr, str]:
    """The first array, and a lambda of its elements and their places that is a condition."""
    arrays = _arrays(compiler, node)
    names, body = _placed(compiler, node, arrays)
    if len(arrays) == 1:
        names = names.partition(",")[0].removeprefix("(")
    return Expr(same_size(arrays), arrays[0].type), f"{names} -> {truth(body).sql}"


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
    results = f"transform({array.sql}, {test})"
    return Expr(f"coalesce(exists({results}, x -> x), FALSE)", TRUTH)


def array_all(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arrayAll(x -> …, array)`."""
    array, test = _tested(compiler, node)
    results = f"transform({array.sql}, {test})"
    return Expr(f"coalesce(forall({results}, x -> x), FALSE)", TRUTH)


def _chosen(
    place: int, *, or_null: bool = False
) -> Callable[[ExpressionCompiler, exp.Anonymous], Expr]:
    """`arrayFirst(x -> …, array)` and `arrayLast`: the element, or the default of its type."""

    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        array, test = _tested(compiler, node)
        type_ = element(array)
        found = f"try_element_at(filter({array.sql}, {test}), {place})"
        if or_null and type_.children:
            compiler.refuse(node, f"{type_name(type_)} cannot be Nullable.")
        if type_.nullable or or_null:
            return Expr(found, type_.as_nullable())
        return Expr(f"coalesce({found}, {default_sql(type_)})", type_)

    return build


def _place(pick: str) -> Callable[[ExpressionCompiler, exp.Anonymous], Expr]:
    """`arrayFirstIndex(x -> …, array)` and `arrayLastIndex`: from 1, 0 if there is none."""

    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        array, test = _tested(compiler, node)
        places = f"transform({array.sql}, {test})"
        kept = f"filter(transform({places}, (x, i) -> if(x, i + 1, 0)), x -> x > 0)"
        return Expr(f"CAST(coalesce({pick}({kept}), 0) AS BIGINT)", UINT32)

    return build


def _of_results(name: str) -> Callable[[ExpressionCompiler, exp.Anonymous], Expr]:
    """`arraySum([x -> …,] array)` and its kind: the function over the results of the lambda."""

    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        if not isinstance(node.expressions[0], exp.Lambda):
            return invoke(compiler, name, node.expressions, node)
        values = _mapped(compiler, node)[1]
        for signature in SCALAR[name.upper()]:
            if signature.matches([values]) and (found := signature.call([values])):
                return found
        return compiler.refuse(node, f"{name} takes no {type_name(values.type)}.")

    return build


def _sorted(*, descending: bool) -> Callable[[ExpressionCompiler, exp.Anonymous], Expr]:
    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        """`arraySort([x -> …,] array)`: by the results of the lambda, equal ones as they stood."""
        if isinstance(node.expressions[0], exp.Lambda):
            array, keys = _mapped(compiler, node)
        else:
            array = keys = _arrays(compiler, node, start=0)[0]
        key = element(keys)
        if not is_ordered(key) and not key.labels:
            compiler.refuse(node, f"{type_name(key)} has another order in Spark.")
        # NULL and NaN come last, whichever way the rest goes.
        last = "k IS NULL OR isnan(k)" if key.root in FLOATS else "k IS NULL"
        end, place = ("0, 1", "- i") if descending else ("1, 0", "i")
        own = enum_number(Expr("k", key)) if key.labels else "k"
        rank = f"named_struct('l', if({last}, {end}), 'k', {own}, 'i', {place})"
        ranked = f"transform({keys.sql}, (k, i) -> {rank})"
        order = f"sort_array({ranked}, {'FALSE' if descending else 'TRUE'})"
        return Expr(f"transform({order}, {EACH} -> get({array.sql}, abs({EACH}.i)))", array.type)

    return build


LAMBDAS: dict[str, Callable[[ExpressionCompiler, exp.Anonymous], Expr]] = {
    "arrayAll": array_all,
    "arrayCount": array_count,
    "arrayExists": array_exists,
    "arrayFilter": array_filter,
    "arrayFirst": _chosen(1),
    "arrayFirstIndex": _place("array_min"),
    "arrayFirstOrNull": _chosen(1, or_null=True),
    "arrayLast": _chosen(-1),
    "arrayLastIndex": _place("array_max"),
    "arrayLastOrNull": _chosen(-1, or_null=True),
    "arrayMap": array_map,
    "arrayReverseSort": _sorted(descending=True),
    "arraySort": _sorted(descending=False),
    **{
        name: _of_results(name)
        for name in ("arrayAvg", "arrayCumSum", "arrayMax", "arrayMin", "arraySum")
    },
}
