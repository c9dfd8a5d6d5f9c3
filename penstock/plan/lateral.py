"""`LATERAL (SELECT … WHERE inner = outer ORDER BY … LIMIT n)` → a join with a ranked query."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.plan.aggregate import is_aggregate
from penstock.plan.correlated import decorrelated, inner_scope
from penstock.plan.relations import Relation, unsupported
from penstock.plan.scope import Scope
from penstock.plan.sort import row_count

if TYPE_CHECKING:
    from penstock.plan.build import Builder, Withs
    from penstock.plan.nodes import JoinKind, Node

_WHOLE = ("group", "having", "distinct", "windows")


def lateral(
    builder: Builder, left: Relation, source: exp.Lateral, withs: Withs, kind: JoinKind
) -> Relation:
    """The rows of the left side, each beside the rows that the subquery gives for it."""
    query = source.this.this
    if not isinstance(query, exp.Select) or not query.args.get("from_"):
        raise unsupported(source, "LATERAL with a query without FROM", "Write it into SELECT.")
    if not _is_plain(builder, query):
        raise unsupported(source, "LATERAL with a query that groups", "Group in a subquery.")
    found = decorrelated(query, inner_scope(builder, query, withs), source)
    inner, pairs = found.query, found.pairs
    columns = len(query.expressions)
    keys = [exp.alias_(key, f"__k{i}") for i, (key, _) in enumerate(pairs)]
    inner.set("expressions", [*inner.expressions, *keys])
    node = builder.query(_ranked(query, inner, [key for key, _ in pairs]), withs)
    fields = tuple(
        replace(field, name=name, hidden=number >= columns)
        for number, (field, name) in enumerate(zip(node.fields, _names(source, node), strict=True))
    )
    right = Relation(replace(node, fields=fields), Scope(((source.alias, fields),)))
    return builder.join(left, right, kind=kind, terms=found.terms(source.alias))


def _is_plain(builder: Builder, query: exp.Select) -> bool:
    parts = (part for item in query.expressions for part in item.walk())
    return not any(query.args.get(part) for part in _WHOLE) and not any(
        is_aggregate(part, builder.language) or part.is_star for part in parts
    )


def _names(source: exp.Lateral, node: Node) -> list[str]:
    given = source.alias_column_names
    return [*given, *(field.name for field in node.fields[len(given) :])]


def _ranked(query: exp.Select, inner: exp.Select, keys: list[exp.Expr]) -> exp.Select:
    """The first rows of each key, if the query has LIMIT."""
    limit, offset = row_count(query.args.get("limit")), row_count(query.args.get("offset")) or 0
    if limit is None:
        if offset:
            raise unsupported(query, "OFFSET without LIMIT in LATERAL", "")
        return inner
    order = query.args.get("order")
    terms = [_resolved(term, query) for term in order.expressions] if order else []
    number = exp.Window(
        this=exp.Anonymous(this="ROW_NUMBER"),
        partition_by=[key.copy() for key in keys],
        order=exp.Order(expressions=terms or [exp.Ordered(this=exp.Literal.number(1))]),
        over="OVER",
    )
    inner.set("expressions", [*inner.expressions, exp.alias_(number, "__rn")])
    low, high = (exp.Literal.number(n) for n in (offset + 1, offset + limit))
    bound = exp.Between(this=exp.column("__rn"), low=low, high=high)
    return exp.select("*").from_(inner.subquery("__ranked")).where(bound)


def _resolved(term: exp.Expr, query: exp.Select) -> exp.Expr:
    """A term of ORDER BY with positions and names of SELECT as what they stand for."""
    copy = term.copy()
    value = copy.this
    if isinstance(value, exp.Literal) and value.this.isdigit():
        item = query.expressions[int(value.this) - 1]
        copy.set("this", (item.this if isinstance(item, exp.Alias) else item).copy())
    elif isinstance(value, exp.Column) and not value.table:
        named = {i.alias: i.this for i in query.expressions if isinstance(i, exp.Alias)}
        if value.name in named:
            copy.set("this", named[value.name].copy())
    return copy
