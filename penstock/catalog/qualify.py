"""A view's query with every table named in full, so that a later USE does not change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

if TYPE_CHECKING:
    from penstock.catalog.paths import Namespace


def qualify(query: exp.Query, namespace: Namespace) -> exp.Query:
    """A copy of the query; names of its own WITH clauses stay as they are."""
    copied = query.copy()
    for table in list(copied.find_all(exp.Table)):
        if isinstance(table.this, exp.Identifier) and not _is_with(table) and not table.catalog:
            table.set("catalog", exp.to_identifier(namespace.catalog, quoted=True))
            if not table.db:
                table.set("db", exp.to_identifier(namespace.database, quoted=True))
    return copied


def _is_with(table: exp.Table) -> bool:
    """Whether a name is that of a WITH query it can see."""
    if table.db:
        return False
    node: exp.Expr | None = table
    inside: exp.Expr | None = None
    while node is not None:
        if isinstance(node, exp.CTE):
            inside = node
        clause = node.args.get("with_")
        for cte in clause.expressions if clause else []:
            if cte is inside:
                break
            if cte.alias == table.name:
                return True
        node = node.parent
    return False
