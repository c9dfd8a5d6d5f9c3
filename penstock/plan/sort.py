"""ORDER BY, LIMIT, OFFSET and FETCH → `Sort`; LIMIT BY and WITH TIES → `Rank`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import INT, quote
from penstock.plan.fill import filled_rows
from penstock.plan.nodes import Node, Order, Project, Rank, Sort
from penstock.plan.relations import unsupported
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
    order, by = query.args.get("order"), query.args.get("limit_by")
    limit, offset = row_count(query.args.get("limit")), row_count(query.args.get("offset"))
    if order is None and by is None and limit is None and offset is None:
        return node
    extra: list[tuple[str, Expr]] = []
    above = builder.expressions(Scope((("", node.fields),)))

    def term(part: exp.Expr) -> Expr:
        return _term(_with_aliases(part, query), node, above, below, extra)

    parts = order.expressions if order else []
    sorted_by = [term(part.this) for part in parts]
    terms = [_order(part, expr, builder) for part, expr in zip(parts, sorted_by, strict=True)]
    keys = tuple(term(part) for part in by.expressions) if by else ()
    wide = node
    if extra:
        assert isinstance(node, Project)  # noqa: S101 — only SELECT leaves columns out
        wide = Project(node.input, (*node.columns, *extra), node.fields)
    if any(part.args.get("with_fill") for part in parts):
        wide = _with_fill(builder, query, wide, sorted_by)
    ordered = wide
    if by is not None:
        first = (whole(by.args.get("offset")) or 0) + 1
        ordered = ranked(wide, "row_number()", keys, terms, first=first, count=whole(by.this) or 0)
    if ties := _has_ties(query, terms):
        count = (offset or 0) + (limit or 0)
        ordered, limit = ranked(ordered, "rank()", (), terms, first=1, count=count), None
    if terms or limit is not None or offset:
        ordered = Sort(ordered, tuple(terms), limit, offset or 0, node.fields, node_span(order))
    return _kept(ordered, node) if extra or by or ties else ordered


def _with_fill(builder: Builder, query: exp.Expr, node: Node, terms: list[Expr]) -> Node:
    parts = query.args["order"].expressions
    marked = [part for part in parts if part.args.get("with_fill")]
    if len(marked) > 1 or query.args.get("limit_by") or not isinstance(node, Project):
        what = "WITH FILL of several columns, beside DISTINCT, UNION or LIMIT BY"
        raise unsupported(marked[-1], what, "Put the rest into a subquery.")
    return filled_rows(builder, node, parts, terms)


def _order(part: exp.Ordered, expr: Expr, builder: Builder) -> Order:
    if builder.language.order_key:
        expr = builder.language.order_key(expr)
    return Order(expr, bool(part.args.get("desc")), bool(part.args.get("nulls_first")))


def ranked(
    node: Node,
    function: str,
    partition: tuple[Expr, ...],
    order: list[Order],
    *,
    first: int,
    count: int,
) -> Rank:
    """The rows of each partition from the `first` on, `count` of them, in this order."""
    apart = f"PARTITION BY {', '.join(key.sql for key in partition)} " if partition else ""
    sequence = ", ".join(term.sql for term in order) or "NULL"
    number = Expr(f"{function} OVER ({apart}ORDER BY {sequence})", INT)
    column = f"__{function.partition('(')[0]}"
    last = first + count - 1
    return Rank(
        *(node, column, number, partition, tuple(order), first, last, ""), fields=node.fields
    )


def _kept(ordered: Node, node: Node) -> Project:
    """The columns of a node, without those that only its order needed."""
    columns = tuple((f"c{i}", Expr(f.sql, f.type)) for i, f in enumerate(node.fields))
    fields = tuple(replace(f, sql=quote(f"c{i}")) for i, f in enumerate(node.fields))
    return Project(ordered, columns, fields)


def _has_ties(query: exp.Expr, terms: list[Order]) -> bool:
    limit = query.args.get("limit")
    options = limit.args.get("limit_options") if limit else None
    if not options or not options.args.get("with_ties"):
        return False
    if not terms:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(query),
            problem="LIMIT WITH TIES needs an ORDER BY.",
            instead="",
        )
    return True


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
    return whole(value or node)


def whole(value: exp.Expr | None) -> int | None:
    """A constant that is a whole number; None if there is none."""
    if value is None:
        return None
    if not (isinstance(value, exp.Literal) and not value.is_string and value.this.isdigit()):
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(value),
            problem="LIMIT, OFFSET and FETCH take a whole number.",
            instead="",
        )
    return int(value.this)
