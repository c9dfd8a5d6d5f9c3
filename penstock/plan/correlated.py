"""Queries that speak of the query around them, by `inner = outer` → the same without, and keys.

One that stands for a value is joined by the keys to its groups: an aggregate over no rows is NULL,
or 0 if it counts, and a query without an aggregate may give one row for each key.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.plan.aggregate import is_aggregate
from penstock.plan.membership import PAIRS
from penstock.plan.nodes import Aggregate, Node, Project
from penstock.plan.relations import Relation, unsupported
from penstock.plan.scope import Field, Scope
from penstock.plan.terms import conjuncts, resolves
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.plan.build import Builder, Withs
    from penstock.plan.value_queries import Values

_WHOLE = ("group", "having", "distinct", "windows", "limit", "offset")
_COUNTS = ("COUNT", "APPROX_COUNT_DISTINCT")
# Aggregates that are neither NULL nor 0 over no rows.
_EMPTY = ("COLLECT", "JSON_")


@dataclass(frozen=True, slots=True)
class Decorrelated:
    """A query without its terms on the outer one.

    Those are `pairs` (inside, outside) that are equal, terms on the outer query alone, and others.
    """

    query: exp.Select
    pairs: list[tuple[exp.Expr, exp.Expr]]
    outside: list[exp.Expr]
    others: list[exp.Expr]

    def terms(self, alias: str) -> list[exp.Expr]:
        """What a join with the query asks for: its columns `__k0`, `__k1`, … are the keys."""
        keys = (
            exp.EQ(this=outer.copy(), expression=exp.column(f"__k{i}", table=alias))
            for i, (_, outer) in enumerate(self.pairs)
        )
        return [*keys, *(term.copy() for term in self.outside)]


def decorrelated(
    query: exp.Select, scope: Scope, source: exp.Expr, *, by_any: bool = False
) -> Decorrelated:
    """The query without its terms on the outer one; `scope` has the names that it knows itself.

    `by_any`: terms may be other than equalities.
    """
    where = query.args.get("where")
    kept = []
    inner = query.copy()
    found = Decorrelated(inner, list(source.meta.get(PAIRS, ())), [], [])
    for term in conjuncts(where.this) if where else []:
        if resolves(term, scope):
            kept.append(term)
        elif not any(resolves(column, scope) for column in term.find_all(exp.Column)):
            found.outside.append(term)
        elif pair := _pair(term, scope):
            found.pairs.append(pair)
        elif by_any:
            found.others.append(term)
        else:
            feature = "A query that speaks of the one around it other than by equalities"
            raise unsupported(source, feature, "Write inner = outer.")
    for clause in ("order", "limit", "offset", "where"):
        inner.set(clause, None)
    if kept:
        inner.where(*(term.copy() for term in kept), copy=False)
    return found


def _pair(term: exp.Expr, scope: Scope) -> tuple[exp.Expr, exp.Expr] | None:
    sides = [term.this, term.expression] if isinstance(term, exp.EQ) else []
    inside = [side for side in sides if resolves(side, scope)]
    outside = [side for side in sides if not resolves(side, scope)]
    return (inside[0], outside[0]) if len(inside) == len(outside) == 1 else None


def inner_scope(builder: Builder, query: exp.Select, withs: Withs) -> Scope:
    """The names that a query's own FROM gives."""
    start = query.args["from_"].this
    return builder.joined(start, query.args.get("joins") or [], withs, pool=[])[0].scope


def is_outer(error: PlanError, scope: Scope) -> bool:
    """Whether a name that is not known inside of a query is known around it."""
    outer = str(error.facts.get("column", "")).partition(".")[0]
    return error.code == "UNKNOWN_COLUMN" and bool(scope.has_alias(outer) or scope.lookup(outer))


def correlated_values(builder: Builder, left: Relation, values: Values, withs: Withs) -> Relation:
    """The rows, and in their last columns the values that the queries have for each."""
    query, count = values.query, len(values.queries)
    select = query.this
    if (
        not isinstance(select, exp.Select)
        or not select.args.get("from_")
        or len(select.expressions) != count
        or any(select.args.get(part) for part in _WHOLE)
    ):
        raise _whole(query)
    withs = builder.withs_of(select, withs)
    try:
        scope = inner_scope(builder, select, withs)
    except PlanError as error:
        if is_outer(error, left.scope):
            raise _whole(query) from error
        raise
    found = decorrelated(select, scope, query)
    item = select.expressions[0].unalias()
    if any(is_aggregate(part, builder.language) for part in item.walk()):
        return grouped_values(builder, left, found, withs, names=[""] * count)
    tag = builder.tag()
    alias = f"__value{tag}"
    joined = _joined(builder, left, found, [item], alias, withs)
    return _with_last(builder, joined, [exp.column("__a0", table=alias)], tag)


