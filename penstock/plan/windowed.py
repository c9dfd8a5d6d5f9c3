"""Windows over rows that change: what cannot be told when a window has passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.plan.infer import infer, is_bounded
from penstock.plan.nodes import Join, Node, Normalize, Rank, Window
from penstock.plan.rank import is_window_rank
from penstock.plan.settings import STATE_TTL, setting
from penstock.plan.walk import inputs

if TYPE_CHECKING:
    from collections.abc import Mapping


def check_windowed(node: Node, settings: Mapping[str, str]) -> None:
    """Refuse a ranking of rows that may go, and state that is forgotten below a window."""
    if isinstance(node, Rank) and is_window_rank(node) and infer(node.input).changes:
        raise PlanError(
            "INVALID_QUERY",
            problem="A top-N or deduplication within windows doesn't support consuming update and "
            "delete changes.",
            instead="Rank the rows of a GROUP BY window_start, window_end: those only come.",
        )
    step = "a temporal join" if _is_temporal(node) else "a window"
    timed = step != "a window" or (isinstance(node, Window) and not node.time.proctime)
    # With a time to live Spark hands on no watermark.
    if timed and not is_bounded(node) and setting(settings, STATE_TTL) and _forgets(node):
        raise PlanError(
            "UNSUPPORTED_QUERY",
            feature=f"'{STATE_TTL}' with {step} over rows that change",
            instead=f"Leave '{STATE_TTL}' out, or write {step} by a script of its own.",
        )
    for child in inputs(node):
        check_windowed(child, settings)


def _is_temporal(node: Node) -> bool:
    return isinstance(node, Join) and node.form == "temporal"


def _forgets(node: Node) -> bool:
    """Whether a step below keeps rows that a time to live would end."""
    ranks = isinstance(node, Rank) and not is_window_rank(node) and not node.versions
    kept = isinstance(node, Normalize) or ranks
    return kept or any(map(_forgets, inputs(node)))
