"""A query of ClickHouse as the planner reads queries: what only ClickHouse says is said otherwise.

Aliases are put in place of their names, PREWHERE joins WHERE, ARRAY JOIN becomes UNNEST, every item
gets the name ClickHouse would give it. What cannot be said otherwise is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.catalog.paths import DEFAULT_DATABASE
from penstock.connectors.merge_tree import FINAL
from penstock.errors import PenstockError, SqlError
from penstock.model.option import OptionValue
from penstock.plan.clickhouse.above import rewrite_qualify
from penstock.plan.clickhouse.aliases import (
    NOT_GIVEN,
    dotted,
    replace_aliases,
    replace_scalars,
)
from penstock.plan.clickhouse.array_joins import rewrite_array_joins
from penstock.plan.clickhouse.calls import own_name
from penstock.plan.clickhouse.groups import rewrite_groups
from penstock.plan.clickhouse.item_names import item_name
from penstock.plan.clickhouse.joins import mark_nulls, rewrite_joins
from penstock.plan.clickhouse.stars import expand_stars, source_columns
from penstock.plan.clickhouse.table_functions import rewrite_table_functions
from penstock.sql.clickhouse.cursor import database_name
from penstock.sql.clickhouse.dialect import LimitBy
from penstock.sql.functions.clickhouse.windows import FRAMELESS
from penstock.sql.hints import give_option
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.catalog.catalog import Catalog

_UNDERSTOOD = {
    *("expressions", "from_", "where", "group", "having", "with_", "distinct", "joins", "order"),
    *("limit", "limit_by", "offset", "windows", "settings", "format", "prewhere", "kind", "hint"),
    "qualify",
}
_CURRENT_DATABASE = ("currentDatabase", "current_database")
_NO_EFFECT = ("settings", "format")
_OTHERWISE = "Leave it out, or write the query another way."
_ROLLUP = "Write WITH ROLLUP, which has a row of all groups among the others."


def rewrite(query: exp.Query, catalog: Catalog) -> exp.Query:
    """A copy of the query in the words of the planner."""
    copied = prepared(query, catalog)
    for part in copied.find_all(exp.SetOperation, exp.Subquery):
        for name in _NO_EFFECT:
            part.set(name, None)
    # Inner queries first: an outer `* EXCEPT` asks for their columns.
    for part in reversed(list(copied.find_all(exp.Select, exp.SetOperation))):
        if isinstance(part, exp.Select):
            _select(part, catalog)
        else:
            replace_scalars(part)
    return copied


def prepared(query: exp.Query, catalog: Catalog) -> exp.Query:
    """A copy of the query, its items and sources as they are rewritten."""
    copied = with_databases(query)
    mark_nulls(copied)
    _numbers(copied)
    rewrite_table_functions(copied)
    _databases(copied, catalog)
    return copied


def _numbers(query: exp.Query) -> None:
    """`a.1.2` is an element of an element: the numbers were read as one."""
    for column in list(query.find_all(exp.Column)):
        first, *rest = column.name.split(".")
        if rest and column.table and column.name.replace(".", "").isdigit():
            column.this.set("this", first)
            column.replace(dotted(column, [exp.to_identifier(name) for name in rest]))


def _databases(query: exp.Query, catalog: Catalog) -> None:
    """The name of the database that is used, in place of the call that asks for it."""
    own = (
        "default" if catalog.namespace.database == DEFAULT_DATABASE else catalog.namespace.database
    )
    for call in list(query.find_all(exp.Anonymous)):
        if call.name in _CURRENT_DATABASE and not call.expressions:
            named = exp.Literal.string(own)
            is_item = isinstance(call.parent, exp.Select) and call.arg_key == "expressions"
            call.replace(exp.alias_(named, f"{call.name}()", quoted=True) if is_item else named)


def with_databases(query: exp.Query) -> exp.Query:
    """A copy of the query with the catalog's names of databases."""
    copied = query.copy()
    for table in copied.find_all(exp.Table):
        if table.db:
            table.set("db", exp.to_identifier(database_name(table.db), quoted=True))
    return copied


def _select(select: exp.Select, catalog: Catalog) -> None:
    _refuse_unknown(select)
    for name in _NO_EFFECT:
        select.set(name, None)
    _final(select)
    _distinct_on(select)
    _prewhere(select)
    expand_stars(select, catalog)
    # What follows puts other things in the place of names.
    _name_items(select, catalog)
    rewrite_joins(select, catalog)
    replace_scalars(select)
    _filters(select)
    _own_names(select)
    _frames(select)
    replace_aliases(select)
    rewrite_groups(select)
    rewrite_array_joins(select)
    rewrite_qualify(select)


def _refuse_unknown(select: exp.Select) -> None:
    for name, value in select.args.items():
        if value and name not in _UNDERSTOOD:
            clause = name.upper().replace("_", " ").strip()
            part = value[0] if isinstance(value, list) else value
            raise _unsupported(part if isinstance(part, exp.Expr) else select, clause)
    group = select.args.get("group")
    if group and group.args.get("totals"):
        raise _unsupported(group, "WITH TOTALS", _ROLLUP)


def _unsupported(node: exp.Expr, clause: str, instead: str = _OTHERWISE) -> SqlError:
    return SqlError("UNSUPPORTED_CLAUSE", span=node_span(node), clause=clause, instead=instead)


