"""A key of a table as the script wrote it → its expressions."""

from __future__ import annotations

from sqlglot import exp

from penstock.sql.clickhouse.cursor import Cursor
from penstock.sql.clickhouse.dialect import ClickHouse


def parts_of(text: str) -> list[exp.Expr]:
    """The expressions of a key."""
    return elements(Cursor(ClickHouse().tokenize(text), text).expression())


def elements(node: exp.Expr) -> list[exp.Expr]:
    """What stands in a tuple, or the one expression."""
    while isinstance(node, exp.Paren):
        node = node.this
    is_tuple = isinstance(node, exp.Tuple) or (
        isinstance(node, exp.Anonymous) and node.name.lower() == "tuple"
    )
    return list(node.expressions) if is_tuple else [node]


def plain_columns(text: str) -> tuple[str, ...]:
    """Those expressions of a key that are columns as they are."""
    parts = parts_of(text) if text else []
    return tuple(part.name for part in parts if isinstance(part, exp.Column))
