"""Columns, and elements of tuples, arrays and maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.numbers import FLOAT64, INTEGERS
from penstock.sql.clickhouse.reading import number_within
from penstock.sql.clickhouse.types import array_of, default_sql, type_name
from penstock.sql.functions.clickhouse import SCALAR
from penstock.sql.functions.clickhouse.base import EACH, integer_of
from penstock.sql.literals import text_of
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from sqlglot import exp

    from penstock.plan.expressions import ExpressionCompiler

_NUMBERS = ("nan", "inf", "infinity")
# No array has more elements.
_LONGEST = 2**31 - 1
# (root of the type, subcolumn) → the function that gives it
_SUBCOLUMNS = {
    ("ARRAY", "size0"): "length",
    ("MAP", "size0"): "length",
    ("MAP", "keys"): "mapKeys",
    ("MAP", "values"): "mapValues",
}


def column(compiler: ExpressionCompiler, node: exp.Column) -> Expr:
    """A column; `n.a` may be a column of that name, a table's column or an element of a Tuple.

    `nan` and `inf` without quotes are numbers, also where a column has such a name.
    """
    parts = [part.name for part in node.parts]
    if node.name.lower() in _NUMBERS and len(parts) == 1 and not node.this.quoted:
        return Expr(f"CAST('{node.name}' AS DOUBLE)", FLOAT64)
    scope, span = compiler.scope, node_span(node)
    for count in range(len(parts), 0, -1):
        name, rest = ".".join(parts[:count]), parts[count:]
        if scope.lookup(name):
            field = scope.find(name, span=span)
            return _elements(compiler, Expr(field.sql, field.type), rest, node)
    if len(parts) > 1 and scope.has_alias(parts[0]):
        for count in range(len(parts), 1, -1):
            name = ".".join(parts[1:count])
            if scope.lookup(name, parts[0]) or count == 2:
                field = scope.find(name, alias=parts[0], span=span)
                return _elements(compiler, Expr(field.sql, field.type), parts[count:], node)
    field = scope.find(".".join(parts), span=span)
    return Expr(field.sql, field.type)


def dot(compiler: ExpressionCompiler, node: exp.Dot) -> Expr:
    """`tuple.1`, `tuple.name`."""
    return _elements(compiler, compiler.compile(node.this), [node.expression.name], node)


def _elements(compiler: ExpressionCompiler, value: Expr, names: list[str], node: exp.Expr) -> Expr:
    for name in names:
        value = element_of(compiler, value, name, node)
    return value


def element_of(compiler: ExpressionCompiler, value: Expr, name: str, node: exp.Expr) -> Expr:
    """A field of a Tuple by its name or number, or a subcolumn."""
    found = _part(value, name)
    if found is None:
        compiler.refuse(node, f"It is {type_name(value.type)}.")
    return found


def _part(value: Expr, name: str) -> Expr | None:
    """Of an Array it is an array of what the elements have of that name."""
    type_ = value.type
    if type_.root == "ROW":
        known = dict(type_.children)
        if name.isdigit() and name not in known and 1 <= int(name) <= len(known):
            name = list(known)[int(name) - 1]
        return Expr(f"{value.sql}.{quote(name)}", known[name]) if name in known else None
    function = _SUBCOLUMNS.get((type_.root, name))
    if type_.nullable and name == "null":
        function = "isNull"
    if function:
        return SCALAR[function.upper()][-1].call([value])
    if type_.root != "ARRAY":
        return None
    inner = _part(Expr(EACH, type_.children[0][1]), name)
    if inner is None:
        return None
    return Expr(f"transform({value.sql}, {EACH} -> {inner.sql})", array_of(inner.type))


def bracket(compiler: ExpressionCompiler, node: exp.Bracket) -> Expr:
    """`array[n]` counts from 1, or from the end below 0; `map[key]`."""
    if len(node.expressions) != 1:
        compiler.refuse(node, "An element has one index or key.")
    container, index = compiler.compile(node.this), compiler.compile(node.expressions[0])
    return element_at(compiler, container, index, node)


def element_at(compiler: ExpressionCompiler, container: Expr, index: Expr, node: exp.Expr) -> Expr:
    """An element of an Array or a Map; the default of its type where there is none."""
    if container.type.root == "ROW":
        return tuple_element(compiler, container, index, node)
    if container.type.root == "ARRAY" and index.type.root in INTEGERS:
        known = integer_of(index.sql)
        is_near = known is not None and abs(known) <= _LONGEST
        # Counted from the end, the smallest Int32 would read outside of the array.
        near = index.sql if is_near else number_within(index.sql, -_LONGEST, _LONGEST)
        place = f"CAST({near} AS INT)"
        none = "raise_error('Arrays count from 1.')" if known == 0 else "NULL"
        zero = f"if({place} = 0, {none}, {place})"
        found = f"try_element_at({container.sql}, {zero})"
        type_ = container.type.children[0][1]
    elif container.type.root == "MAP":
        key, type_ = (child for _, child in container.type.children)
        found = f"try_element_at({container.sql}, {cast(index, key).sql})"
    else:
        compiler.refuse(node, f"{type_name(container.type)} has no such elements.")
    if type_.nullable:
        return Expr(found, type_)
    if index.type.nullable and type_.root not in ("ARRAY", "MAP"):
        filled = f"coalesce({found}, {default_sql(type_)})"
        return Expr(f"if({index.sql} IS NULL, NULL, {filled})", type_.as_nullable())
    return Expr(f"coalesce({found}, {default_sql(type_)})", type_)


def tuple_element(
    compiler: ExpressionCompiler, container: Expr, index: Expr, node: exp.Expr
) -> Expr:
    """`tupleElement(tuple, 'name')`, also of an Array of tuples."""
    known = integer_of(index.sql)
    name = str(known) if known is not None else text_of(index.sql)
    return element_of(compiler, container, name or "", node)
