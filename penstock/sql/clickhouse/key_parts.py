"""A key of a table as the script wrote it → its expressions."""

from __future__ import annotations

from sqlglot import exp

from penstock.sql.clickhouse.cursor import Cursor
from penstock.sql.clickhouse.dialect import ClickHouse


def parts_of(text: str) -> list[exp.Expr]:
    """The expressions of a key."""
    return elements(_read(text))


def elements(node: exp.Expr) -> list[exp.Expr]:
    """What stands in a tuple, or the one expression."""
    while isinstance(node, exp.Paren):
        node = node.this
    return list(node.expressions) if _is_tuple(node) else [node]


def inner_text(text: str) -> str:
    """A key as system tables show it: a tuple without the parentheses around it."""
    if not text or not _is_tuple(_read(text)):
        return text
    return text[text.index("(") + 1 : text.rindex(")")].strip()


def _read(text: str) -> exp.Expr:
    return Cursor(ClickHouse().tokenize(text), text).expression()


def _is_tuple(node: exp.Expr) -> bool:
    is_call = isinstance(node, exp.Anonymous) and node.name.lower() == "tuple"
    return is_call or isinstance(node, exp.Tuple)


def plain_columns(text: str) -> tuple[str, ...]:
    """Those expressions of a key that are columns as they are."""
    parts = parts_of(text) if text else []
    return tuple(part.name for part in parts if isinstance(part, exp.Column))


def columns_of(text: str) -> frozenset[str]:
    """The columns that a key is made of, also those inside of its expressions."""
    parts = parts_of(text) if text else []
    found = (column for part in parts for column in part.find_all(exp.Column))
    return frozenset(map(dotted, found))


def dotted(column: exp.Column) -> str:
    """The name of a column, of a Nested with its part."""
    return ".".join(part.name for part in column.parts)
