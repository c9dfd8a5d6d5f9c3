"""Which tables and joins of a plan a step above them goes by the time of."""

from __future__ import annotations

from dataclasses import replace

from penstock.plan.frames import sort_time, time_of
from penstock.plan.infer import infer, is_bounded
from penstock.plan.nodes import Aggregate, Join, Node, Over, Scan, SetOperation, Sort, Window
from penstock.plan.walk import inputs, rebuilt
from penstock.plan.windowed import forgets

_TAKE_LATE = ("INNER", "LEFT", "RIGHT", "FULL")


def timed_scans(node: Node, *, timed: bool = False) -> tuple[Scan, ...]:
    """The tables whose watermark a window or a join above them goes by.

    `timed`: whoever takes the rows of this node goes by their time. Others get no watermark: Spark
    takes the least of all, and a table that stands still would hold back the windows of another.
    """
    if isinstance(node, Scan):
        return (node,) if timed and node.rowtime else ()
    below = zip(inputs(node), _timed_inputs(node, timed=timed), strict=True)
    return tuple(scan for child, goes in below for scan in timed_scans(child, timed=goes))


def with_late_rows(node: Node, *, timed: bool, by_clock: bool) -> Node:
    """The plan in which interval joins by whose times nobody goes leave out no late row.

    `by_clock`: state has a time to live, and above it Spark hands on no watermark. A join that need
    not tell rows without a partner does without.
    """
    below = zip(inputs(node), _timed_inputs(node, timed=timed), strict=True)
    made = rebuilt(
        node, [with_late_rows(child, timed=goes, by_clock=by_clock) for child, goes in below]
    )
    if timed or not isinstance(made, Join) or made.form != "interval":
        return made
    streams = not any(map(is_bounded, inputs(made))) and not infer(made).changes
    clocked = by_clock and made.kind == "INNER" and any(map(forgets, inputs(made)))
    return replace(made, takes_late=streams and made.kind in _TAKE_LATE and not clocked)


def with_time_to_live(node: Node) -> Node:
    """The plan in which no join of streams keeps its rows for ever; Spark's own would."""
    made = rebuilt(node, [with_time_to_live(child) for child in inputs(node)])
    if not isinstance(made, Join) or made.form != "regular" or any(map(is_bounded, inputs(made))):
        return made
    return replace(made, forgets=True)


def _timed_inputs(node: Node, *, timed: bool) -> tuple[bool, ...]:
    """Of which inputs of a step the time is asked for, by itself or by who takes its rows."""
    match node:
        case Join():
            return _timed_sides(node, timed=timed)
        case Window():
            timed = not node.time.proctime
        case Over():
            time = time_of(node)
            timed = timed or bool(time and not time.proctime)
        case Sort():
            time = sort_time(node)
            timed = bool(time and not time.proctime)
        case Aggregate() | SetOperation():
            timed = False
    return (timed,) * len(inputs(node))


def _timed_sides(node: Join, *, timed: bool) -> tuple[bool, bool]:
    match node.form:
        case "interval" | "window" | "temporal":
            return True, True
        case "lookup":
            return timed, False
        case _:
            return False, False
