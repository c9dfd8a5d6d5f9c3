"""Windows on processing time: which of them the clock closes, how often, and what has none."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.plan.infer import is_bounded
from penstock.plan.nodes import Join, Node, Rank, Window, WindowAggregate
from penstock.plan.rank import is_window_rank
from penstock.plan.timed import timed_scans
from penstock.plan.walk import inputs, on_processing_time

if TYPE_CHECKING:
    from collections.abc import Iterator

# A session ends at any moment: it is told so long after its end at most, a part of its gap.
_SESSION_PARTS = 20
_SESSION_TICK_MS = (500, 10_000)


def clocked_windows(node: Node, *, grouped: bool = False) -> Iterator[Window]:
    """The windows on processing time by which a stream is grouped: the clock says when they end."""
    if is_bounded(node):
        return
    if isinstance(node, Window):
        if grouped and node.time.proctime:
            yield node
        grouped = False
    grouped = grouped or isinstance(node, WindowAggregate)
    for child in inputs(node):
        yield from clocked_windows(child, grouped=grouped)


def tick_ms(node: Node) -> int:
    """How often a query must look at the clock: at the end of each window of any of its steps.

    Spark has one watermark for all of a query, so all of its windows share one clock.
    """
    return gcd(*(length for window in clocked_windows(node) for length in _lengths(window)))


def _lengths(window: Window) -> tuple[int, ...]:
    if window.kind != "SESSION":
        return window.slide_ms, window.size_ms, window.offset_ms
    least, most = _SESSION_TICK_MS
    return (min(max(window.size_ms // _SESSION_PARTS, least), most),)


def check_clock(node: Node) -> None:
    """Refuse what cannot go by the clock, on a stream."""
    _check_steps(node)
    windows = tuple(clocked_windows(node))
    nested = any(tuple(clocked_windows(window.input)) for window in windows)
    if windows and (nested or timed_scans(node)):
        beside = "over another one" if nested else "beside a step that goes by event time"
        raise PlanError(
            "UNSUPPORTED_QUERY",
            feature=f"A window on processing time {beside}",
            instead="Write the rows of one into a table, and read that by a query of its own.",
        )


def _check_steps(node: Node) -> None:
    step = _STEPS.get(type(node), "")
    ranked = not isinstance(node, Rank) or is_window_rank(node)
    joined = not isinstance(node, Join) or node.form == "window"
    if step and ranked and joined and not is_bounded(node) and on_processing_time(node):
        problem = f"Processing time Window {step} is not supported yet."
        raise PlanError("INVALID_QUERY", problem=problem, instead="Use an event time.")
    for child in inputs(node):
        _check_steps(child)


_STEPS = {Rank: "TopN", Join: "Join"}
