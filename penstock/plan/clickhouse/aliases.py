"""Names that a query gives to expressions → the expressions in their place.

They are given in `WITH a + 1 AS x`, in SELECT, and inside of others: `toDate(a + 1 AS x)`.
`rewrite` calls this when the items of SELECT have their names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.plan.clickhouse.randoms import drawn_again, random_calls, refuse_repeats
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# The mark of an item whose name the script does not say: `t.a` called `a` is not all that `a` is.
NOT_GIVEN = "not given"
_PARTS = ("expressions", "where", "group", "having", "qualify", "order", "limit_by")


def replace_scalars(query: exp.Query) -> None:
    """`WITH 1 AS one` names an expression, also for the queries inside."""
    clause = query.args.get("with_")
    scalars = [c for c in clause.expressions if c.args.get("scalar")] if clause else []
    if clause is None or not scalars:
        return
    given = {c.alias: c.this for c in scalars}
    named = {name: _whole(name, given) for name in given}
    refuse_repeats(query, named)
    for cte in scalars:
        cte.pop()
    if not clause.expressions:
        query.set("with_", None)
    for part in list(query.walk()):
        if part is not query and not _sorts_by_item(part):
            _put(part, named)


def _sorts_by_item(part: exp.Expr) -> bool:
    """Whether it is a name in ORDER BY that an item of SELECT has."""
    term = part.parent
    select = term.parent_select if isinstance(term, exp.Ordered) else None
    return select is not None and part.name in {item.alias_or_name for item in select.expressions}


def replace_aliases(select: exp.Select) -> None:
    """A name given in SELECT may be used anywhere in it, and wins over a column."""
    inside = _inside(select)
    items = {i.alias: i.this for i in select.expressions if isinstance(i, exp.Alias)}
    said = {i.alias: i.this for i in select.expressions if i.alias and NOT_GIVEN not in i.meta}
    given = {name: value for name, value in {**inside, **said}.items() if not _is(value, name)}
    named = {name: _whole(name, given) for name in given}
    for item in select.expressions:
        own = item.alias if isinstance(item, exp.Alias) else ""
        _expand(item, {name: value for name, value in named.items() if name != own})
    for clause in ("where", "group", "having", "qualify"):
        part = select.args.get(clause)
        if part is not None:
            _expand(part, named, again=clause != "group")
    order = select.args.get("order")
    for term in order.expressions if order else []:
        by_item = isinstance(term.this, exp.Column) and term.this.name in items
        if not by_item or term.this.table:
            _expand(term, named)


def _inside(select: exp.Select) -> dict[str, exp.Expr]:
    """What has a name inside of another expression, which is left without it."""
    found: dict[str, exp.Expr] = {}
    for part in _own_parts(select):
        if isinstance(part, exp.Alias) and part.parent is not select:
            found[part.alias] = part.this
            part.replace(exp.Paren(this=part.this))
    return found


def _own_parts(select: exp.Select) -> Iterator[exp.Expr]:
    for name in _PARTS:
        found = select.args.get(name) or []
        for part in found if isinstance(found, list) else [found]:
            yield from list(part.walk(prune=lambda n: isinstance(n, exp.Query)))


def _whole(name: str, given: dict[str, exp.Expr]) -> exp.Expr:
    """What a name stands for, without other names: a column, or an expression in parentheses."""
    whole = exp.Paren(this=given[name].copy())
    others = {other: value for other, value in given.items() if other != name}
    for part in list(whole.walk(prune=lambda n: isinstance(n, exp.Query))):
        if first := _named(part, others):
            _put(part, {first: _whole(first, others)})
    return whole.this if isinstance(whole.this, exp.Column) else whole


def _expand(node: exp.Expr, named: Mapping[str, exp.Expr], *, again: bool = True) -> None:
    for part in list(node.walk(prune=lambda n: isinstance(n, exp.Query))):
        first = _named(part, named)
        if first and again and random_calls(named[first]):
            raise drawn_again(first, node_span(part))
        _put(part, named)


def _put(part: exp.Expr, named: Mapping[str, exp.Expr]) -> None:
    first = _named(part, named)
    if not first:
        return
    value = dotted(named[first], part.parts[1:] if isinstance(part, exp.Column) else [])
    is_item = isinstance(part.parent, exp.Select) and part.arg_key == "expressions"
    part.replace(exp.alias_(value, part.name, quoted=True) if is_item else value)


def dotted(value: exp.Expr, names: Iterable[exp.Expr]) -> exp.Expr:
    """An element of a value, by what stands behind its dots."""
    found = value.copy()
    for name in names:
        found = exp.Dot(this=found, expression=name.copy())
    return found


def _named(part: exp.Expr, named: Mapping[str, exp.Expr]) -> str:
    """The name that a column, or what is before its first dot, is; none if it is a table's."""
    if not isinstance(part, exp.Column) or isinstance(part.this, exp.Star):
        return ""
    first, *rest = (one.name for one in part.parts)
    if first not in named or (rest and _is_source(part, first, named[first])):
        return ""
    return first


def _is_source(part: exp.Column, first: str, value: exp.Expr) -> bool:
    """Whether `t.a` is of a table or a column `t`, though something else has that name too.

    In `SELECT t.a AS t, t.b` it is what it was in `t.a`.
    """
    if any(c.table and c.parts[0].name == first for c in value.find_all(exp.Column)):
        return True
    select = part.parent_select
    return select is not None and first in _sources(select) and not part.name.isdigit()


def _sources(select: exp.Select) -> set[str]:
    """The names of the tables in FROM."""
    parts = [select.args.get("from_"), *(select.args.get("joins") or [])]
    return {part.this.alias_or_name for part in parts if part}


def _is(value: exp.Expr, name: str) -> bool:
    return isinstance(value, exp.Column) and not value.table and value.name == name
