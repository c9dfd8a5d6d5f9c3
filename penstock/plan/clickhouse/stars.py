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
    from collections.abc import Iterable

    from penstock.catalog.catalog import Catalog


def expand_stars(select: exp.Select, catalog: Catalog) -> None:
    """Put columns in the place of stars that have a modifier; a plain `*` stays."""
    items: list[exp.Expr] = []
    for item in select.expressions:
        items.extend(_expanded(item, select, catalog))
    select.set("expressions", items)


def starred(query: exp.Query, names: Iterable[str]) -> set[str]:
    """Those of a query's columns that only a star stands for."""
    while isinstance(query, exp.SetOperation):
        query = query.this
    items = query.selects
    stars = [item for item in items if item.is_star or isinstance(item, exp.Columns | exp.Apply)]
    said = {item.alias_or_name for item in items if item not in stars}
    return {name for name in names if name not in said} if stars else set()


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
