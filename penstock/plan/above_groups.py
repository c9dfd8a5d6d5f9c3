"""Groups with queries in SELECT or HAVING, or OVER above windows → the groups, a SELECT above.

SELECT k, SUM(x) FROM t GROUP BY k HAVING SUM(x) > (SELECT …)
→ SELECT g0 AS k, a0 FROM (SELECT k AS g0, SUM(x) AS a0 FROM t GROUP BY k) WHERE a0 > (SELECT …)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.plan.aggregate import is_aggregate
from penstock.plan.windows import is_group_window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.plan.language import Language

_ALIAS = "__groups"
_BELOW = ("from_", "joins", "laterals", "where")
_ABOVE = ("having", "order")


def above_groups(
    query: exp.Select, keys: Sequence[exp.Expr], language: Language
) -> exp.Select | None:
    """The query in two steps; None if it needs no more than one, or cannot be parted."""
    parts = [*query.expressions, *(query.args[part] for part in _ABOVE if query.args.get(part))]
    windowed = _are_of_windows(keys)
    asked = any(_asks(part, language, windowed=windowed) for part in parts)
    group = query.args.get("group") or exp.Group()
    sets = any(value for name, value in group.args.items() if name != "expressions")
    if not asked or sets or not all(_is_plain(key) for key in keys):
        return None
    above = query.copy()
    below = exp.Select()
    for part in (*_BELOW, "group", "with_"):
        value = above.args.get(part)
        above.set(part, None)
        if value and part in _BELOW:
            below.set(part, value)
    if keys:
        below.set("group", exp.Group(expressions=[key.copy() for key in keys]))
    lift = _Lift(list(keys), language)
    above.set("expressions", [_named(item, n, lift) for n, item in enumerate(above.expressions)])
    having = above.args.get("having")
    above.set("having", None)
    if having:
        above = above.where(lift(having.this))
    for term in above.args["order"].expressions if above.args.get("order") else []:
        term.set("this", lift(term.this))
    items = [exp.alias_(key.copy(), f"__g{n}") for n, key in enumerate(keys)]
    items += [exp.alias_(call, f"__a{n}") for n, call in enumerate(lift.calls)]
    below.set("expressions", items)
    return above.from_(below.subquery(_ALIAS))


def _asks(part: exp.Expr, language: Language, *, windowed: bool) -> bool:
    """Whether a query stands in it, but not inside of an aggregate, or OVER above windows."""
    found = part.walk(prune=lambda node: is_aggregate(node, language))
    lifted = (exp.Query, exp.Window) if windowed else exp.Query
    return any(isinstance(node, lifted) for node in found)


def _are_of_windows(keys: Sequence[exp.Expr]) -> bool:
    """Whether groups are those of windows, whose bounds a ranking above them goes by."""
    return {"window_start", "window_end"} <= {key.name for key in keys}


def _is_plain(key: exp.Expr) -> bool:
    return not is_group_window(key) and not isinstance(
        key, exp.GroupingSets | exp.Cube | exp.Rollup
    )


def _named(item: exp.Expr, position: int, lift: _Lift) -> exp.Expr:
    """An item under the name it would have had."""
    inner = item.unalias()
    own = inner.name if isinstance(inner, exp.Column) else f"EXPR${position}"
    # A query in brackets would take the name for that of a table.
    name = exp.to_identifier(item.alias or own, quoted=True)
    return exp.Alias(this=lift(inner), alias=name)


@dataclass(slots=True)
class _Lift:
    """Expressions over groups → the same over their columns; collects the aggregates."""

    keys: list[exp.Expr]
    language: Language
    calls: list[exp.Expr] = field(default_factory=list)

    def __call__(self, node: exp.Expr) -> exp.Expr:
        for number, key in enumerate(self.keys):
            if _is_same(node, key):
                return exp.column(f"__g{number}", table=_ALIAS)
        if is_aggregate(node, self.language):
            if node not in self.calls:
                self.calls.append(node.copy())
            return exp.column(f"__a{self.calls.index(node)}", table=_ALIAS)
        if isinstance(node, exp.Query):
            self._point_out(node)
            return node
        for child in list(node.iter_expressions()):
            child.replace(self(child))
        return node

    def _point_out(self, query: exp.Query) -> None:
        """What a query says of the rows around it is of the groups now."""
        own = {source.alias_or_name for source in query.find_all(exp.Table, exp.Subquery)}
        for column in list(query.find_all(exp.Column)):
            for number, key in enumerate(self.keys):
                if column.table and column.table not in own and _is_same(column, key):
                    column.replace(exp.column(f"__g{number}", table=_ALIAS))


def _is_same(node: exp.Expr, key: exp.Expr) -> bool:
    """Whether an expression is the key, be it that only one of them names its table."""
    if isinstance(node, exp.Column) and isinstance(key, exp.Column):
        tables = {node.table, key.table} - {""}
        return node.name == key.name and len(tables) < 2
    return node == key
