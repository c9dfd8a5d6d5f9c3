"""Queries that stand for values; those over the same rows are read and joined as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.plan.aggregate import is_aggregate
from penstock.plan.membership import PAIRS, WHOLE, outside_of_queries
from penstock.sql.hints import hint_options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.plan.build import Builder


@dataclass(frozen=True, slots=True)
class Values:
    """Queries of one value each, and the one that has a column for each of them."""

    queries: tuple[exp.Subquery, ...]
    query: exp.Subquery


def value_queries(node: exp.Expr) -> list[exp.Subquery]:
    """The queries in an expression that stand for a value; that of an IN, ANY or ALL is none."""
    others = (exp.In, exp.Any, exp.All)
    parts = outside_of_queries(node)
    return [p for p in parts if isinstance(p, exp.Subquery) and not isinstance(p.parent, others)]


def by_rows(builder: Builder, queries: Iterable[exp.Subquery]) -> list[Values]:
    """The queries, those together that aggregate the same rows."""
    found: dict[str, list[exp.Subquery]] = {}
    for number, query in enumerate(queries):
        key = _rows(builder, query) if _aggregates(builder, query) else str(number)
        found.setdefault(key, []).append(query)
    return [Values(tuple(same), _together(same)) for same in found.values()]


def _aggregates(builder: Builder, query: exp.Subquery) -> bool:
    """Whether a query has one row, made of all its rows."""
    select = query.this
    if (
        not isinstance(select, exp.Select)
        or len(select.expressions) != 1
        or any(select.args.get(part) for part in WHOLE)
    ):
        return False
    parts = [*outside_of_queries(select.expressions[0])]
    return not any(isinstance(part, exp.Window) for part in parts) and any(
        is_aggregate(part, builder.language) for part in parts
    )


def _rows(builder: Builder, query: exp.Subquery) -> str:
    """The query without what it makes of its rows, how its tables are read, what rows must meet."""
    rows = query.this.copy()
    rows.set("expressions", [])
    options = [
        f"{number} {option.key}={option.value}"
        for number, table in enumerate(rows.find_all(exp.Table))
        for option in hint_options(table)
    ]
    met = (part for pair in query.meta.get(PAIRS) or [] for part in pair)
    texts = (part.sql(dialect=builder.language.name, comments=False) for part in (rows, *met))
    return "; ".join((*texts, *options))


def _together(queries: list[exp.Subquery]) -> exp.Subquery:
    first, *others = queries
    if not others:
        return first
    items = [query.this.expressions[0].unalias() for query in queries]
    select = first.this.copy()
    select.set("expressions", [exp.alias_(item.copy(), f"__v{i}") for i, item in enumerate(items)])
    together = exp.Subquery(this=select)
    together.meta[PAIRS] = first.meta.get(PAIRS) or []
    return together
