"""`x < ANY (q)` and `x < ALL (q)` → comparisons with the least or the greatest value of q.

x < ANY (q)  → x < the greatest; NULL where a NULL leaves it open, FALSE without rows
x < ALL (q)  → NOT x >= ANY (q)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from sqlglot import exp

if TYPE_CHECKING:
    from collections.abc import Callable

    # An aggregate of the query's rows → the query that stands for its value.
    Asking = Callable[[exp.Expr], exp.Expr]

_NEGATED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.NEQ,
    exp.GT: exp.LTE,
    exp.GTE: exp.LT,
    exp.LT: exp.GTE,
    exp.LTE: exp.GT,
}
# With which of the values ANY compares.
_EXTREMES: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.GT: ("MIN",),
    exp.GTE: ("MIN",),
    exp.LT: ("MAX",),
    exp.LTE: ("MAX",),
    exp.NEQ: ("MIN", "MAX"),
}


def is_quantified(node: exp.Expr) -> TypeGuard[exp.Binary]:
    """Whether an expression compares with ANY, SOME or ALL rows of a query."""
    quantifier = node.args.get("expression")
    return (
        isinstance(node, exp.EQ | exp.NEQ | exp.GT | exp.GTE | exp.LT | exp.LTE)
        and isinstance(quantifier, exp.Any | exp.All)
        and isinstance(quantifier.this.unnest(), exp.Query)
    )


def as_membership(node: exp.Binary) -> tuple[exp.In, bool] | None:
    """`x = ANY (q)` as `x IN (q)`, `x <> ALL (q)` as the same negated; None for others."""
    pair = (type(node), type(node.expression))
    if pair not in ((exp.EQ, exp.Any), (exp.NEQ, exp.All)):
        return None
    query = exp.Subquery(this=node.expression.this.unnest().copy())
    return exp.In(this=node.this.copy(), query=query), isinstance(node, exp.NEQ)


def compared(node: exp.Binary, item: exp.Expr, ask: Asking, *, false_is_enough: bool) -> exp.Expr:
    """The comparison with the `item` of the query's rows, by what is asked of all of them.

    `false_is_enough`: whether NULL and FALSE come to the same where it stands.
    """
    value, some = node.this, isinstance(node.expression, exp.Any)
    kind = type(node) if some else _NEGATED[type(node)]
    rows, known = count(exp.Star()), count(item)
    none = exp.EQ(this=_number_of(ask(rows)), expression=_zero())
    if some and false_is_enough:
        return _with_some(value, kind, item, ask)
    if false_is_enough:
        complete = exp.EQ(this=rows.copy(), expression=known)
        fails = _with_some(value, kind, item, lambda extreme: ask(_if(complete, extreme)))
        return exp.paren(exp.or_(none, exp.not_(exp.paren(fails))))
    nulls = exp.Sub(this=rows.copy(), expression=known)
    missing = above_zero(ask(nulls))
    unknown = exp.Is(this=value.copy(), expression=exp.Null())
    met, otherwise = (exp.true(), exp.false()) if some else (exp.false(), exp.true())
    branches = (
        (_with_some(value, kind, item, ask), met),
        (none, otherwise),
        (exp.or_(missing, unknown), exp.Null()),
    )
    ifs = [exp.If(this=condition, true=result) for condition, result in branches]
    return exp.Case(ifs=ifs, default=otherwise)


def count(of: exp.Expr) -> exp.Expr:
    """COUNT of something."""
    return _call("COUNT", of)


def above_zero(counted: exp.Expr) -> exp.Expr:
    """Whether a query counts any."""
    return exp.GT(this=_number_of(counted), expression=_zero())


def _number_of(counted: exp.Expr) -> exp.Expr:
    """What a query counts; over no rows a stream does not say 0, but has no row."""
    return exp.Anonymous(this="COALESCE", expressions=[counted, _zero()])


def _with_some(value: exp.Expr, kind: type[exp.Expr], item: exp.Expr, ask: Asking) -> exp.Expr:
    """Whether the comparison holds with the least or the greatest, and so with some of them."""
    extremes = (_call(name, item) for name in _EXTREMES[kind])
    return exp.paren(
        exp.or_(*(kind(this=value.copy(), expression=ask(extreme)) for extreme in extremes))
    )


def _call(name: str, of: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=[of.copy()])


def _zero() -> exp.Expr:
    return exp.Literal.number(0)


def _if(condition: exp.Expr, value: exp.Expr) -> exp.Case:
    return exp.Case(ifs=[exp.If(this=condition.copy(), true=value)])
