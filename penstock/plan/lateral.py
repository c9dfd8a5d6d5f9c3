"""`LATERAL (SELECT … WHERE inner = outer …)` → a join with the query, ranked or grouped by keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.plan.aggregate import is_aggregate
from penstock.plan.correlated import decorrelated, grouped_values, inner_scope
from penstock.plan.relations import Relation, unsupported
from penstock.plan.scope import Scope
from penstock.plan.sort import row_count
from penstock.plan.terms import resolves
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.build import Builder, Withs
    from penstock.plan.correlated import Decorrelated
    from penstock.plan.nodes import JoinKind, Node

# What makes of the rows of a query others.
_WHOLE = ("group", "having", "distinct", "limit", "offset")


def lateral(
    builder: Builder, left: Relation, source: exp.Lateral, withs: Withs, kind: JoinKind
) -> Relation:
    """The rows of the left side, each beside the rows that the subquery gives for it."""
    query = source.this.this
    _check(query, source)
    aggregates = _aggregates(builder, query)
    whole = aggregates or any(query.args.get(part) for part in _WHOLE)
    scope = inner_scope(builder, query, withs)
    found = decorrelated(query, scope, source, by_any=not whole)
    inner, keys = found.query, [key for key, _ in found.pairs]
    group = inner.args.get("group")
    if group is None and aggregates and (keys or found.outside):
        return _beside_one(builder, left, found, source, withs)
    if keys and group is not None:
        group.set("expressions", [*group.expressions, *(key.copy() for key in keys)])
    columns = len(query.expressions)
    named = [exp.alias_(key, f"__k{i}") for i, key in enumerate(keys)]
    asked, others = _asked(found, scope, source.alias)
    inner.set("expressions", [*inner.expressions, *named, *asked])
    node = builder.query(_ranked(query, inner, keys), withs)
    fields = tuple(
        replace(field, name=name, hidden=number >= columns)
        for number, (field, name) in enumerate(zip(node.fields, _names(source, node), strict=True))
    )
    right = Relation(replace(node, fields=fields), Scope(((source.alias, fields),)))
    return builder.join(left, right, kind=kind, terms=[*found.terms(source.alias), *others])


def _asked(found: Decorrelated, scope: Scope, alias: str) -> tuple[list[exp.Expr], list[exp.Expr]]:
    """The columns of the query that terms beside equalities ask for, and these terms over them."""
    used = (column for term in found.others for column in term.find_all(exp.Column))
    names = {c.sql(): (f"__c{i}", c) for i, c in enumerate(c for c in used if resolves(c, scope))}

    def named(part: exp.Expr) -> exp.Expr:
        known = names.get(part.sql()) if isinstance(part, exp.Column) else None
        return exp.column(known[0], table=alias) if known else part

    columns = [exp.alias_(column.copy(), name) for name, column in names.values()]
    return columns, [term.copy().transform(named) for term in found.others]


def _check(query: exp.Expr, source: exp.Lateral) -> None:
    if not isinstance(query, exp.Select) or not query.args.get("from_"):
        raise unsupported(source, "LATERAL with a query without FROM", "Write it into SELECT.")
    parts = [part for item in query.expressions for part in item.walk()]
    if any(part.is_star and not isinstance(part.parent, exp.Anonymous) for part in parts):
        raise unsupported(source, "SELECT * in LATERAL", "Name its columns.")
    given, columns = len(source.alias_column_names), len(query.expressions)
    if given not in (0, columns):
        problem = f"`{source.alias}` names {given} columns, its query has {columns}."
        raise PlanError("INVALID_QUERY", span=node_span(source), problem=problem, instead="")
    group = query.args.get("group")
    sets = (exp.GroupingSets, exp.Rollup, exp.Cube)
    if any(isinstance(part, exp.Window) for part in parts):
        raise unsupported(source, "OVER in LATERAL", "Write ORDER BY … LIMIT.")
    if group is not None and any(isinstance(part, sets) for part in group.expressions):
        raise unsupported(source, "GROUPING SETS in LATERAL", "Group in a subquery.")
    if query.args.get("distinct") and query.args.get("limit"):
        raise unsupported(source, "DISTINCT and LIMIT in LATERAL", "Write GROUP BY.")


def _aggregates(builder: Builder, query: exp.Select) -> bool:
    parts = (part for item in query.expressions for part in item.walk())
    return any(is_aggregate(part, builder.language) for part in parts)


def _beside_one(
    builder: Builder, left: Relation, found: Decorrelated, source: exp.Lateral, withs: Withs
) -> Relation:
    """An aggregate over what belongs to a row is one row, also where nothing does."""
    query = found.query
    if not found.pairs:
        feature = "LATERAL with an aggregate, by other than an equality"
        raise unsupported(source, feature, "Write inner = outer.")
    if query.args.get("having"):
        raise unsupported(source, "HAVING without GROUP BY in LATERAL", "Filter its rows outside.")
    names = source.alias_column_names or [
        item.alias or (item.name if isinstance(item, exp.Column) else f"EXPR${i}")
        for i, item in enumerate(query.expressions)
    ]
    return grouped_values(builder, left, found, withs, alias=source.alias, names=names)


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
