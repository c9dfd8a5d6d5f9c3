"""ORDER BY, LIMIT, OFFSET and FETCH → `Sort`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.plan.nodes import Node, Order, Project, Sort
from penstock.plan.scope import Field, Scope
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.build import Builder
    from penstock.plan.expressions import ExpressionCompiler


def sorted_rows(
    builder: Builder,
    query: exp.Expr,
    node: Node,
    below: ExpressionCompiler | None = None,
) -> Node:
    """The rows in the order a query asks for; `below` knows columns that SELECT left out."""
    order = query.args.get("order")
    limit, offset = row_count(query.args.get("limit")), row_count(query.args.get("offset"))
    if order is None and limit is None and offset is None:
        return node
    terms: list[Order] = []
    extra: list[tuple[str, Expr]] = []
    above = builder.expressions(Scope((("", node.fields),)))
    for part in order.expressions if order else []:
        expr = _term(_with_aliases(part.this, query), node, above, below, extra)
        if builder.language.order_key:
            expr = builder.language.order_key(expr)
        nulls_first = bool(part.args.get("nulls_first"))
        terms.append(Order(expr, bool(part.args.get("desc")), nulls_first))
    if not extra:
        return Sort(node, tuple(terms), limit, offset or 0, node.fields)
    assert isinstance(node, Project)  # noqa: S101 — only SELECT leaves columns out
    wide = Project(node.input, (*node.columns, *extra), node.fields)
    ordered = Sort(wide, tuple(terms), limit, offset or 0, node.fields)
    kept = tuple((name, Expr(quote(name), expr.type)) for name, expr in node.columns)
    return Project(ordered, kept, node.fields)


def _term(
    term: exp.Expr,
    node: Node,
    above: ExpressionCompiler,
    below: ExpressionCompiler | None,
    extra: list[tuple[str, Expr]],
) -> Expr:
    if isinstance(term, exp.Literal) and not term.is_string:
        return _position(term, node.fields)
    if isinstance(term, exp.Column) and not term.table and above.scope.lookup(term.name):
        return above.compile(term)
    if below is None:
        return above.compile(term)
    name = f"__sort{len(extra)}"
    compiled = below.compile(term)
    extra.append((name, compiled))
    return Expr(quote(name), compiled.type)


def _with_aliases(term: exp.Expr, query: exp.Expr) -> exp.Expr:
    """An expression of ORDER BY in which the names of SELECT stand for what they name."""
    if isinstance(term, exp.Column | exp.Literal) or not isinstance(query, exp.Select):
        return term
    named = {item.alias: item.this for item in query.expressions if isinstance(item, exp.Alias)}
    used = [c for c in term.find_all(exp.Column) if not c.table and c.name in named]
    if not used:
        return term

    def meant(part: exp.Expr) -> exp.Expr:
        alias = isinstance(part, exp.Column) and not part.table and part.name in named
        return exp.Paren(this=named[part.name].copy()) if alias else part

    return term.copy().transform(meant)


def _position(term: exp.Literal, fields: tuple[Field, ...]) -> Expr:
    number = int(term.this) if term.this.isdigit() else 0
    if not 1 <= number <= len(fields):
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(term),
            problem=f"ORDER BY {term.this} names no column: SELECT has {len(fields)}.",
            instead="",
        )
    return Expr(fields[number - 1].sql, fields[number - 1].type)


def row_count(node: exp.Expr | None) -> int | None:
    """The number of LIMIT, OFFSET or FETCH; None if there is none."""
    if node is None:
        return None
    value = node.args.get("count") if isinstance(node, exp.Fetch) else node.expression
    if value is None and isinstance(node, exp.Fetch):
        return 1
    if not (isinstance(value, exp.Literal) and not value.is_string and value.this.isdigit()):
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(node),
            problem="LIMIT, OFFSET and FETCH take a whole number.",
            instead="",
        )
    return int(value.this)
