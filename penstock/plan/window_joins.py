"""Which joins of windows the changelog engine runs: where a side is none of Spark's own steps."""

from __future__ import annotations

from dataclasses import replace

from penstock.plan.engine import is_native
from penstock.plan.infer import infer, is_bounded
from penstock.plan.nodes import Join, Node
from penstock.plan.walk import inputs, rebuilt
from penstock.plan.windowed import forgets

# Those that need not tell rows without a partner, and so do without a watermark.
_AT_ONCE = ("INNER", "SEMI")


def with_closed_windows(node: Node, *, by_clock: bool) -> Node:
    """The plan in which such joins let go of a window when the watermark has passed it.

    `by_clock`: state has a time to live, and above it Spark hands on no watermark.
    """
    made = rebuilt(node, [with_closed_windows(child, by_clock=by_clock) for child in inputs(node)])
    if not isinstance(made, Join) or made.form != "window" or is_native(made):
        return made
    streams = not any(map(is_bounded, inputs(made))) and not infer(made).changes
    clocked = by_clock and made.kind in _AT_ONCE and any(map(forgets, inputs(made)))
    return replace(made, closes=streams and not clocked)
