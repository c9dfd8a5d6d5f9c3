"""A condition, term by term."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

if TYPE_CHECKING:
    from penstock.plan.scope import Scope


# What compares two values, in Spark SQL.
COMPARISON = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.NullSafeEQ: "<=>",
}


def conjuncts(node: exp.Expr) -> list[exp.Expr]:
    """The terms that AND joins."""
    if isinstance(node, exp.Paren):
        return conjuncts(node.this)
    if isinstance(node, exp.And):
        return [*conjuncts(node.this), *conjuncts(node.expression)]
    return [node]


def has_subquery(node: exp.Expr) -> bool:
    """Whether a query stands inside a condition."""
    return node.find(exp.Query) is not None


def resolves(node: exp.Expr, scope: Scope) -> bool:
    """Whether every name in a condition is one of these inputs'."""
    return all(
        (len(column.parts) > 1 and scope.has_alias(column.parts[0].name))
        or scope.lookup(column.parts[0].name)
        for column in node.find_all(exp.Column)
    )
