"""GROUP BY and ORDER BY in the planner's words: ALL, WITH ROLLUP and WITH CUBE said otherwise."""

from __future__ import annotations

from sqlglot import exp

from penstock.sql.functions.clickhouse import AGGREGATES


def rewrite_groups(select: exp.Select) -> None:
    """What a query groups and sorts by, said as the standard does."""
    _all(select)
    _sets(select)


def _all(select: exp.Select) -> None:
    """`GROUP BY ALL` is by all that is no aggregate, `ORDER BY ALL` by every column of SELECT."""
    group, order = select.args.get("group"), select.args.get("order")
    if group and group.args.get("all"):
        keys = [key.copy() for item in select.expressions for key in _keys_of(item)]
        select.set("group", exp.Group(expressions=keys) if keys else None)
    terms = order.expressions if order else []
    if order and len(terms) == 1 and _is_all(terms[0].this):
        places = [exp.Literal.number(at + 1) for at in range(len(select.expressions))]
        again = [exp.Ordered(**{**terms[0].args, "this": place}) for place in places]
        order.set("expressions", again)


def _sets(select: exp.Select) -> None:
    """`GROUP BY a, b WITH ROLLUP` is `GROUP BY ROLLUP (a, b)`, and so is CUBE."""
    group = select.args.get("group")
    for name, kind in (("rollup", exp.Rollup), ("cube", exp.Cube), ("grouping_sets", None)):
        found = group.args.get(name) if group else None
        if not group or not found:
            continue
        group.set(name, None)
        if kind is None:
            group.set("expressions", [*group.expressions, *found])
        else:
            group.set("expressions", [kind(expressions=_placed(select, group.expressions))])


def _placed(select: exp.Select, keys: list[exp.Expr]) -> list[exp.Expr]:
    """Keys with what stands at a place of SELECT in place of its number."""
    items = select.expressions
    found = []
    for key in keys:
        place = int(key.this) if isinstance(key, exp.Literal) and key.this.isdigit() else 0
        item = items[place - 1] if 1 <= place <= len(items) else key
        found.append((item.this if isinstance(item, exp.Alias) else item).copy())
    return found


def _is_all(term: exp.Expr) -> bool:
    plain = isinstance(term, exp.Column) and not term.table and not term.this.quoted
    return plain and term.name.upper() == "ALL"


def _keys_of(item: exp.Expr) -> list[exp.Expr]:
    """What of an item of SELECT must be grouped by: all of it, or columns beside aggregates."""
    whole = item.this if isinstance(item, exp.Alias) else item
    if not any(is_aggregate(part) for part in whole.walk()):
        return [] if isinstance(whole, exp.Literal) else [whole]
    parts = whole.walk(prune=is_aggregate)
    return [part for part in parts if isinstance(part, exp.Column) and not is_aggregate(part)]


def is_aggregate(node: exp.Expr) -> bool:
    """Whether this is a call of an aggregate."""
    return isinstance(node, exp.Anonymous) and node.name in AGGREGATES
