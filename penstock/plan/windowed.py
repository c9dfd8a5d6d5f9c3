"""Windows over rows that change: what cannot be told when a window has passed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.plan.frames import sort_time, time_of
from penstock.plan.infer import infer, is_bounded
from penstock.plan.nodes import Join, Node, Normalize, Over, Rank, Sort, Window, WindowAggregate
from penstock.plan.over_streams import forgets_by_clock
from penstock.plan.rank import is_window_rank
from penstock.plan.settings import STATE_TTL, setting
from penstock.plan.walk import inputs, rebuilt
from penstock.plan.windows import WINDOW_COLUMN

if TYPE_CHECKING:
    from collections.abc import Mapping

# The steps that wait for a watermark.
_WAITING = {
    Over: "OVER by event time",
    Sort: "ORDER BY an event time",
    Window: "a window",
}
_JOINS = {"interval": "an interval join", "temporal": "a temporal join", "window": "a window join"}


def check_windowed(node: Node, settings: Mapping[str, str]) -> None:
    """Refuse what cannot follow rows that go, and state that is forgotten below a window."""
    if isinstance(node, Rank) and is_window_rank(node) and infer(node.input).changes:
        raise PlanError(
            "INVALID_QUERY",
            problem="A top-N or deduplication within windows doesn't support consuming update and "
            "delete changes.",
            instead="Rank the rows of a GROUP BY window_start, window_end: those only come.",
        )
    if isinstance(node, Window) and node.kind == "SESSION" and node.time.proctime:
        _check_clocked(node)
    if isinstance(node, WindowAggregate) and node.session:
        _check_bounds(node)
    if _by_event_time(node) and not is_bounded(node):
        _check_watermark(node, settings)
    for child in inputs(node):
        check_windowed(child, settings)


def with_sessions_alone(node: Node, *, grouped: bool = False) -> Node:
    """The plan in which it is known of sessions whether they are those that rows are grouped by."""
    if isinstance(node, Window) and node.kind == "SESSION":
        node = replace(node, alone=not grouped)
    grouped = isinstance(node, WindowAggregate) and node.session is not None
    return rebuilt(node, [with_sessions_alone(child, grouped=grouped) for child in inputs(node)])


def _check_clocked(node: Window) -> None:
    """A row goes at another time than it came: which session it was in, nothing says."""
    if infer(node.input).changes:
        raise PlanError(
            "UNSUPPORTED_QUERY",
            feature="A session on processing time over rows that change",
            instead="Use an event time, or TUMBLE.",
        )


def _check_bounds(node: WindowAggregate) -> None:
    """The bounds of a session are not known before its rows are."""
    if any(WINDOW_COLUMN in expr.sql for _, expr in (*node.keys, *node.aggregates)):
        raise PlanError(
            "UNSUPPORTED_QUERY",
            feature="An aggregate of the bounds of the session that it is grouped by",
            instead="All rows of a group have the same: write window_start or window_end alone.",
        )


def _by_event_time(node: Node) -> bool:
    if isinstance(node, Over | Sort):
        time = time_of(node) if isinstance(node, Over) else sort_time(node)
        return time is not None and not time.proctime
    if isinstance(node, Join):
        return node.form == "temporal" or node.takes_late or node.closes
    return isinstance(node, Window) and not node.time.proctime


def _check_watermark(node: Node, settings: Mapping[str, str]) -> None:
    """Refuse a step that waits for a watermark where Spark hands on none: behind the clock's."""
    step = _JOINS[node.form] if isinstance(node, Join) else _WAITING[type(node)]
    if setting(settings, STATE_TTL) and any(map(forgets, inputs(node))):
        raise PlanError(
            "UNSUPPORTED_QUERY",
            feature=f"'{STATE_TTL}' with {step} above a step that forgets by it",
            instead=f"Leave '{STATE_TTL}' out, or write {step} by a script of its own.",
        )
    if any(map(forgets_by_clock, inputs(node))):
        raise PlanError(
            "UNSUPPORTED_QUERY",
            feature=f"{step[0].upper()}{step[1:]} above OVER of an interval of processing time",
            instead="Write the rows of one into a table, and read that by a query of its own.",
        )


def forgets(node: Node) -> bool:
    """Whether a step below keeps rows that a time to live would end."""
    ranks = isinstance(node, Rank) and not is_window_rank(node) and not node.versions
    kept = isinstance(node, Normalize) or ranks
    kept = kept or (isinstance(node, Over) and not _by_event_time(node))
    return kept or any(map(forgets, inputs(node)))


def why_not_native_session(node: WindowAggregate, session: Window) -> str:
    """What stands against Spark's own sessions; "" if nothing does."""
    if not node.keys:
        return "sessions of a whole stream, without a key"
    # Spark leaves such a row out before it looks for its session.
    return "" if session.time.proctime else "a late row may belong to a session that is still open"
