"""Queries inside conditions: IN and EXISTS → semi and anti joins, single values → a join."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import BOOLEAN
from penstock.plan.correlated import correlated_values, is_outer, single
from penstock.plan.equalities import Sides
from penstock.plan.infer import is_bounded
from penstock.plan.join_scope import renamed_side, timeless
from penstock.plan.join_time import join_time
from penstock.plan.joins import still
from penstock.plan.membership import (
    PAIRS,
    as_counts,
    asks_for_rows,
    check_columns,
    is_plain,
    operands_of,
    outside_of_queries,
)
from penstock.plan.nodes import Aggregate, Join, JoinKind, Node, Project
from penstock.plan.quantified import as_membership, is_quantified
from penstock.plan.relations import Relation, named, unsupported
from penstock.plan.scope import Scope
from penstock.plan.value_queries import Values, by_rows, value_queries
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.build import Builder, Withs


def subquery_filter(builder: Builder, relation: Relation, term: exp.Expr, withs: Withs) -> Relation:
    """The rows that meet a term of WHERE with a query in it."""
    inner, negated = _unwrapped(term)
    if isinstance(inner, exp.Exists):
        return _semi(builder, relation, inner.this, withs, [], negated=negated)
    if is_quantified(inner) and (found := as_membership(inner)):
        inner, negated = found[0], negated ^ found[1]
    query = inner.args.get("query") if isinstance(inner, exp.In) else None
    if query is not None:
        return _semi(builder, relation, query, withs, operands_of(inner), negated=negated)
    return builder.filtered(add_scalars(builder, relation, [term], withs), [term])


def _unwrapped(term: exp.Expr) -> tuple[exp.Expr, bool]:
    negated = False
    while isinstance(term, exp.Not | exp.Paren):
        negated ^= isinstance(term, exp.Not)
        term = term.this
    return term, negated


def _semi(
    builder: Builder,
    left: Relation,
    query: exp.Expr,
    withs: Withs,
    operands: list[exp.Expr],
    *,
    negated: bool,
) -> Relation:
    query = query.this if isinstance(query, exp.Subquery) else query
    withs = builder.withs_of(query, withs)
    right, items, correlated = _inside(builder, left, query, withs)
    tag = builder.tag()
    a = renamed_side(left, tag, "l", nulled=False)
    b = renamed_side(right, tag, "r", nulled=False)
    inner = Scope(b.scope.inputs, outer=Scope(a.scope.inputs))
    compiler = builder.expressions(inner)
    conditions = [compiler.condition(term) for term in correlated]
    sides = Sides((left, right), (a, b))
    equal = sides.of_terms(correlated, conditions, compiler)
    if operands:
        values = _items(builder, items, b)
        found = _equalities(builder, operands, values, a, query, negated=negated)
        conditions += [condition for condition, _ in found]
        equal += [sides.equality(condition, pair, text="") for condition, pair in found]
    kind: JoinKind = "ANTI" if negated else "SEMI"
    time = join_time(correlated, inner, a.scope, b.scope)
    if time.form == "regular" or (time.form == "interval" and _is_taken_back(left, right, kind)):
        time = still(left, right, kind)
    visible = timeless(a.scope) if time.form == "regular" else a.scope
    word = "NOT " * negated + ("IN" if operands else "EXISTS")
    node = Join(
        left.node,
        right.node,
        kind,
        time.form,
        tuple(conditions),
        f"{word} ({query.sql(dialect=builder.language.name, comments=False)})",
        tag,
        visible.fields,
        equal=tuple(equal),
        times=time.times,
        lower_ms=time.lower_ms,
        upper_ms=time.upper_ms,
    )
    return Relation(node, visible, _moved(left, a))


def _is_taken_back(left: Relation, right: Relation, kind: JoinKind) -> bool:
    """Whether a row is told before it is known that it has no partner, as in Flink."""
    return kind == "ANTI" and not (is_bounded(left.node) and is_bounded(right.node))


def _moved(before: Relation, after: Relation) -> tuple[tuple[int, Expr], ...]:
    """What was planned by itself before a join, under its names behind it."""
    places = zip(before.scope.fields, after.scope.fields, strict=False)
    names = {a.sql: b.sql for a, b in places}
    return tuple((key, Expr(names.get(e.sql, e.sql), e.type)) for key, e in before.given)


def _inside(
    builder: Builder, left: Relation, query: exp.Expr, withs: Withs
) -> tuple[Relation, list[exp.Expr], list[exp.Expr]]:
    """The rows of a query, its items if they are still to be computed, its terms about `left`."""
    correlated: list[exp.Expr] = []
    try:
        if isinstance(query, exp.Select) and is_plain(builder, query):
            rows = builder.source(query, withs, correlated)
            return rows, query.expressions, correlated
        return named(builder.query(query, withs), ""), [], []
    except PlanError as error:
        if is_outer(error, left.scope):
            feature = "A query in IN or EXISTS that groups or limits, and speaks of the one around"
            raise unsupported(query, feature, "Join with its GROUP BY instead.") from error
        raise


def _items(builder: Builder, items: list[exp.Expr], right: Relation) -> list[Expr]:
    if not items or any(item.is_star for item in items):
        return [Expr(f.sql, f.type) for f in right.scope.star]
    compiler = builder.expressions(right.scope)
    return [compiler.compile(i.this if isinstance(i, exp.Alias) else i) for i in items]


def _equalities(
    builder: Builder,
    operands: list[exp.Expr],
    values: list[Expr],
    left: Relation,
    query: exp.Expr,
    *,
    negated: bool,
) -> list[tuple[Expr, tuple[str, str]]]:
    check_columns(len(operands), len(values), query)
    compiler = builder.expressions(left.scope)
    found = []
    for operand, value in zip(operands, values, strict=True):
        pair = compiler.comparable(compiler.compile(operand), value, operand)
        equal = " = ".join(pair)
        # A NULL on either side leaves it open whether they differ: NOT IN then keeps nothing.
        condition = f"coalesce({equal}, TRUE)" if negated else equal
        found.append((Expr(condition, BOOLEAN), pair))
    return found


def add_scalars(
    builder: Builder, relation: Relation, nodes: list[exp.Expr], withs: Withs
) -> Relation:
    """The rows, with what the queries in expressions say: single values, answers of IN, EXISTS."""
    asked = [part for node in nodes for part in outside_of_queries(node) if asks_for_rows(part)]
    counts = [as_counts(builder, part) for part in asked]
    queries = [query for node in (*nodes, *counts) for query in value_queries(node)]
    for values in by_rows(builder, queries):
        relation = _with_values(builder, relation, values, withs)
    compiler = relation.compiler(builder)
    answers = {id(p): compiler.compile(c) for p, c in zip(asked, counts, strict=True)}
    # What was made here is known for no longer than it lives: another node could have its id.
    made = {id(query) for node in counts for query in value_queries(node)}
    given = {key: value for key, value in relation.given if key not in made}
    return replace(relation, given=tuple((given | answers).items()))


def _with_values(builder: Builder, relation: Relation, values: Values, withs: Withs) -> Relation:
    if values.query.meta.get(PAIRS):
        joined = correlated_values(builder, relation, values, withs)
    else:
        joined = _values_of(builder, relation, values, withs)
    last = joined.scope.fields[-len(values.queries) :]
    hidden = tuple(replace(value, hidden=True, name="") for value in last)
    scope = Scope((*joined.scope.inputs[:-1], ("", hidden)), common=relation.scope.common)
    pairs = zip(values.queries, hidden, strict=True)
    known = ((id(query), Expr(value.sql, value.type)) for query, value in pairs)
    return Relation(joined.node, scope, (*_moved(relation, joined), *known))


def _values_of(builder: Builder, relation: Relation, values: Values, withs: Withs) -> Relation:
    try:
        node = builder.query(values.query.this, withs)
    except PlanError as error:
        if not is_outer(error, relation.scope):
            raise
        if builder.language.absent:
            feature = "A query that stands for a value and speaks of the one around"
            raise unsupported(values.query, feature, "Join with its GROUP BY instead.") from error
        return correlated_values(builder, relation, values, withs)
    return _joined_values(builder, relation, node, values)


def _joined_values(builder: Builder, relation: Relation, node: Node, values: Values) -> Relation:
    """The rows beside values that are the same for all of them."""
    if len(node.fields) != len(values.queries):
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(values.query),
            problem=f"A query that stands for a value has one column, not {len(node.fields)}.",
            instead="",
        )
    one = node if _is_one_row(node) else single(node)
    return builder.join(relation, named(one, ""), kind="LEFT", terms=[])


def _is_one_row(node: Node) -> bool:
    """Whether a plan gives exactly one row: an aggregate over everything."""
    if isinstance(node, Project):
        return _is_one_row(node.input)
    return isinstance(node, Aggregate) and not node.keys
