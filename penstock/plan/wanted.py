"""Which columns the steps above a step use: the others need not be kept, nor computed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.model.types import quote
from penstock.plan.keys import key_of
from penstock.plan.nodes import (
    Aggregate,
    Expand,
    Filter,
    Join,
    Node,
    Over,
    Project,
    Rank,
    Scan,
    Sort,
    Unnest,
    WindowAggregate,
)
from penstock.plan.walk import inputs, rebuilt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.plan.nodes import Named


def texts(named: Named) -> str:
    """Expressions one behind the other: what they do not name, they do not use."""
    return " ".join(expr.sql for _, expr in named)


def wanted_below(node: Node, wanted: str) -> str:
    """What a step asks of its inputs, if `wanted` is asked of it; both as texts of expressions."""
    match node:
        case Project():
            return texts(tuple(named for named in node.columns if quote(named[0]) in wanted))
        case Aggregate() | WindowAggregate():
            return f"{texts(node.keys)} {texts(node.aggregates)}"
        case Filter():
            return f"{wanted} {node.condition.sql}"
        case Unnest():
            return f"{wanted} {node.collection.sql}"
        case Rank():
            by = (*node.partition, *(order.expr for order in node.order))
            return " ".join((wanted, *(expr.sql for expr in by)))
        case Over():
            by = (*node.partition, *(order.expr for order in node.order))
            return " ".join((wanted, texts(node.functions), *(expr.sql for expr in by)))
        case Sort():
            return " ".join((wanted, *(order.expr.sql for order in node.order)))
        case Join() if node.form == "regular" or node.takes_late:
            return _wanted_of_sides(node, wanted)
        case Scan() | Expand():
            return wanted
        case _:
            taken = (field.sql for child in inputs(node) for field in child.fields)
            return " ".join((wanted, *taken))


def _wanted_of_sides(node: Join, wanted: str) -> str:
    """The columns of both sides that are asked for, or by which rows are joined or known."""
    asked = " ".join((wanted, *(expr.sql for expr in node.conditions), *key_of(node)))
    return " ".join(
        field.sql
        for letter, side in zip("lr", (node.left, node.right), strict=True)
        for number, field in enumerate(side.fields)
        if quote(f"j{node.tag}{letter}{number}") in asked
    )


def wanted_by_step(node: Node, wanted: str) -> Iterator[tuple[Node, str]]:
    """Every step from here down with what is asked of it."""
    yield node, wanted
    for child in inputs(node):
        yield from wanted_by_step(child, wanted_below(node, wanted))


def without_unused_numbers(node: Node, wanted: str) -> Node:
    """The plan in which rankings whose number nobody asks for give none."""
    if isinstance(node, Rank):
        node = replace(node, numbered=quote(node.column) in wanted)
    below = wanted_below(node, wanted)
    return rebuilt(node, [without_unused_numbers(child, below) for child in inputs(node)])
