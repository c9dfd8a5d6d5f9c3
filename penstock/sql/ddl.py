"""A parsed table reference → its name as written."""

from __future__ import annotations

from sqlglot import exp

from penstock.sql.names import joined


def table_name(node: exp.Expr) -> str:
    """A table's name as written, its parts joined by dots; `catalog` knows which one it means."""
    if not isinstance(node, exp.Table):
        return node.name
    return joined(part.name for part in node.parts)
