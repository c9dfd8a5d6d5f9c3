"""`* EXCEPT`, `* REPLACE`, `COLUMNS('…')` and APPLY → plain items of SELECT."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import SqlError
from penstock.sql.ddl import table_name
from penstock.sql.spans import node_span
from penstock.sql.statements import CreateView

if TYPE_CHECKING:
    from penstock.catalog.catalog import Catalog


def expand_stars(select: exp.Select, catalog: Catalog) -> None:
    """Put columns in the place of stars that have a modifier; a plain `*` stays."""
    items: list[exp.Expr] = []
    for item in select.expressions:
        items.extend(_expanded(item, select, catalog))
    select.set("expressions", items)


def is_star(item: exp.Expr) -> bool:
    """Whether an item of SELECT stands for columns that it does not name."""
    return item.is_star or isinstance(item, exp.Columns | exp.Apply)


def starred(select: exp.Select, catalog: Catalog) -> set[str]:
    """The columns of tables in FROM that stars stand for; not those of queries and views there."""
    parts = [select.args.get("from_"), *(select.args.get("joins") or [])]
    sources = [part.this for part in parts if part]
    sources = [one.this if isinstance(one, exp.Final) else one for one in sources]
    found: set[str] = set()
    for item in select.expressions:
        if is_star(item):
            meant = [one for one in sources if _stands_for(item, one)]
            if all(_is_table(one, catalog) for one in meant):
                found.update(_of_tables(item, meant, select, catalog))
    return found


def _stands_for(item: exp.Expr, source: exp.Expr) -> bool:
    table = item.table if isinstance(item, exp.Column) else ""
    return not table or table == source.alias_or_name


def _is_table(source: exp.Expr, catalog: Catalog) -> bool:
    """A query of WITH has a name without a database."""
    if not isinstance(source, exp.Table) or not source.db:
        return False
    return not isinstance(catalog.entries_at(catalog.path(table_name(source))), CreateView)


def _of_tables(
    item: exp.Expr, sources: list[exp.Expr], select: exp.Select, catalog: Catalog
) -> list[str]:
    """What is replaced, or given to a function, is written."""
    if isinstance(item, exp.Apply):
        return []
    expanded = _expanded(item, select, catalog)
    if expanded != [item]:
        return [one.name for one in expanded if isinstance(one, exp.Column)]
    return [name for source in sources for name in source_columns(source, catalog)]


def _expanded(item: exp.Expr, select: exp.Select, catalog: Catalog) -> list[exp.Expr]:
    if isinstance(item, exp.Apply):
        inner = _expanded(item.this, select, catalog)
        if inner == [item.this]:
            inner = [exp.column(name) for name in _names(item, select, catalog)]
        function = item.expression.name
        return [exp.Anonymous(this=function, expressions=[one]) for one in inner]
    if isinstance(item, exp.Columns):
        pattern = re.compile(item.this.name)
        return [exp.column(n) for n in _names(item, select, catalog) if pattern.search(n)]
    if not isinstance(item, exp.Star) or not (item.args.get("except_") or item.args.get("replace")):
        return [item]
    left_out = {column.name for column in item.args.get("except_") or []}
    replaced = {alias.alias: alias for alias in item.args.get("replace") or []}
    names = [name for name in _names(item, select, catalog) if name not in left_out]
    return [replaced.get(name) or exp.column(name) for name in names]


def _names(item: exp.Expr, select: exp.Select, catalog: Catalog) -> list[str]:
    """The columns of `*`."""
    source = select.args.get("from_")
    if source is None or select.args.get("joins"):
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=node_span(item),
            clause=f"`{item.sql(dialect='clickhouse')}` over several tables",
            instead="List the columns.",
        )
    return source_columns(source.this, catalog)


def source_columns(source: exp.Expr, catalog: Catalog) -> list[str]:
    """The names of the columns that `*` has of an item of FROM."""
    if isinstance(source, exp.Subquery):
        inner = source.this
        while isinstance(inner, exp.SetOperation):
            inner = inner.this
        return [name for i in inner.selects for name in _output(i, inner, catalog)]
    name = table_name(source)
    entry = catalog.entries_at(catalog.path(name))
    if isinstance(entry, CreateView):
        query = entry.query
        return [n for i in query.selects for n in _output(i, query, catalog)]
    table = catalog.table(name, node_span(source)).table
    return [column.name for column in table.columns if not column.hidden]


def _output(item: exp.Expr, query: exp.Expr, catalog: Catalog) -> list[str]:
    if isinstance(item, exp.Star) and isinstance(query, exp.Select):
        return _names(item, query, catalog)
    return [item.alias_or_name]
