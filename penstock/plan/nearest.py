"""ASOF JOIN: each left row with the nearest right row of its key, by one inequality of `ON`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.plan.join_terms import Nearest
from penstock.sql.clickhouse.numbers import INTEGERS
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.plan.expressions import ExpressionCompiler
    from penstock.plan.scope import Scope

# left operator right → which right rows are looked at, and whether an equal one counts
_DIRECTIONS: dict[type, tuple[str, bool]] = {
    exp.GTE: ("backward", True),
    exp.GT: ("backward", False),
    exp.LTE: ("forward", True),
    exp.LT: ("forward", False),
}
_MIRRORED: dict[type, type] = {exp.GTE: exp.LTE, exp.GT: exp.LT, exp.LTE: exp.GTE, exp.LT: exp.GT}
_MEASURED = (*INTEGERS, "FLOAT", "DOUBLE", "DECIMAL", "DATE", "DATE32", "TIMESTAMP_LTZ")


def _nearest_of(
    node: exp.Join, terms: list[exp.Expr], left: Scope, right: Scope
) -> tuple[exp.Expr, list[exp.Expr]]:
    """The inequality of an ASOF JOIN as `left operator right`, and its other terms."""
    found = [term for term in terms if type(term) in _DIRECTIONS]
    if len(found) != 1:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(node),
            problem=f"ASOF JOIN has one inequality of two columns, not {len(found)}.",
            instead="Write ON a.k = b.k AND a.t >= b.t.",
        )
    (term,) = found
    others = [other for other in terms if other is not term]
    if _is_of(term.this, right, left) and _is_of(term.expression, left, right):
        term = _MIRRORED[type(term)](this=term.expression, expression=term.this)
    elif not (_is_of(term.this, left, right) and _is_of(term.expression, right, left)):
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(term),
            problem="The inequality of an ASOF JOIN compares a column of each table.",
            instead="",
        )
    return term, others


def _is_of(node: exp.Expr, own: Scope, other: Scope) -> bool:
    columns = list(node.find_all(exp.Column))
    return bool(columns) and all(
        own.has_alias(c.table) if c.table else bool(own.lookup(c.name) and not other.lookup(c.name))
        for c in columns
    )


def _nearest(compiler: ExpressionCompiler, term: exp.Expr, sides: tuple[Expr, Expr]) -> Nearest:
    """How a right row is chosen."""
    direction, exact = _DIRECTIONS[type(term)]
    convert, shared = compiler.language.convert, compiler.language.shared_type
    type_ = shared(sides[0].type, sides[1].type) if shared else None
    if type_ is None or convert is None or type_.root not in _MEASURED:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(term),
            problem="An ASOF JOIN is by numbers, dates or times.",
            instead="",
        )
    a, b = (convert(side, type_) for side in sides)
    return Nearest(a, b, direction, exact)


def nearest_partner(
    compiler: ExpressionCompiler,
    node: exp.Join,
    scopes: tuple[Scope, Scope],
    parts: list[exp.Expr],
    using: tuple[str, ...],
) -> tuple[Nearest, list[exp.Expr], tuple[str, ...]]:
    """How an ASOF JOIN chooses, and what is left of its condition; of USING the last chooses."""
    left, right = scopes
    if using:
        term: exp.Expr = exp.GTE(this=exp.column(using[-1]), expression=exp.column(using[-1]))
        fields = (left.find(using[-1]), right.find(using[-1]))
        sides = (Expr(fields[0].sql, fields[0].type), Expr(fields[1].sql, fields[1].type))
        return _nearest(compiler, term, sides), parts, using[:-1]
    term, others = _nearest_of(node, parts, left, right)
    return (
        _nearest(compiler, term, (compiler.compile(term.this), compiler.compile(term.expression))),
        others,
        (),
    )
