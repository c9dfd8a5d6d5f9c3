"""Calls with a lambda that go through an array step by step, or through a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.plan.clickhouse.comparisons import truth
from penstock.plan.clickhouse.lambdas import bound
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.numbers import TRUTH
from penstock.sql.clickhouse.types import array_of, is_ordered, type_name
from penstock.sql.functions.clickhouse.base import EACH, PLACE
from penstock.sql.functions.clickhouse.collections import element
from penstock.sql.functions.clickhouse.maps import map_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.expressions import ExpressionCompiler

    Call = Callable[[ExpressionCompiler, exp.Anonymous], Expr]

# What arrayFill has made so far: no column of the user has such a name.
_DONE = "penstock_done"


def _arguments(compiler: ExpressionCompiler, node: exp.Anonymous, *roots: str) -> list[Expr]:
    """What stands behind the lambda; `roots` are its types, empty for any."""
    given = node.expressions
    if len(given) != len(roots) + 1 or not isinstance(given[0], exp.Lambda):
        compiler.refuse(node, f"{node.name} takes a lambda and {' and '.join(roots)}.")
    found = [compiler.compile(one) for one in given[1:]]
    if any(
        root != "value" and one.type.root != root for one, root in zip(found, roots, strict=True)
    ):
        compiler.refuse(node, f"{node.name} takes a lambda and {' and '.join(roots)}.")
    return found


def array_fold(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arrayFold((total, x) -> …, array, start)`."""
    array, start = _arguments(compiler, node, "ARRAY", "value")
    names, body = bound(compiler, node, [start.type, element(array)])
    if body.type != start.type:
        compiler.refuse(
            node, f"The lambda gives {type_name(body.type)}, its start is {type_name(start.type)}."
        )
    step = f"({', '.join(names)}) -> CAST({body.sql} AS {start.type.spark_sql()})"
    first = f"CAST({start.sql} AS {start.type.spark_sql()})"
    return Expr(f"aggregate({array.sql}, {first}, {step})", start.type)


def _filled(*, reverse: bool) -> Call:
    """`arrayFill`: what fails the test is as its neighbour, which the first one has not."""

    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        (array,) = _arguments(compiler, node, "ARRAY")
        names, body = bound(compiler, node, [element(array)])
        spark = array.type.spark_sql()
        own = f"reverse({array.sql})" if reverse else array.sql
        kept = f"size({_DONE}) = 0 OR {truth(body).sql}"
        step = f"concat({_DONE}, array(if({kept}, {names[0]}, element_at({_DONE}, -1))))"
        start = f"CAST(array() AS {spark})"
        found = f"aggregate({own}, {start}, ({_DONE}, {names[0]}) -> {step})"
        return Expr(f"reverse({found})" if reverse else found, array.type)

    return build


def _split(*, behind: bool) -> Call:
    """`arraySplit`: cut before, or behind, each element that meets the test."""

    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        (array,) = _arguments(compiler, node, "ARRAY")
        names, body = bound(compiler, node, [element(array)])
        tests = f"transform({array.sql}, {names[0]} -> coalesce({truth(body).sql}, FALSE))"
        cut = f"{EACH} = 0 OR get({tests}, {EACH}{' - 1' if behind else ''})"
        starts = f"filter(sequence(0, size({array.sql}) - 1), {EACH} -> {cut})"
        end = f"coalesce(get({starts}, {PLACE} + 1), size({array.sql}))"
        part = f"slice({array.sql}, {EACH} + 1, {end} - {EACH})"
        parts = f"transform({starts}, ({EACH}, {PLACE}) -> {part})"
        type_ = array_of(array.type)
        none = f"CAST(array() AS {type_.spark_sql()})"
        return Expr(f"if(size({array.sql}) = 0, {none}, {parts})", type_)

    return build


def _over_map(template: str, *, is_test: bool) -> Call:
    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        (mapping,) = _arguments(compiler, node, "MAP")
        names, body = bound(compiler, node, [child for _, child in mapping.type.children])
        each = f"({', '.join(names)}) -> {truth(body).sql}"
        sql = template.format(mapping.sql, each)
        return Expr(sql, TRUTH if is_test else mapping.type)

    return build


def map_apply(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`mapApply((k, v) -> (k, v + 1), map)`."""
    (mapping,) = _arguments(compiler, node, "MAP")
    names, body = bound(compiler, node, [child for _, child in mapping.type.children])
    if body.type.root != "ROW" or len(body.type.children) != 2:
        compiler.refuse(node, "The lambda gives a Tuple of a key and a value.")
    lists = f"map_keys({mapping.sql}), map_values({mapping.sql})"
    pairs = f"zip_with({lists}, ({', '.join(names)}) -> {body.sql})"
    (_, key), (_, value) = body.type.children
    return Expr(f"map_from_entries({pairs})", map_of(key, value))


def _sorted(*, descending: bool) -> Call:
    """`mapSort([(k, v) -> …,] map)`: by its keys, or by what the lambda gives."""

    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        by = isinstance(node.expressions[0], exp.Lambda)
        mapping = (
            _arguments(compiler, node, "MAP")[0] if by else compiler.compile(node.expressions[0])
        )
        if mapping.type.root != "MAP":
            compiler.refuse(node, f"{node.name} takes a map.")
        types = [child for _, child in mapping.type.children]
        names, key = bound(compiler, node, types) if by else (["k", "v"], Expr("k", types[0]))
        if not is_ordered(key.type):
            compiler.refuse(node, f"{type_name(key.type)} has another order in Spark.")
        lists = f"map_keys({mapping.sql}), map_values({mapping.sql})"
        row = f"named_struct('o', {key.sql}, 'k', {names[0]}, 'v', {names[1]})"
        ranked = f"zip_with({lists}, ({', '.join(names)}) -> {row})"
        first, last = ("1", "-1") if descending else ("-1", "1")
        order = f"CASE WHEN a.o < b.o THEN {first} WHEN a.o > b.o THEN {last} ELSE 0 END"
        entries = f"transform(array_sort({ranked}, (a, b) -> {order}), e -> struct(e.k, e.v))"
        return Expr(f"map_from_entries({entries})", mapping.type)

    return build


def element_or_null(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`arrayElementOrNull(array, place)`."""
    if len(node.expressions) != 2:
        compiler.refuse(node, f"{node.name} takes two arguments.")
    array, place = (compiler.compile(one) for one in node.expressions)
    if array.type.root != "ARRAY" or element(array).children:
        compiler.refuse(node, "It takes an array whose elements can be NULL.")
    at = f"CAST({cast(place, place.type).sql} AS INT)"
    found = f"try_element_at({array.sql}, if({at} = 0, NULL, {at}))"
    return Expr(found, element(array).as_nullable())


FOLDS: dict[str, Call] = {
    "arrayElementOrNull": element_or_null,
    "arrayFill": _filled(reverse=False),
    "arrayFold": array_fold,
    "arrayReverseFill": _filled(reverse=True),
    "arrayReverseSplit": _split(behind=True),
    "arraySplit": _split(behind=False),
    "mapAll": _over_map("forall(map_values(transform_values({0}, {1})), x -> x)", is_test=True),
    "mapApply": map_apply,
    "mapExists": _over_map("exists(map_values(transform_values({0}, {1})), x -> x)", is_test=True),
    "mapFilter": _over_map("map_filter({0}, {1})", is_test=False),
    "mapReverseSort": _sorted(descending=True),
    "mapSort": _sorted(descending=False),
}
