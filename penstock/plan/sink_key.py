"""How the key of the rows that a query gives stands to the key of the table they go to.

`plan.insert` asks: what differs must be told of, or kept.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from penstock.model.types import quote
from penstock.plan.keys import follows_key, is_single_row, key_of, same_columns
from penstock.plan.nodes import Filter, Project
from penstock.sql.lossless import is_kept_by

if TYPE_CHECKING:
    from penstock.model.expression import Expr
    from penstock.plan.nodes import Node
    from penstock.plan.query import Query


class SinkKey(Enum):
    """What the key of a table is to the rows that go to it."""

    # Of one key of the rows there is one key of the table, and of that no other.
    SAME = auto()
    # Rows of two keys never have one key of the table, but a row may get another one.
    FINER = auto()
    # Rows of several keys may have one key of the table.
    OTHER = auto()


def sink_key(query: Query) -> SinkKey:
    """By what the rows of a query are known in its sink; without a key of its own by theirs."""
    if not query.spec.key:
        return SinkKey.SAME if key_of(query.input) else SinkKey.FINER
    columns = [expr for name, expr in query.columns if name in query.spec.key]
    node = query.input
    named = [_column_of(expr, node) for expr in columns]
    while isinstance(node, Filter | Project):
        if isinstance(node, Project):
            below = {quote(name): expr for name, expr in node.columns}
            named = [_column_of(below[sql], node.input) if sql else "" for sql in named]
        node = node.input
    key, same = key_of(node), same_columns(node)
    if not (key or is_single_row(node)):
        return SinkKey.OTHER
    if not all(part in named or same.get(part, part) in named for part in key):
        return SinkKey.OTHER
    follows = (follows_key(expr.sql, query.input) for expr in columns)
    return SinkKey.SAME if all(follows) else SinkKey.FINER


def _column_of(expr: Expr, node: Node) -> str:
    """The column of a step that an expression tells apart as well as it does itself, or "".

    A part of its key that is no column of it is found as it is.
    """
    if expr.sql in key_of(node):
        return expr.sql
    kept = (field.sql for field in node.fields if is_kept_by(field.sql, field.type, expr))
    return next(kept, "")
