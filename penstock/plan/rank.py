"""`WHERE rn <= N` over `ROW_NUMBER()` → `Rank`: top-N, and deduplication where N is 1 by time."""

from __future__ import annotations

import re
from dataclasses import replace
from operator import add, mul, sub
from typing import TYPE_CHECKING, Literal

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.plan.nodes import ORDER_COLUMN, Filter, Join, Node, Over, Project, Rank

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.nodes import Order
    from penstock.plan.scope import Field, Scope

RANKING = ("row_number()", "rank()", "dense_rank()")
_FLIPPED = {exp.LT: exp.GT, exp.LTE: exp.GTE, exp.GT: exp.LT, exp.GTE: exp.LTE, exp.EQ: exp.EQ}
_UNBOUNDED = 2**31 - 1
_ARITHMETIC: dict[type, Callable[[int, int], int]] = {exp.Add: add, exp.Sub: sub, exp.Mul: mul}
_LARGEST = {
    exp.DType.TINYINT: 2**7 - 1,
    exp.DType.SMALLINT: 2**15 - 1,
    exp.DType.INT: 2**31 - 1,
    exp.DType.BIGINT: 2**63 - 1,
}
# By side the joins whose rows have it as it is: what is asked of it can be asked below.
_ASKED_BELOW = {"l": ("INNER", "CROSS", "LEFT"), "r": ("INNER", "CROSS", "RIGHT")}


def function_of(node: Rank) -> str:
    """ROW_NUMBER, RANK or DENSE_RANK."""
    return node.number.sql.partition("(")[0].upper()


def last_of(node: Rank) -> str:
    """Up to which number rows stay."""
    fields = node.input.fields
    names = (
        f"`{field.name}`" for field in fields if node.last_by and field.sql == node.last_by.sql
    )
    return next(names, node.last_by.sql if node.last_by else str(node.last))


def is_window_rank(node: Rank) -> bool:
    """Whether rows are ranked within a window: when it has passed, nothing of it changes."""
    fields = {field.sql: field for field in node.input.fields}
    bounds = {fields[p.sql].window for p in node.partition if p.sql in fields}
    return {"start", "end"} <= bounds


def ranked(node: Node, scope: Scope, terms: list[exp.Expr]) -> tuple[Node, list[exp.Expr]]:
    """The node with its OVER as a rank if a term bounds the row number, and the other terms."""
    bounds: dict[str, tuple[int, int]] = {}
    rest = []
    for term in terms:
        found = _bound(term, scope)
        if found and over_of(node, found[0].sql):
            field, low, high = found
            first, last = bounds.get(field.sql, (1, _UNBOUNDED))
            bounds[field.sql] = (max(first, low), min(last, high))
        if not found or not over_of(node, found[0].sql) or _has_gaps(term):
            rest.append(term)
    limited = [(sql, bound) for sql, bound in bounds.items() if bound[1] < _UNBOUNDED]
    if len(limited) == 1 and len(bounds) == 1:
        sql, (first, last) = limited[0]
        return _replaced(node, sql, first, last), rest
    return (node, terms) if limited else _ranked_by_column(node, scope, terms)


def _ranked_by_column(
    node: Node, scope: Scope, terms: list[exp.Expr]
) -> tuple[Node, list[exp.Expr]]:
    """The same if a column of the partition bounds the row number: other terms are asked above."""
    for term in terms:
        found = _bound_by_column(term.unnest(), scope)
        if found is None or (over := over_of(node, found[0].sql)) is None:
            continue
        below = _below(node, found[0].sql, found[1].sql)
        windowed = any(field.window for field in over.input.fields)
        if found[1].type.is_integer and not windowed and below in {e.sql for e in over.partition}:
            last_by = Expr(below, found[1].type)
            kept = [other for other in terms if other is not term or not found[2]]
            return _replaced(node, found[0].sql, 1, _UNBOUNDED, last_by), kept
    return node, terms


def _bound_by_column(term: exp.Expr, scope: Scope) -> tuple[Field, Field, bool] | None:
    """The column that another one bounds from above, that one, and whether it says no more."""
    if isinstance(term, exp.LT | exp.LTE):
        low, high = _column(term.this, scope), _column(term.expression, scope)
    elif isinstance(term, exp.GT | exp.GTE):
        high, low = _column(term.this, scope), _column(term.expression, scope)
    else:
        return None
    return (low, high, isinstance(term, exp.LTE | exp.GTE)) if low and high else None