def _final(select: exp.Select) -> None:
    """`FROM t FINAL` is the table with an option."""
    for part in [select.args.get("from_"), *(select.args.get("joins") or [])]:
        final = part.this if part else None
        if isinstance(final, exp.Final):
            table, span = final.this, node_span(final.this)
            if not isinstance(table, exp.Table):
                raise _unsupported(final, "FINAL behind anything but a table")
            if prewhere := select.args.get("prewhere"):
                raise _before_merging(prewhere)
            give_option(table, OptionValue(FINAL, "1", span))
            final.replace(table)


def _before_merging(prewhere: exp.Expr) -> SqlError:
    """ClickHouse would leave out rows that others are merged with."""
    return SqlError(
        "UNSUPPORTED_CLAUSE",
        span=node_span(prewhere),
        clause="PREWHERE of a table with FINAL, which filters before rows are merged,",
        instead="Write WHERE, which filters the merged rows.",
    )


def _distinct_on(select: exp.Select) -> None:
    """`DISTINCT ON (a)` is `LIMIT 1 BY a`."""
    distinct = select.args.get("distinct")
    if distinct is None or distinct.args.get("on") is None:
        return
    on = distinct.args["on"]
    if select.args.get("limit_by"):
        raise _unsupported(distinct, "DISTINCT ON beside LIMIT BY")
    select.set("distinct", None)
    by = on.expressions if isinstance(on, exp.Tuple) else [on]
    select.set("limit_by", LimitBy(this=exp.Literal.number(1), expressions=by))


def _prewhere(select: exp.Select) -> None:
    prewhere = select.args.pop("prewhere", None)
    if prewhere is None:
        return
    where = select.args.get("where")
    condition = exp.and_(prewhere.this, where.this, copy=False) if where else prewhere.this
    select.set("where", exp.Where(this=condition))


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


def _filters(select: exp.Select) -> None:
    """`sum(a) FILTER (WHERE b)` is `sumIf(a, b)`."""
    for part in list(select.find_all(exp.Filter)):
        call, test = part.this, part.expression.this
        if isinstance(call, exp.Anonymous):
            named = exp.Anonymous(this=f"{call.name}If", expressions=[*call.expressions, test])
            named.meta.update(call.meta)
            part.replace(named)


def _frames(select: exp.Select) -> None:
    """Ranks and their like look at all rows of the partition; Spark takes no frame for them."""
    for window in select.find_all(exp.Window):
        call, frame = window.this, window.args.get("spec")
        if not isinstance(call, exp.Anonymous) or call.name not in FRAMELESS:
            continue
        bounds = (frame.args.get("start"), frame.args.get("end")) if frame else ("", "")
        if call.name == "leadInFrame" and bounds[1] != "UNBOUNDED":
            raise _unsupported(window, "leadInFrame in a frame without UNBOUNDED FOLLOWING")
        if call.name == "lagInFrame" and frame and bounds[0] != "UNBOUNDED":
            raise _unsupported(window, "lagInFrame in a frame without UNBOUNDED PRECEDING")
        window.set("spec", None)
        if not window.args.get("order") and not window.alias:
            # Spark asks for an order; without one any is right.
            window.set("order", exp.Order(expressions=[exp.Ordered(this=exp.Null())]))


def _name_items(select: exp.Select, catalog: Catalog) -> None:
    """What has no name is called as ClickHouse does; `t.a` is `a` if it can be."""
    items: list[exp.Expr] = []
    for item in select.expressions:
        if not _is_plain(item):
            item = exp.alias_(item, _name(item, select, catalog), quoted=True)
            item.meta[NOT_GIVEN] = True
        items.append(item)
    select.set("expressions", items)


def _is_plain(item: exp.Expr) -> bool:
    return isinstance(item, exp.Alias | exp.Star) or (
        isinstance(item, exp.Column) and (isinstance(item.this, exp.Star) or not item.table)
    )


def shown_name(item: exp.Expr, select: exp.Select, catalog: Catalog) -> str:
    """What a column is called that an item of SELECT gives."""
    return item.alias_or_name if _is_plain(item) else _name(item, select, catalog)


def _name(item: exp.Expr, select: exp.Select, catalog: Catalog) -> str:
    shown = item.copy()
    for column in list(shown.find_all(exp.Column)):
        by_number = column.name.isdigit() and len(column.parts) == 2
        if column.table and not by_number and _is_own(column, select, catalog):
            column.parts[0].pop()
    return item_name(shown)


def _is_own(column: exp.Column, select: exp.Select, catalog: Catalog) -> bool:
    """Whether `t.a` is what `a` alone would mean: no table before `t` has such a column."""
    start = select.args.get("from_")
    sources = [part.this for part in [start, *(select.args.get("joins") or [])] if part]
    table, name, *_ = (part.name for part in column.parts)
    for source in sources:
        if not isinstance(source, exp.Table | exp.Subquery):
            return False
        if table == source.alias_or_name:
            return True
        if _may_have(source, name, catalog):
            return False
    return False


def _may_have(source: exp.Expr, name: str, catalog: Catalog) -> bool:
    try:
        return name in source_columns(source, catalog)
    except PenstockError:
        # A query of WITH is no table of the catalog.
        return True
