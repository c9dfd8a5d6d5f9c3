"""One item of FROM → a relation: a node and the names that stand for its columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import INT, DataType, quote
from penstock.plan.nodes import Node, Project, Unnest
from penstock.plan.scope import Field, Scope
from penstock.plan.values import one_row
from penstock.plan.windows import is_window_call, window, window_arguments
from penstock.sql.ddl import table_name
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.plan.build import Builder, Withs
    from penstock.plan.expressions import ExpressionCompiler


# What marks an UNNEST whose elements stay as they are, also where they are rows.
WHOLE = "whole"
_ELEMENT = "__element"


@dataclass(frozen=True, slots=True)
class Relation:
    """Rows, and what a query may call their columns.

    `given` are the parts of the query that were planned by themselves, by the identity of the node.
    """

    node: Node
    scope: Scope
    given: tuple[tuple[int, Expr], ...] = ()

    def compiler(self, builder: Builder) -> ExpressionCompiler:
        """A compiler of expressions over these rows."""
        compiler = builder.expressions(self.scope)
        compiler.given.update(self.given)
        return compiler


def unsupported(node: exp.Expr, feature: str, instead: str) -> PlanError:
    """The error for a part of a query that no stage runs."""
    return PlanError("UNSUPPORTED_QUERY", span=node_span(node), feature=feature, instead=instead)


def relation(builder: Builder, source: exp.Expr, withs: Withs) -> Relation:
    """A table, a subquery, a window function, VALUES or UNNEST in FROM."""
    if isinstance(source, exp.Unnest | exp.Lateral):
        alone = one_row()
        return unnested(builder, Relation(alone, Scope(())), source, outer=False)
    if isinstance(source, exp.Subquery) and isinstance(source.this, exp.Table):
        return _parenthesised(builder, source, withs)
    if isinstance(source, exp.Subquery | exp.Values):
        node = builder.query(source if isinstance(source, exp.Values) else source.this, withs)
        return named(renamed(node, source.alias_column_names, source.alias), source.alias)
    if not isinstance(source, exp.Table):
        raise unsupported(source, f"`{source.sql(dialect='flink')}` in FROM", "")
    for clause in ("pivots", "sample", "when"):
        if source.args.get(clause):
            raise unsupported(source, f"{clause.upper()} on a table", "")
    call = source.this
    if is_window_call(call):
        arguments = window_arguments(call)
        inner = arguments["DATA"].this
        is_query = isinstance(inner, exp.Query)
        rows = builder.query(inner, withs) if is_query else builder.table(inner, withs)
        node = window(call, arguments, rows, node_span(source))
        if source.alias_column_names:
            raise unsupported(source, "A column list on a window", "Name the columns inside.")
        return named(node, source.alias or ("" if is_query else table_name(inner)))
    if isinstance(call, exp.Anonymous):
        raise _table_function(call)
    node = builder.table(source, withs)
    return named(
        renamed(node, source.alias_column_names, source.alias), source.alias or source.name
    )


def named(node: Node, alias: str) -> Relation:
    """A node whose columns go by one alias."""
    return Relation(node, Scope(((alias, node.fields),)))


def _parenthesised(builder: Builder, source: exp.Subquery, withs: Withs) -> Relation:
    inside, _ = builder.joined(source.this, [], withs, pool=[])
    if not source.alias:
        return inside
    names = source.alias_column_names
    return named(renamed(inside.node, names, source.alias), source.alias)


def _table_function(call: exp.Anonymous) -> PlanError:
    return PlanError(
        "UNSUPPORTED_FUNCTION",
        span=node_span(call),
        function=f"{call.name.upper()} as a table",
        did_you_mean="",
        instead="In FROM stand TUMBLE, HOP, CUMULATE, SESSION and UNNEST.",
    )


def unnested(
    builder: Builder,
    left: Relation,
    source: exp.Unnest | exp.Lateral,
    *,
    outer: bool,
    terms: Sequence[exp.Expr] = (),
) -> Relation:
    """`UNNEST(collection)` beside the rows it belongs to: the elements that meet all terms."""
    if isinstance(source, exp.Lateral):
        call = source.this.expressions[0] if source.this.expressions else source.this
        if isinstance(source.this, exp.Subquery):
            raise unsupported(source, "LATERAL with nothing before it", "Leave LATERAL out.")
        raise _table_function(call if isinstance(call, exp.Anonymous) else source.this)
    if len(source.expressions) != 1:
        raise unsupported(source, "UNNEST of several collections", "Write one UNNEST for each.")
    ordinality = source.args.get("offset")
    collection = builder.expressions(left.scope).compile(source.expressions[0])
    collection = _elements(collection, source, numbered=bool(ordinality))
    column = f"__u{builder.tag()}"
    fields = _element_fields(collection.type, column, source)
    names = [*source.alias_column_names]
    position = ""
    if ordinality:
        position = f"{column}p"
        fields = (
            *fields,
            Field("ORDINALITY", INT.as_nullable(nullable=False), f"({position} + 1)"),
        )
        if isinstance(ordinality, exp.Identifier):
            names.append(ordinality.name)
    if outer:
        fields = tuple(_outer_field(f, builder.language.absent) for f in fields)
    fields = _renamed_fields(fields, names, source)
    if source.meta.get(WHOLE):
        fields = tuple(replace(f, hidden=True) for f in fields)
    node = Unnest(left.node, column, collection, outer, position, (*left.node.fields, *fields))
    scope = replace(left.scope, inputs=(*left.scope.inputs, (source.alias, fields)))
    if terms:
        compiler = builder.expressions(scope)
        asked = " AND ".join(f"({compiler.condition(term).sql})" for term in terms)
        node = replace(node, collection=_met(collection, asked.replace(quote(column), _ELEMENT)))
    return Relation(node, scope)


def _met(collection: Expr, asked: str) -> Expr:
    """The elements of a collection that meet a condition, as an array."""
    sql, type_ = collection.sql, collection.type
    if type_.root == "MAP":
        sql = f"map_entries({sql})"
        type_ = DataType("ARRAY", children=(("element", DataType("ROW", children=type_.children)),))
    return Expr(f"filter({sql}, {_ELEMENT} -> {asked})", type_)


def _elements(collection: Expr, source: exp.Expr, *, numbered: bool) -> Expr:
    """What UNNEST goes through: a multiset as its elements, rows that are NULL left out."""
    sql, type_ = collection.sql, collection.type
    if type_.root == "MULTISET":
        type_ = DataType("ARRAY", children=type_.children, nullable=type_.nullable)
        copies = "e -> array_repeat(e.key, e.value)"
        return Expr(f"flatten(transform(map_entries({sql}), {copies}))", type_)
    if type_.root == "MAP" and source.meta.get(WHOLE):
        return _pairs(sql, type_)
    rows = type_.root == "ARRAY" and type_.children[0][1].root == "ROW"
    if rows and not numbered and not source.meta.get(WHOLE):
        return Expr(f"filter({sql}, e -> e IS NOT NULL)", type_)
    return collection


def _pairs(sql: str, map_: DataType) -> Expr:
    """A map as an array of rows, which are named as ClickHouse does."""
    (_, key), (_, value) = map_.children
    row = DataType("ROW", children=(("keys", key), ("values", value)), nullable=False)
    each = "e -> named_struct('keys', e.key, 'values', e.value)"
    type_ = DataType("ARRAY", children=(("element", row),), nullable=map_.nullable)
    return Expr(f"transform(map_entries({sql}), {each})", type_)


def _outer_field(field: Field, absent: Callable[[DataType], str] | None) -> Field:
    """What an element is where there is none."""
    if absent is None or field.type.nullable:
        return replace(field, type=field.type.as_nullable())
    return replace(field, sql=f"coalesce({field.sql}, {absent(field.type)})")


def _element_fields(type_: DataType, column: str, source: exp.Expr) -> tuple[Field, ...]:
    name = quote(column)
    if type_.root == "MAP":
        names = ("key", "value")
        return tuple(
            Field(n, child.as_nullable(), f"{name}.{n}")
            for n, (_, child) in zip(names, type_.children, strict=True)
        )
    if type_.root != "ARRAY":
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(source),
            problem=f"UNNEST takes an array, a map or a multiset, this is {type_}.",
            instead="",
        )
    element = type_.children[0][1]
    if element.root == "ROW" and not source.meta.get(WHOLE):
        return tuple(
            Field(n, child.as_nullable(), f"{name}.{quote(n)}") for n, child in element.children
        )
    return (Field("EXPR$0", element, name),)


def _renamed_fields(
    fields: tuple[Field, ...], names: Sequence[str], source: exp.Expr
) -> tuple[Field, ...]:
    if not names:
        return fields
    if len(names) != len(fields):
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(source),
            problem=f"UNNEST gives {len(fields)} columns, the list names {len(names)}.",
            instead="",
        )
    return tuple(replace(f, name=name) for f, name in zip(fields, names, strict=True))


def renamed(node: Node, names: Sequence[str], what: str) -> Node:
    """The same rows under the names of a column list; none given, none changed."""
    if not names:
        return node
    if len(names) != len(node.fields):
        raise PlanError(
            "INVALID_QUERY",
            problem=f"`{what}` names {len(names)} columns, its query gives {len(node.fields)}.",
            instead="",
        )
    columns = tuple((f"c{i}", Expr(f.sql, f.type)) for i, f in enumerate(node.fields))
    fields = tuple(
        replace(f, name=name, sql=quote(f"c{i}"))
        for i, (name, f) in enumerate(zip(names, node.fields, strict=True))
    )
    return Project(node, columns, fields)
