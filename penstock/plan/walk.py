"""Walks over plans: what a step reads from, and which tables stand below it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.base import FileSource
from penstock.connectors.delta import DeltaSource, DeltaTarget
from penstock.plan.nodes import (
    ORDER_COLUMN,
    Aggregate,
    Expand,
    Filter,
    Join,
    Node,
    Normalize,
    Over,
    Project,
    Rank,
    Scan,
    SetOperation,
    Sort,
    Union,
    Unnest,
    Values,
    Window,
    WindowAggregate,
)
from penstock.plan.query import Execution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.plan.query import Query, ScriptPlan


_DELTA = (DeltaSource, DeltaTarget)
# Makes of each row others, whatever came before.
ROW_BY_ROW = (Filter, Project, Scan, Union, Unnest, Values)


def inputs(node: Node) -> tuple[Node, ...]:
    """The nodes a node reads from."""
    match node:
        case Scan() | Values():
            return ()
        case Union():
            return node.inputs
        case Join() | SetOperation():
            return (node.left, node.right)
        case _:
            return (node.input,)


def rebuilt(node: Node, children: Sequence[Node]) -> Node:
    """The same step over other inputs."""
    match node:
        case Scan() | Values() | Normalize():
            return node
        case Union():
            return replace(node, inputs=tuple(children))
        case Join() | SetOperation():
            return replace(node, left=children[0], right=children[1])
        case _:
            return replace(node, input=children[0])


def scans(node: Node) -> tuple[Scan, ...]:
    """Every table reference below a node, in reading order."""
    if isinstance(node, Scan):
        return (node,)
    return tuple(scan for child in inputs(node) for scan in scans(child))


def kept_scans(node: Node) -> tuple[Scan, ...]:
    """The same without tables that are looked up as they are: nothing is remembered of them."""
    if isinstance(node, Scan):
        return (node,)
    read = (node.left,) if isinstance(node, Join) and node.current else inputs(node)
    return tuple(scan for child in read for scan in kept_scans(child))


def broken_off(node: Node, *, enough: bool = False) -> tuple[Scan, ...]:
    """The tables of a query that ends which need not be read to their end: a LIMIT has enough.

    What groups or orders rows asks for all of them, whatever is taken of its result.
    """
    match node:
        case Scan():
            return (node,) if enough else ()
        case Sort(limit=int(limit)) if not node.order or limit == 0:
            enough = True
        case Sort(order=order) if order:
            enough = False
        case Aggregate() | WindowAggregate() | Over() | Rank():
            enough = False
    return tuple(scan for child in inputs(node) for scan in broken_off(child, enough=enough))


def reads_files_only(node: Node) -> bool:
    """Whether every source is a file bound in place of a table."""
    return all(isinstance(scan.spec.source, FileSource) for scan in scans(node))


def arrival_order(node: Node) -> str:
    """The hidden column by which the rows of a step came, "" where two streams have met."""
    if isinstance(node, Scan | Values):
        return ORDER_COLUMN
    if isinstance(node, Filter | Project | Window | Expand | Unnest | Union):
        return ORDER_COLUMN if all(arrival_order(child) for child in inputs(node)) else ""
    return ""


def uses_arrival_order(node: Node) -> bool:
    """Whether an aggregate of the plan goes by the order in which rows came."""
    named = node.aggregates if isinstance(node, Aggregate | WindowAggregate) else ()
    asked = any(ORDER_COLUMN in expr.sql for _, expr in named)
    if isinstance(node, Over | Rank):
        asked = any(order.expr.sql == ORDER_COLUMN for order in node.order)
    return asked or any(uses_arrival_order(child) for child in inputs(node))


def on_processing_time(node: Node) -> bool:
    """Whether the window that the rows of a step have is one on processing time."""
    if isinstance(node, Window):
        return node.time.proctime
    return any(map(on_processing_time, inputs(node)))


def needs_delta(plan: ScriptPlan) -> bool:
    """Whether a script has a Delta table, of its warehouse or named by its folder."""
    sources = [s.spec.source for q in plan.queries for s in scans(q.input)]
    targets = [q.spec.target for q in plan.queries]
    return bool(plan.steps) or any(isinstance(s, _DELTA) for s in (*sources, *targets))


def runs_once(query: Query) -> bool:
    """Whether a query reads what is there and ends: as a batch, though it may need its state."""
    changelog = query.execution is Execution.CHANGELOG
    return query.execution is Execution.BATCH or (
        changelog and all(scan.spec.bounded for scan in scans(query.input))
    )
