"""`IN` and `EXISTS` as values, inside OR, CASE or SELECT → counts that are joined to the rows.

EXISTS (q)   → the number of rows of q > 0
x IN (q)     → the number of rows of q with that x > 0; NULL where a NULL leaves it open
x < ANY (q)  → as `quantified` has it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.plan.aggregate import is_aggregate
from penstock.plan.quantified import above_zero, as_membership, compared, count, is_quantified
from penstock.plan.relations import unsupported
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.plan.build import Builder

# What a counted query has in its meta: pairs (inside, outside) that its rows must meet.
PAIRS = "pairs"
# Clauses that make other rows than those of FROM and WHERE.
WHOLE = ("group", "having", "distinct", "limit", "offset", "order", "windows")
_ASKED = "__asked"


def outside_of_queries(part: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of an expression; of a query in it, only that it stands there."""
    return part.walk(prune=lambda node: isinstance(node, exp.Query))


def asks_for_rows(part: exp.Expr) -> bool:
    """Whether an expression is IN, EXISTS or a comparison with ANY or ALL, with a query."""
    return isinstance(part, exp.Exists) or bool(part.args.get("query")) or is_quantified(part)


def is_plain(builder: Builder, query: exp.Expr) -> bool:
    """Whether the rows of a query are those of its FROM and WHERE, one for one."""
    if not isinstance(query, exp.Select) or any(query.args.get(part) for part in WHOLE):
        return False
    parts = (part for item in query.expressions for part in outside_of_queries(item))
    return not any(is_aggregate(part, builder.language) for part in parts)


def operands_of(node: exp.Expr) -> list[exp.Expr]:
    """What IN compares, one by one; ROW stands for its values beside more than one column."""
    value, query = node.this, node.args["query"].unnest()
    is_row = isinstance(value, exp.Anonymous) and value.name.upper() == "ROW"
    if is_row and (len(query.selects) > 1 or query.is_star):
        return list(value.expressions)
    return list(value.expressions) if isinstance(value, exp.Tuple) else [value]


def as_counts(builder: Builder, node: exp.Expr) -> exp.Expr:
    """IN, EXISTS, ANY or ALL as an expression of queries that count."""
    if is_quantified(node):
        return _quantified(builder, node)
    if isinstance(node, exp.Exists):
        query = node.this
        if not is_plain(builder, query):
            query = exp.select("*").from_(exp.Subquery(this=query.copy(), alias=_alias(())))
        return _some(query)
    return _membership(builder, node)


def _quantified(builder: Builder, node: exp.Binary) -> exp.Expr:
    if found := as_membership(node):
        member, negated = found
        around = exp.Not(this=member) if negated else member
        around.parent = node.parent
        return (
            exp.Not(this=_membership(builder, member)) if negated else _membership(builder, member)
        )
    query, (item, *more) = _with_items(builder, node.expression.this.unnest(), 1)
    check_columns(1, 1 + len(more), node)
    return compared(
        node, item, lambda value: _asked(query, value), false_is_enough=_false_is_enough(node)
    )


def _with_items(
    builder: Builder, query: exp.Expr, columns: int
) -> tuple[exp.Select, list[exp.Expr]]:
    """The query, as one whose rows are those of its FROM and WHERE, and its columns over them."""
    if isinstance(query, exp.Select) and is_plain(builder, query):
        items = [item.unalias() for item in query.expressions]
        if not any(item.is_star for item in items):
            return query, items
    names = [f"__c{i}" for i in range(columns)]
    inner = exp.Subquery(this=query.copy(), alias=_alias(names))
    return exp.select("*").from_(inner), [exp.column(name, table=_ASKED) for name in names]


def _membership(builder: Builder, node: exp.Expr) -> exp.Expr:
    operands = operands_of(node)
    query, items = _with_items(builder, node.args["query"].unnest(), len(operands))
    check_columns(len(operands), len(items), node)
    pairs = list(zip(items, operands, strict=True))
    found = _some(query, pairs)
    if _false_is_enough(node):
        return found
    if len(operands) > 1:
        feature = "IN with several values and a query under NOT, in CASE or in SELECT"
        raise unsupported(node, feature, "Write EXISTS.")
    open_ = exp.Is(this=operands[0].copy(), expression=exp.Null())
    if builder.language.absent:
        # ClickHouse leaves the NULLs of the query out of account.
        return _case((open_, exp.Null()), default=found)
    nulls = exp.Sub(this=count(exp.Star()), expression=count(items[0]))
    return _case(
        (exp.Not(this=_some(query)), exp.false()),
        (open_, exp.Null()),
        (found, exp.true()),
        (above_zero(_asked(query, nulls)), exp.Null()),
        default=exp.false(),
    )


def check_columns(values: int, columns: int, node: exp.Expr) -> None:
    """As many values on the left of IN, ANY or ALL as the query has columns."""
    if values != columns:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(node),
            problem=f"It compares {values} values with a query of {columns} columns.",
            instead="",
        )


def _false_is_enough(node: exp.Expr) -> bool:
    """Whether NULL and FALSE come to the same where IN stands: the row is left out."""
    around = node.parent
    while isinstance(around, exp.And | exp.Or | exp.Paren):
        around = around.parent
    return isinstance(around, exp.Where | exp.Having)


def _some(query: exp.Expr, pairs: list[tuple[exp.Expr, exp.Expr]] | None = None) -> exp.Expr:
    """Whether a query has a row, or one that meets the pairs."""
    counted = _asked(query, count(exp.Star()))
    counted.meta[PAIRS] = pairs or []
    return above_zero(counted)


def _asked(query: exp.Expr, value: exp.Expr) -> exp.Subquery:
    """What an aggregate is of the rows of a query."""
    asking = query.copy()
    asking.set("expressions", [value.copy()])
    return exp.Subquery(this=asking)


def _alias(columns: list[str] | tuple[str, ...]) -> exp.TableAlias:
    names = [exp.to_identifier(name) for name in columns]
    return exp.TableAlias(this=exp.to_identifier(_ASKED), columns=names)


def _case(*branches: tuple[exp.Expr, exp.Expr], default: exp.Expr) -> exp.Case:
    ifs = [exp.If(this=condition, true=value) for condition, value in branches]
    return exp.Case(ifs=ifs, default=default)