def _bound(term: exp.Expr, scope: Scope) -> tuple[Field, int, int] | None:
    """A comparison of a column with whole numbers as bounds of the column."""
    term = term.unnest()
    if isinstance(term, exp.In):
        numbers, field = [_whole(value) for value in term.expressions], _column(term.this, scope)
        known = [number for number in numbers if number is not None]
        found = field is not None and known and len(known) == len(numbers)
        return (field, min(known), max(known)) if field and found else None
    if isinstance(term, exp.Between) and not term.args.get("symmetric"):
        low, high = _whole(term.args["low"]), _whole(term.args["high"])
        field = _column(term.this, scope)
        return (field, low, high) if field and low is not None and high is not None else None
    kind = type(term)
    if kind not in _FLIPPED:
        return None
    left, right = term.this, term.expression
    if _whole(left) is not None:
        left, right, kind = right, left, _FLIPPED[kind]
    field, number = _column(left, scope), _whole(right)
    if field is None or number is None:
        return None
    low = {exp.EQ: number, exp.GT: number + 1, exp.GTE: number}.get(kind, 1)
    high = {exp.EQ: number, exp.LT: number - 1, exp.LTE: number}.get(kind, _UNBOUNDED)
    return field, low, high


def _has_gaps(term: exp.Expr) -> bool:
    """Whether a term that bounds a column asks for more than that."""
    values = {_whole(value) for value in term.unnest().args.get("expressions") or ()}
    known = [value for value in values if value is not None]
    return bool(known) and len(known) <= max(known) - min(known)


def _column(node: exp.Expr, scope: Scope) -> Field | None:
    node = node.unnest()
    return scope.only(node.name, node.table) if isinstance(node, exp.Column) else None


def _whole(node: exp.Expr) -> int | None:
    """The whole number that an expression without columns is, where it is plain arithmetic."""
    node = node.unnest()
    if isinstance(node, exp.Literal):
        return None if node.is_string or not node.this.isdigit() else int(node.this)
    if type(node) is exp.Cast:
        most, number = _LARGEST.get(node.to.this, -1), _whole(node.this)
        return number if number is not None and abs(number) <= most else None
    if type(node) not in _ARITHMETIC:
        return None
    sides = [_whole(side) for side in (node.this, node.expression)]
    known = [side for side in sides if side is not None]
    return _ARITHMETIC[type(node)](*known) if len(known) == len(sides) else None


def over_of(node: Node, sql: str) -> Over | None:
    """The OVER below a node whose only function is a rank and gives this column."""
    if isinstance(node, Filter):
        return over_of(node.input, sql)
    if isinstance(node, Project):
        below = next((expr.sql for name, expr in node.columns if f"`{name}`" == sql), None)
        return over_of(node.input, below) if below else None
    if isinstance(node, Join):
        found = _below_join(node, sql)
        return over_of(getattr(node, found[0]), found[1]) if found else None
    if isinstance(node, Over) and len(node.functions) == 1:
        name, expr = node.functions[0]
        if f"`{name}`" == sql and expr.sql.startswith(RANKING):
            return node
    return None


def _below(node: Node, number: str, sql: str) -> str:
    """What a column beside a row number is called where that is made, "" if it is not there."""
    if isinstance(node, Filter):
        return _below(node.input, number, sql)
    if isinstance(node, Project):
        named = {f"`{name}`": expr.sql for name, expr in node.columns}
        return _below(node.input, named[number], named.get(sql, ""))
    if isinstance(node, Join):
        side, other = _below_join(node, number), _below_join(node, sql)
        if side is None or other is None or side[0] != other[0]:
            return ""
        return _below(getattr(node, side[0]), side[1], other[1])
    return sql


def _below_join(node: Join, sql: str) -> tuple[str, str] | None:
    """The side of a join, and the column of it, that a column of the join is."""
    found = re.fullmatch(rf"`j{node.tag}([lr])(\d+)`", sql)
    if found is None or node.form != "regular" or node.kind not in _ASKED_BELOW[found[1]]:
        return None
    side = "left" if found[1] == "l" else "right"
    return side, getattr(node, side).fields[int(found[2])].sql


def _replaced(node: Node, sql: str, first: int, last: int, last_by: Expr | None = None) -> Node:
    if isinstance(node, Join) and (found := _below_join(node, sql)):
        sides = {"left": node.left, "right": node.right}
        sides[found[0]] = _replaced(sides[found[0]], found[1], first, last, last_by)
        return replace(node, left=sides["left"], right=sides["right"])
    if isinstance(node, Filter):
        return replace(node, input=_replaced(node.input, sql, first, last, last_by))
    if isinstance(node, Project):
        below = next(expr.sql for name, expr in node.columns if f"`{name}`" == sql)
        return replace(node, input=_replaced(node.input, below, first, last, last_by))
    assert isinstance(node, Over)  # noqa: S101 — `over_of` walked the same way
    column, number = node.functions[0]
    keep = _keep(node, number.sql, node.order) if first == last == 1 else ""
    return Rank(
        node.input,
        column,
        number,
        node.partition,
        node.order,
        first,
        last,
        keep,
        node.fields,
        last_by=last_by,
    )


def _keep(node: Over, number: str, order: tuple[Order, ...]) -> Literal["", "first", "last"]:
    """Which row of its key stays when the order is the order of time."""
    if len(order) != 1 or not number.startswith("row_number()"):
        return ""
    times = {field.sql for field in node.input.fields if field.rowtime or field.proctime}
    if order[0].expr.sql not in (ORDER_COLUMN, *times):
        return ""
    return "last" if order[0].descending else "first"
