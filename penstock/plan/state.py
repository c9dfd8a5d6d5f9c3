"""What each step remembers between batches, and until when: the words `explain` uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.plan.engine import joins_natively
from penstock.plan.frames import sort_time, time_of
from penstock.plan.keys import is_single
from penstock.plan.nodes import (
    ORDER_COLUMN,
    Aggregate,
    Join,
    Node,
    Normalize,
    Over,
    Rank,
    SetOperation,
    Sort,
    Window,
    WindowAggregate,
)
from penstock.plan.rank import is_window_rank, last_of
from penstock.plan.walk import on_processing_time
from penstock.plan.walk import scans as scans_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.infer import Step
    from penstock.plan.query import Query

_FOREVER = "for ever"
_SESSIONS = "the rows of open sessions, until the watermark passes the session's end"
# What a join keeps, by whether each side has one row at most for each key of the join.
_SIDES = {
    (False, False): "all rows of both sides",
    (True, False): "one row per key of the left side, all rows of the right",
    (False, True): "all rows of the left side, one row per key of the right",
    (True, True): "one row per key of each side",
}


def kept(step: Step) -> str:
    """The state of one step; "" if it keeps none."""
    node, changing = step.node, any(child.changes for child in step.inputs)
    if _is_static(node):
        return ""
    if isinstance(node, Join) and _keeps_still_side(node, changing=changing):
        return _both_sides(node)
    if isinstance(node, Rank) and changing and not is_window_rank(node):
        return f"all rows of each partition, {_FOREVER}"
    if isinstance(node, Sort) and changing and node.limit is not None:
        return f"all rows, {_FOREVER}"
    if isinstance(node, WindowAggregate) and node.session and not on_processing_time(node):
        return _SESSIONS
    describe = _STATES.get(type(node))
    return describe(node) if describe else ""


def kept_by_sink(query: Query) -> str:
    """What is kept for the sake of a sink; "" if nothing is."""
    return f"the rows of each key, {_FOREVER}" if query.materialized else ""


def lasting(step: Step) -> bool:
    """Whether a step, or one below, keeps what a time to live would end."""
    return _FOREVER in kept(step) or any(map(lasting, step.inputs))


def until(state: str, ttl_ms: int) -> str:
    """The state where it goes after a time without a change."""
    return state.replace(_FOREVER, f"for {ttl_ms / 1000:g} s after a change") if ttl_ms else state


def _is_static(node: Node) -> bool:
    return all(scan.spec.bounded for scan in scans_of(node))


def _keeps_still_side(node: Join, *, changing: bool) -> bool:
    """Whether a join with a table that is read whole must remember which of its rows it joined."""
    left, right = (_is_static(side) for side in (node.left, node.right))
    if node.form != "regular" or left == right:
        return False
    looked_up = ("INNER", "CROSS", "RIGHT") if left else ("INNER", "CROSS", "LEFT", "SEMI", "ANTI")
    return changing or node.kind not in looked_up


def _window(node: WindowAggregate) -> str:
    passes = "clock" if on_processing_time(node) else "watermark"
    if node.session:
        return f"open sessions, until the {passes} passes the session's end"
    group = f"one entry per open window and group{_values(node)}"
    return f"{group}, until the {passes} passes the window's end"


def _session(node: Window) -> str:
    return _SESSIONS if node.alone else ""


def _normalize(node: Normalize) -> str:
    return f"the last row of each key, {_FOREVER}"


def _aggregate(node: Aggregate) -> str:
    return f"one entry per group{_values(node)}, {_FOREVER}"


def _values(node: Aggregate | WindowAggregate) -> str:
    distinct = any("DISTINCT " in expr.sql for _, expr in node.aggregates)
    return " and one per distinct value of it" if distinct else ""


def _join(node: Join) -> str:
    if node.form == "lookup" or any(_is_static(side) for side in (node.left, node.right)):
        return ""
    timed = node.takes_late or node.closes or joins_natively(node)
    if node.form in ("interval", "window") and not timed:
        # Of rows that change, the changelog engine does not go by the bounds in time.
        return _both_sides(node)
    if node.form == "interval":
        left, right = max(0, node.upper_ms) / 1000, max(0, -node.lower_ms) / 1000
        return (
            "rows of both sides, until the watermark is "
            f"{right:g} s past those of the left and {left:g} s past those of the right"
        )
    if node.form == "window":
        return "rows of both sides, until the watermark passes the window's end"
    if node.form == "temporal":
        return (
            "rows of the left side until the watermark passes them, versions of the right side "
            "until it passes the next one"
        )
    return _both_sides(node)


def _both_sides(node: Join) -> str:
    return f"{_SIDES[is_single(node, 0), is_single(node, 1)]}, {_FOREVER}"


def _rank(node: Rank) -> str:
    if node.versions:
        return ""
    rows = "one row" if node.last == 1 else f"{last_of(node)} rows"
    if is_window_rank(node):
        return f"{rows} per partition, until the watermark passes the window's end"
    if node.keep == "first" and node.order[0].expr.sql == ORDER_COLUMN:
        return f"a mark per partition, {_FOREVER}"
    return f"{rows} per partition, {_FOREVER}"


def _over(node: Over) -> str:
    frame, time = node.calls[0].frame, time_of(node)
    if time is None:
        return f"all rows of each partition, {_FOREVER}"
    proctime = time is not None and time.proctime
    waiting = "" if proctime else "rows until the watermark passes them, and "
    if frame.size is None:
        return f"{waiting}one entry per partition, {_FOREVER}"
    if frame.rows:
        rows = "the last row" if frame.size == 1 else f"the last {frame.size} rows"
        return f"{waiting}{rows} of each partition, {_FOREVER}"
    reach = f"{frame.size / 1000:g} s"
    return f"rows for {reach}" if proctime else f"rows until the watermark is {reach} past them"


def _set(node: SetOperation) -> str:
    return f"a count per distinct row of both sides, {_FOREVER}"


def _sort(node: Sort) -> str:
    if node.limit is None:
        time = sort_time(node)
        if time and time.proctime:
            return ""
        return "rows until the watermark passes them"
    if not node.order:
        return f"the number of rows up to {node.limit + node.offset}, {_FOREVER}"
    return f"the first {node.limit + node.offset} rows, {_FOREVER}"


_STATES: dict[type, Callable[..., str]] = {
    Window: _session,
    WindowAggregate: _window,
    Aggregate: _aggregate,
    Normalize: _normalize,
    Join: _join,
    Rank: _rank,
    Over: _over,
    SetOperation: _set,
    Sort: _sort,
}
