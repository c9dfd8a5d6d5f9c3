"""Which columns a query names: others need not be kept in a state."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.plan.nodes import Join, Order, Scan, SetOperation, Union
from penstock.plan.scope import Field
from penstock.plan.walk import inputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.plan.nodes import Node
    from penstock.plan.query import Query


def named_in(query: Query) -> str:
    """Every expression of a query above its tables, as one text to look for columns in."""
    return " ".join((*_texts(query.columns), *_named(query.input)))


def _named(node: Node) -> Iterator[str]:
    if isinstance(node, Scan):
        return
    if isinstance(node, Join | SetOperation | Union):
        # They take the columns of their inputs as they are.
        yield from (field.sql for child in inputs(node) for field in child.fields)
    for part in fields(node):
        if part.name != "fields":
            yield from _texts(getattr(node, part.name))
    for child in inputs(node):
        yield from _named(child)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Expr | Field):
        yield value.sql
    elif isinstance(value, Order):
        yield value.expr.sql
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
