"""Which rows travel along each edge: inserts only, or updates and deletes too; and what is kept.

`infer` walks a plan and gives each step its changelog mode, its key and its state, by the rules of
Flink's planner. `explain` shows them, `plan.execution` chooses by them how a query runs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.model.changelog import ChangelogMode
from penstock.model.types import quote
from penstock.plan.nodes import (
    ORDER_COLUMN,
    Aggregate,
    Expand,
    Join,
    Node,
    Normalize,
    Project,
    Rank,
    Scan,
    SetOperation,
    Sort,
    Unnest,
    WindowAggregate,
)
from penstock.plan.rank import function_of, is_window_rank
from penstock.plan.state import kept
from penstock.plan.walk import inputs, scans
from penstock.plan.windows import as_local_time

if TYPE_CHECKING:
    from collections.abc import Callable

NONE: frozenset[str] = frozenset()
_UPDATE = frozenset({"update"})
_ALL = frozenset({"update", "delete"})
# A column of one side of a join equals one of the other.
_EQUAL = re.compile(r"(`j\d+[lr]\d+`) = (`j\d+[lr]\d+`)")


@dataclass(frozen=True, slots=True)
class Step:
    """A node of the plan with what was found out about it.

    `changes` are the kinds of rows beside inserts; `key` the columns that name a row, in Spark SQL.
    """

    node: Node
    mode: ChangelogMode
    changes: frozenset[str]
    key: tuple[str, ...]
    state: str
    inputs: tuple[Step, ...]


def infer(node: Node, *, needs_before: bool = False) -> Step:
    """The plan, step by step; `needs_before`: the step above must see the old row of an update."""
    below = not isinstance(node, Normalize) and (needs_before or not _takes_upserts(node))
    steps = tuple(
        infer(child, needs_before=below and not is_versioned(node, child)) for child in inputs(node)
    )
    changes = _changes(node, steps)
    mode = _mode(node, steps, changes, needs_before=needs_before)
    state = kept(node, changing=any(step.changes for step in steps))
    return Step(node, mode, changes, _key(node, steps), state, steps)


def is_versioned(node: Node, child: Node) -> bool:
    """Whether a child is the versioned side of a temporal join: each new row ends the last one."""
    return isinstance(node, Join) and node.form == "temporal" and node.right is child


def _takes_upserts(node: Node) -> bool:
    """Whether the new row of a key is enough: no other step would know which row it replaces."""
    return isinstance(node, Project) and bool(_projected(node, infer(node.input).key))


def _mode(
    node: Node, steps: tuple[Step, ...], changes: frozenset[str], *, needs_before: bool
) -> ChangelogMode:
    if not changes:
        return ChangelogMode.APPEND
    if needs_before:
        return ChangelogMode.RETRACT
    if isinstance(node, Scan):
        return node.spec.mode
    if isinstance(node, Project):
        return steps[0].mode
    return ChangelogMode.UPSERT if _knows_by_key(node, steps) else ChangelogMode.RETRACT


def _knows_by_key(node: Node, steps: tuple[Step, ...]) -> bool:
    """Whether a step can leave out the old row of an update: its key says which one it is."""
    ranked = isinstance(node, Rank | Sort) and bool(_key(node, steps))
    joined = isinstance(node, Join) and bool(_key(node, steps))
    return ranked or joined or isinstance(node, Aggregate | Normalize)


def _changes(node: Node, steps: tuple[Step, ...]) -> frozenset[str]:
    if is_bounded(node) and not changing_scans(node):
        return NONE
    counted = (step for step in steps if not is_versioned(node, step.node))
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


def _sort_changes(node: Sort, below: frozenset[str]) -> frozenset[str]:
    return _ALL if node.order and node.limit is not None else below


def _set_changes(node: SetOperation, below: frozenset[str]) -> frozenset[str]:
    return _ALL


_RULES: dict[type, Callable[..., frozenset[str]]] = {
    Scan: _scan_changes,
    Aggregate: _aggregate_changes,
    WindowAggregate: _window_changes,
    Join: _join_changes,
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


def _key(node: Node, steps: tuple[Step, ...]) -> tuple[str, ...]:
    match node:
        case Scan():
            return tuple(f"`{name}`" for name in node.primary_key)
        case Normalize():
            return node.key
        case Aggregate():
            return tuple(f"`{name}`" for name, _ in node.keys)
        case WindowAggregate():
            bounds = (as_local_time("__window.start"), as_local_time("__window.end"))
            return (*(f"`{name}`" for name, _ in node.keys), *bounds)
        case Rank():
            return _rank_key(node, steps[0].key)
        case Sort() if node.limit is not None and node.limit + node.offset == 1:
            return ()
        case Project():
            return _projected(node, steps[0].key)
        case Join():
            return _join_key(node, *steps)
        case SetOperation() | Unnest() | Expand():
            return ()
        case _:
            return steps[0].key if len(steps) == 1 else ()


def _join_key(node: Join, left: Step, right: Step) -> tuple[str, ...]:
    """The key of a side whose rows have one partner at most, else both keys together.

    Rows of a side that change must stay in the task they were in: what joins them is in their key.
    """
    pairs = _joined_by(node)
    if pairs is None or node.form not in ("regular", "temporal"):
        return ()
    ours, theirs = _side_key(node, left, "l"), _side_key(node, right, "r")
    stays = not left.changes or {a for a, _ in pairs} <= set(ours)
    if node.kind in ("SEMI", "ANTI"):
        return ours if stays else ()
    one_right = bool(theirs) and set(theirs) <= {b for _, b in pairs}
    if stays and ours and one_right and node.kind in ("INNER", "LEFT"):
        return ours
    one_left = bool(ours) and set(ours) <= {a for a, _ in pairs}
    others_stay = not right.changes or {b for _, b in pairs} <= set(theirs)
    if others_stay and theirs and one_left and node.kind in ("INNER", "RIGHT"):
        return theirs
    return (*ours, *theirs) if stays and others_stay and ours and theirs else ()


def _side_key(node: Join, side: Step, letter: str) -> tuple[str, ...]:
    """The key of a side under the names of the join."""
    numbers = {field.sql: number for number, field in enumerate(side.node.fields)}
    key = tuple(f"`j{node.tag}{letter}{numbers[part]}`" for part in side.key if part in numbers)
    return key if len(key) == len(side.key) else ()


def _joined_by(node: Join) -> list[tuple[str, str]] | None:
    """Which columns of both sides must be equal; None if more than columns must."""
    found = []
    for condition in node.conditions:
        if " = " in condition.sql or "<=>" in condition.sql:
            equal = _EQUAL.fullmatch(condition.sql.strip("()"))
            if equal is None:
                return None
            a, b = equal.groups()
            found.append((a, b) if "l" in a else (b, a))
    return found


def _rank_key(node: Rank, below: tuple[str, ...]) -> tuple[str, ...]:
    """The partition where one row of it stays, else with the number; or the key of the rows.

    The changes of a row that moves to another partition have no order among them.
    """
    partition = tuple(expr.sql for expr in node.partition)
    if function_of(node) == "ROW_NUMBER":
        if node.last == 1:
            return partition
        if node.numbered:
            return (*partition, quote(node.column))
    return below if set(partition) <= set(below) else ()


def _projected(node: Project, key: tuple[str, ...]) -> tuple[str, ...]:
    """The key under the names of a projection; none if a part of it is left out."""
    names = {expr.sql: f"`{name}`" for name, expr in reversed(node.columns)}
    found = tuple(names[part] for part in key if part in names)
    return found if len(found) == len(key) else ()
