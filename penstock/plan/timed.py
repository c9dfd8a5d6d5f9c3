"""Which tables of a plan need a watermark: those whose time a step above them goes by."""

from __future__ import annotations

from penstock.plan.frames import time_of
from penstock.plan.nodes import Aggregate, Join, Node, Over, Scan, SetOperation, Sort, Window
from penstock.plan.walk import inputs


def timed_scans(node: Node, *, timed: bool = False) -> tuple[Scan, ...]:
    """The tables whose watermark a window or a join above them goes by.

    `timed`: whoever takes the rows of this node goes by their time. Others get no watermark: Spark
    takes the least of all, and a table that stands still would hold back the windows of another.
    """
    if isinstance(node, Scan):
        return (node,) if timed and node.rowtime else ()
    if isinstance(node, Window):
        timed = not node.time.proctime
    elif isinstance(node, Join):
        left, right = _timed_sides(node, timed)
        return (*timed_scans(node.left, timed=left), *timed_scans(node.right, timed=right))
    elif isinstance(node, Over):
        time = time_of(node)
        timed = timed or bool(time and not time.proctime)
    elif isinstance(node, Aggregate | SetOperation | Sort):
        timed = False
    found = (timed_scans(child, timed=timed) for child in inputs(node))
    return tuple(scan for scans in found for scan in scans)


def _timed_sides(node: Join, timed: bool) -> tuple[bool, bool]:
    match node.form:
        case "interval" | "window" | "temporal":
            return True, True
        case "lookup":
            return timed, False
        case _:
            return False, False
