"""A query of ClickHouse as the planner reads queries: what only ClickHouse says is said otherwise.

Aliases are put in place of their names, PREWHERE joins WHERE, ARRAY JOIN becomes UNNEST, every item
gets the name ClickHouse would give it. What cannot be said otherwise is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.connectors.merge_tree import FINAL
from penstock.errors import PlanError, SqlError
from penstock.model.option import OptionValue
from penstock.plan.clickhouse.calls import own_name
from penstock.plan.clickhouse.stars import expand_stars
from penstock.sql.clickhouse.cursor import database_name
from penstock.sql.hints import give_option
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.catalog.catalog import Catalog

_UNDERSTOOD = {
    *("expressions", "from_", "where", "group", "having", "with_", "distinct", "joins", "order"),
    *("limit", "offset", "windows", "settings", "format", "prewhere", "kind", "hint"),
}
_NO_EFFECT = ("settings", "format")
_JOINS = {"", "INNER", "CROSS", "ALL", "ARRAY"}


def rewrite(query: exp.Query, catalog: Catalog) -> exp.Query:
    """A copy of the query in the words of the planner."""
    copied = query.copy()
    for part in copied.find_all(exp.SetOperation, exp.Subquery):
        for name in _NO_EFFECT:
            part.set(name, None)
    for table in copied.find_all(exp.Table):
        if table.db:
            table.set("db", exp.to_identifier(database_name(table.db), quoted=True))
    # Inner queries first: an outer `* EXCEPT` asks for their columns.
    for select in reversed(list(copied.find_all(exp.Select))):
        _select(select, catalog)
    return copied


def _select(select: exp.Select, catalog: Catalog) -> None:
    _refuse_unknown(select)
    for name in _NO_EFFECT:
        select.set(name, None)
    _final(select)
    _join(select)
    _prewhere(select)
    _scalars(select)
    expand_stars(select, catalog)
    _own_names(select)
    _aliases(select)
    _name_items(select)


def _refuse_unknown(select: exp.Select) -> None:
    for name, value in select.args.items():
        if value and name not in _UNDERSTOOD:
            clause = name.upper().replace("_", " ").strip()
            part = value[0] if isinstance(value, list) else value
            raise _unsupported(part if isinstance(part, exp.Expr) else select, clause)
    group = select.args.get("group")
    for name in ("totals", "rollup", "cube"):
        if group and group.args.get(name):
            raise _unsupported(group, f"WITH {name.upper()}")
    order = select.args.get("order")
    for term in order.expressions if order else []:
        if term.args.get("with_fill"):
            raise _unsupported(term, "WITH FILL")


def _unsupported(node: exp.Expr, clause: str) -> SqlError:
    return SqlError(
        "UNSUPPORTED_CLAUSE",
        span=node_span(node),
        clause=clause,
        instead="Leave it out, or write the query another way.",
    )


def _final(select: exp.Select) -> None:
    """`FROM t FINAL` is the table with an option."""
    for part in [select.args.get("from_"), *(select.args.get("joins") or [])]:
        final = part.this if part else None
        if isinstance(final, exp.Final):
            table, span = final.this, node_span(final.this)
            if not isinstance(table, exp.Table):
                raise _unsupported(final, "FINAL behind anything but a table")
            give_option(table, OptionValue(FINAL, "1", span))
            final.replace(table)


def _join(select: exp.Select) -> None:
    for position, join in enumerate(select.args.get("joins") or []):
        join.set("global_", None)
        kind = (join.kind or "").upper()
        if join.side or kind not in _JOINS:
            raise PlanError(
                "UNSUPPORTED_QUERY",
                span=node_span(join),
                feature=f"{join.side or ''} {kind} JOIN".strip().replace("  ", " "),
                instead="INNER JOIN and ARRAY JOIN are supported.",
            )
        if kind == "ARRAY":
            _array_join(select, join, position)
        elif kind == "ALL":
            join.set("kind", None)


def _array_join(select: exp.Select, join: exp.Join, position: int) -> None:
    """`ARRAY JOIN a AS x` is `CROSS JOIN UNNEST(a) AS t(x)`; without AS, `a` means its elements."""
    item = join.this
    array, name = (item.this, item.alias) if isinstance(item, exp.Alias) else (item, "")
    alias = name or f"__element{position}"
    table = exp.TableAlias(
        this=exp.to_identifier(f"__unnest{position}"), columns=[exp.to_identifier(alias)]
    )
    unnest = exp.Unnest(expressions=[array.copy()], alias=table)
    join.replace(exp.Join(this=unnest, kind="CROSS"))
    if name or not isinstance(array, exp.Column):
        return
    kept = unnest.expressions[0]
    for column in list(select.find_all(exp.Column)):
        if column is not kept and column.sql() == array.sql():
            column.replace(exp.column(alias))


def _prewhere(select: exp.Select) -> None:
    prewhere = select.args.pop("prewhere", None)
    if prewhere is None:
        return
    where = select.args.get("where")
    condition = exp.and_(prewhere.this, where.this, copy=False) if where else prewhere.this
    select.set("where", exp.Where(this=condition))


def _scalars(select: exp.Select) -> None:
    """`WITH 1 AS one` names an expression."""
    clause = select.args.get("with_")
    if clause is None:
        return
    named = {c.alias: c.this for c in clause.expressions if c.args.get("scalar")}
    for cte in [c for c in clause.expressions if c.args.get("scalar")]:
        if isinstance(cte.this, exp.Query):
            raise _unsupported(cte, "WITH a scalar subquery")
        cte.pop()
    if not clause.expressions:
        select.set("with_", None)
    for part in select.walk():
        if part is not select:
            _put(part, named)


def _own_names(select: exp.Select) -> None:
    """Functions under their own names; count(DISTINCT a) is uniqExact(a)."""
    for call in list(select.find_all(exp.Anonymous)):
        if isinstance(call.parent, exp.Table):
            continue
        call.set("this", own_name(call))
        first = call.expressions[0] if call.expressions else None
        if call.name == "count" and isinstance(first, exp.Distinct):
            call.set("this", "uniqExact")
            call.set("expressions", first.expressions)
        elif call.name == "count" and isinstance(first, exp.Star):
            call.set("expressions", [])


def _aliases(select: exp.Select) -> None:
    """A name given in SELECT may be used anywhere in it, and wins over a column."""
    named = {i.alias: i.this.copy() for i in select.expressions if isinstance(i, exp.Alias)}
    named = {name: value for name, value in named.items() if not _is(value, name)}
    for name, value in list(named.items()):
        _expand(value, {k: v for k, v in named.items() if k != name})
    for item in select.expressions:
        own = item.alias if isinstance(item, exp.Alias) else ""
        _expand(item, {name: value for name, value in named.items() if name != own})
    for clause in ("where", "group", "having"):
        part = select.args.get(clause)
        if part is not None:
            _expand(part, named)
    order = select.args.get("order")
    for term in order.expressions if order else []:
        if not isinstance(term.this, exp.Column):
            _expand(term, named)


def _expand(node: exp.Expr, named: dict[str, exp.Expr]) -> None:
    for part in list(node.walk(prune=lambda n: isinstance(n, exp.Query))):
        if part is not node:
            _put(part, named)


def _put(part: exp.Expr, named: dict[str, exp.Expr]) -> None:
    if isinstance(part, exp.Column) and not part.table and part.name in named:
        part.replace(exp.Paren(this=named[part.name].copy()))


def _is(value: exp.Expr, name: str) -> bool:
    return isinstance(value, exp.Column) and value.name == name


def _name_items(select: exp.Select) -> None:
    """What has no name is called by its text."""
    items: list[exp.Expr] = []
    for item in select.expressions:
        plain = isinstance(item, exp.Alias | exp.Star) or (
            isinstance(item, exp.Column) and (isinstance(item.this, exp.Star) or not item.table)
        )
        text = item.sql(dialect="clickhouse")
        items.append(item if plain else exp.alias_(item, text, quoted=True))
    select.set("expressions", items)