def grouped_values(
    builder: Builder,
    left: Relation,
    found: Decorrelated,
    withs: Withs,
    *,
    names: list[str],
    alias: str = "",
) -> Relation:
    """The rows, and behind them what the aggregates of the query are for each, under names."""
    inner, tag = found.query, builder.tag()
    own = f"__value{tag}"
    scope, aggregates = inner_scope(builder, inner, withs), list[exp.Expr]()
    values = [_split(builder, item.unalias(), own, aggregates) for item in inner.expressions]
    for value in values:
        _check_grouped(value, scope, own)
    keys = [key.copy() for key, _ in found.pairs]
    inner.set("group", exp.Group(expressions=keys))
    joined = _joined(builder, left, found, aggregates, own, withs)
    return _with_last(builder, joined, values, tag, names=names, alias=alias)


def _joined(
    builder: Builder,
    left: Relation,
    found: Decorrelated,
    items: list[exp.Expr],
    alias: str,
    withs: Withs,
) -> Relation:
    right = _values(builder, found.query, items, [key for key, _ in found.pairs], alias, withs)
    return builder.join(left, right, kind="LEFT", terms=found.terms(alias))


def _whole(query: exp.Subquery) -> PlanError:
    feature = "A query that stands for a value, groups or limits, and speaks of the one around"
    return unsupported(query, feature, "Join with its GROUP BY instead.")


def _values(
    builder: Builder,
    inner: exp.Select,
    items: list[exp.Expr],
    keys: list[exp.Expr],
    alias: str,
    withs: Withs,
) -> Relation:
    """What the query gives for each key: one row."""
    named = [exp.alias_(item.copy(), f"__a{i}") for i, item in enumerate(items)]
    named += [exp.alias_(key.copy(), f"__k{i}") for i, key in enumerate(keys)]
    inner.set("expressions", named)
    node = builder.query(inner, withs)
    if not inner.args.get("group"):
        node = single(node, keys=len(keys))
    fields = tuple(
        replace(field, name=one.alias, hidden=True)
        for field, one in zip(node.fields, named, strict=True)
    )
    return Relation(replace(node, fields=fields), Scope(((alias, fields),)))


def _with_last(
    builder: Builder,
    joined: Relation,
    values: list[exp.Expr],
    tag: int,
    *,
    names: Sequence[str] = ("",),
    alias: str = "",
) -> Relation:
    """The columns of the left side, and the values: as columns they keep their names in a join."""
    *inputs, _ = joined.scope.inputs
    compiler = builder.expressions(joined.scope)
    made = {f"v{tag}_{i}": compiler.compile(value) for i, value in enumerate(values)}
    last = tuple(
        Field(name, expr.type, quote(column), hidden=not alias)
        for name, (column, expr) in zip(names, made.items(), strict=True)
    )
    sqls = dict.fromkeys(field.sql for _, fields in inputs for field in fields)
    carried = {sql: f"v{tag}c{i}" for i, sql in enumerate(sqls)}
    scope = Scope(
        (
            *((n, tuple(replace(f, sql=quote(carried[f.sql])) for f in fs)) for n, fs in inputs),
            (alias, last),
        ),
        common=joined.scope.common,
    )
    fields = {carried[f.sql]: f for _, fs in inputs for f in fs}
    columns = (*((n, Expr(f.sql, f.type)) for n, f in fields.items()), *made.items())
    return Relation(Project(joined.node, columns, scope.fields), scope)


def _split(builder: Builder, item: exp.Expr, alias: str, found: list[exp.Expr]) -> exp.Expr:
    """What is made of the aggregates, as columns of the join; they are added to those `found`."""

    def column(node: exp.Expr) -> exp.Expr:
        if not is_aggregate(node, builder.language):
            return node
        call = node.this if isinstance(node, exp.Filter) else node
        if call.name.upper().startswith(_EMPTY):
            feature = f"{call.name} in a query that stands for a value and speaks of the one around"
            raise unsupported(node, feature, "Join with its GROUP BY instead.")
        found.append(node.copy())
        result: exp.Expr = exp.column(f"__a{len(found) - 1}", table=alias)
        if call.name.upper() in _COUNTS:
            result = exp.Anonymous(this="COALESCE", expressions=[result, exp.Literal.number(0)])
        return result

    return item.copy().transform(column)


def _check_grouped(value: exp.Expr, scope: Scope, alias: str) -> None:
    for column in value.find_all(exp.Column):
        if column.table != alias and resolves(column, scope):
            raise PlanError("NOT_GROUPED", span=node_span(column), column=column.name)


def single(node: Node, *, keys: int = 0) -> Node:
    """The first column of one row, and the keys it is of; a second row for a key is an error."""
    first, *rest = node.fields[: keys + 1]
    sql = (
        "CASE WHEN count(1) > 1 THEN raise_error('A query that stands for a value gave more than "
        f"one row.') ELSE first({first.sql}) END"
    )
    value = Expr(sql, first.type.as_nullable())
    named = tuple((f"__key{i}", Expr(field.sql, field.type)) for i, field in enumerate(rest))
    grouped = Aggregate(node, named, (("__agg0", value),), ())
    outputs = (Expr("__agg0", value.type), *(Expr(quote(name), key.type) for name, key in named))
    items = tuple((f"c{i}", output) for i, output in enumerate(outputs))
    fields = tuple(
        Field(field.name, output.type, quote(name))
        for field, (name, output) in zip((first, *rest), items, strict=True)
    )
    return Project(grouped, items, fields)
