"""Which rows travel along each edge: inserts only, or updates and deletes too.

`infer` walks a plan and gives each step its changelog mode and its key, by the rules of Flink's
planner. `explain` shows them, `plan.execution` chooses by them how a query runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.model.changelog import ChangelogMode
from penstock.plan.frames import time_of
from penstock.plan.keys import is_single_row, is_versioned, key_of, takes_upserts
from penstock.plan.nodes import (
    ORDER_COLUMN,
    Aggregate,
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
    Window,
    WindowAggregate,
)
from penstock.plan.rank import is_window_rank
from penstock.plan.walk import arrival_order, inputs, scans

if TYPE_CHECKING:
    from collections.abc import Callable

NONE: frozenset[str] = frozenset()
_UPDATE = frozenset({"update"})
_ALL = frozenset({"update", "delete"})


@dataclass(frozen=True, slots=True)
class Step:
    """A node of the plan with what was found out about it.

    `changes` are the kinds of rows beside inserts; `key` the columns that name a row, in Spark SQL.
    """

    node: Node
    mode: ChangelogMode
    changes: frozenset[str]
    key: tuple[str, ...]
    inputs: tuple[Step, ...]


def infer(node: Node, *, needs_before: bool = False) -> Step:
    """The plan, step by step; `needs_before`: the step above must see the old row of an update."""
    steps = tuple(
        infer(child, needs_before=_asks_before(node, side, needs_before=needs_before))
        for side, child in enumerate(inputs(node))
    )
    changes = _changes(node, steps)
    mode = _mode(node, steps, changes, needs_before=needs_before)
    return Step(node, mode, changes, key_of(node), steps)


def first_change(step: Step) -> Step:
    """The lowest step that gives more than inserts."""
    for child in step.inputs:
        if child.changes:
            return first_change(child)
    return step


def kept_order(node: Node) -> str:
    """The column of places at which rows came, by which lists are made.

    Sessions over changes go by time.
    """
    return "" if infer(node).changes and _in_session(node) else arrival_order(node)


def _in_session(node: Node) -> bool:
    own = isinstance(node, Window) and node.kind == "SESSION"
    return own or any(map(_in_session, inputs(node)))


def _asks_before(node: Node, side: int, *, needs_before: bool) -> bool:
    """Whether a step must see the old rows of an input, for itself or for the step above it."""
    if isinstance(node, Normalize):
        return False
    passes_on = needs_before and not isinstance(node, Join)
    return passes_on or not takes_upserts(node, side)


def _mode(
    node: Node, steps: tuple[Step, ...], changes: frozenset[str], *, needs_before: bool
) -> ChangelogMode:
    if not changes:
        return ChangelogMode.APPEND
    if needs_before:
        return ChangelogMode.RETRACT
    if isinstance(node, Scan):
        return ChangelogMode.UPSERT if node.by_key else node.spec.mode
    if isinstance(node, Project) or (isinstance(node, Filter) and takes_upserts(node)):
        return steps[0].mode
    return ChangelogMode.UPSERT if _knows_by_key(node) else ChangelogMode.RETRACT


def _knows_by_key(node: Node) -> bool:
    """Whether a step can leave out the old row of an update: its key says which one it is.

    Of a step that gives one row the next one can only replace it.
    """
    keyed = isinstance(node, Join | Rank | Sort) and bool(key_of(node))
    return keyed or is_single_row(node) or isinstance(node, Aggregate | Normalize)


def _changes(node: Node, steps: tuple[Step, ...]) -> frozenset[str]:
    if is_bounded(node) and not changing_scans(node):
        return NONE
    counted = (step for side, step in enumerate(steps) if not is_versioned(node, side))
    below = NONE.union(*(step.changes for step in counted))
    rule = _RULES.get(type(node))
    return rule(node, below) if rule else below


def _scan_changes(node: Scan, below: frozenset[str]) -> frozenset[str]:
    return NONE if node.spec.mode is ChangelogMode.APPEND else _ALL


def _aggregate_changes(node: Aggregate, below: frozenset[str]) -> frozenset[str]:
    return _ALL if below else _UPDATE


def _window_changes(node: WindowAggregate, below: frozenset[str]) -> frozenset[str]:
    return NONE


def _join_changes(node: Join, below: frozenset[str]) -> frozenset[str]:
    if node.form != "regular" or node.kind in ("INNER", "CROSS", "SEMI"):
        return below
    # Where the side that may be missing is read whole before, no row is ever taken back.
    missing = {"LEFT": (node.right,), "ANTI": (node.right,), "RIGHT": (node.left,)}
    sides = missing.get(node.kind, (node.left, node.right))
    return below if all(is_bounded(side) for side in sides) else _ALL


def _rank_changes(node: Rank, below: frozenset[str]) -> frozenset[str]:
    if node.versions:
        return below
    by_arrival = any(order.expr.sql == ORDER_COLUMN for order in node.order)
    if is_window_rank(node) or (node.keep == "first" and by_arrival):
        return below
    return _UPDATE if node.keep and not below else _ALL


def _over_changes(node: Over, below: frozenset[str]) -> frozenset[str]:
    """By a time rows come in their order; else one that comes in between changes those behind."""
    if time_of(node):
        return below
    return _ALL if below else _UPDATE


def _sort_changes(node: Sort, below: frozenset[str]) -> frozenset[str]:
    return _ALL if node.order and node.limit is not None else below


def _set_changes(node: SetOperation, below: frozenset[str]) -> frozenset[str]:
    return _ALL


_RULES: dict[type, Callable[..., frozenset[str]]] = {
    Scan: _scan_changes,
    Aggregate: _aggregate_changes,
    WindowAggregate: _window_changes,
    Join: _join_changes,
    Over: _over_changes,
    Rank: _rank_changes,
    Sort: _sort_changes,
    SetOperation: _set_changes,
}


def is_bounded(node: Node) -> bool:
    """Whether every source below comes to an end by itself."""
    return all(scan.spec.bounded for scan in scans(node))


def changing_scans(node: Node) -> tuple[Scan, ...]:
    """The tables below whose rows are more than inserts."""
    return tuple(scan for scan in scans(node) if scan.spec.mode is not ChangelogMode.APPEND)
