"""OVER over streams: what Flink refuses, in its words, and what Spark's state cannot keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.plan.describe import culprit
from penstock.plan.frames import by_clock, sort_time, time_of
from penstock.plan.infer import infer, is_bounded
from penstock.plan.nodes import Filter, Node, Over, Sort
from penstock.plan.rank import over_of
from penstock.plan.settings import STATE_TTL, setting
from penstock.plan.walk import inputs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.plan.frames import OverCall
    from penstock.plan.scope import Field

OVER_ADVICE = (
    "A stream has one window per SELECT, by one column, ascending, up to the current row. For the "
    "first rows of a group write `WHERE rn <= N`, with a number, around ROW_NUMBER() AS rn."
)
_NOT_STREAMED = ("LEAD", "NTILE", "PERCENT_RANK", "CUME_DIST")


def over_problem(node: Over) -> str:
    """Why a stream cannot have these functions; "" if it can."""
    frames = {call.frame for call in node.calls}
    if isinstance(node.input, Over) or len(frames) > 1:
        return (
            "Unsupported use of OVER windows. All aggregates must be computed on the same window."
        )
    if len(node.order) != 1:
        return "The window can only be ordered by a single time column."
    if node.order[0].descending:
        return "The window can only be ordered in ASCENDING mode."
    time, (frame,) = time_of(node), frames
    if time is None and frame.size is not None:
        return "Non-time attribute sort is not supported for bounded OVER window."
    if not frame.streams:
        return "OVER RANGE FOLLOWING windows are not supported yet."
    return next(filter(None, (_call_problem(call, time) for call in node.calls)), "")


def _call_problem(call: OverCall, time: Field | None) -> str:
    if call.function in _NOT_STREAMED:
        return f"{call.function} Function is not supported in stream mode."
    if call.offset < 0:
        return f"Offset({call.offset}) should be positive."
    if call.function in ("RANK", "DENSE_RANK") and time and time.proctime:
        return f"{call.function} by processing time is not supported: use ROW_NUMBER."
    if call.function == "LAG" and time is None:
        return "LAG by a column that is no time attribute is not supported."
    return ""


def check_over(node: Node, settings: Mapping[str, str]) -> None:
    """Refuse OVER and ORDER BY by a time over rows that may go, and state that is forgotten."""
    if isinstance(node, Sort) and sort_time(node) and infer(node.input).changes:
        raise _over_changes("TemporalSort", node)
    if isinstance(node, Filter):
        _check_rank_end(node)
    if isinstance(node, Over):
        if infer(node.input).changes:
            _check_changes(node)
        if setting(settings, STATE_TTL) and not is_bounded(node):
            _check_ttl(node)
    for child in inputs(node):
        check_over(child, settings)


def _check_rank_end(node: Filter) -> None:
    """Refuse a filter by a rank that gives no number up to which: it cannot be a top-N."""
    asked = (field for field in node.input.fields if field.sql in node.condition.sql)
    for field in asked:
        over = over_of(node.input, field.sql)
        if over is None or not over_problem(over):
            continue
        if not is_bounded(over) or infer(over.input).changes:
            raise PlanError(
                "INVALID_QUERY",
                span=over.span,
                problem="Rank end is not specified. Currently rank only support TopN, which means "
                "the rank end must be specified.",
                instead=f"Add `{field.name} <= N` to WHERE, with a number: so many rows of each "
                "group are kept.",
            )


def _check_changes(node: Over) -> None:
    if time_of(node) is not None:
        raise _over_changes("OverAggregate", node)
    # What is bounded is asked elsewhere only where rows just come: then Spark runs it.
    if problem := over_problem(node):
        raise PlanError("INVALID_QUERY", span=node.span, problem=problem, instead=OVER_ADVICE)


def _over_changes(what: str, node: Over | Sort) -> PlanError:
    step = infer(node.input)
    changes = " and ".join(sorted(step.changes, reverse=True))
    return PlanError(
        "INVALID_QUERY",
        span=node.span,
        problem=f"{what} doesn't support consuming {changes} changes which is produced by node "
        f"{culprit(step)}.",
        instead="Use it over rows that only come: a table of 'kafka', or windows of them.",
    )


def _check_ttl(node: Over) -> None:
    """Spark forgets by the clock or wakes by the watermark, not both; rows would go one by one."""
    time, frame = time_of(node), node.calls[0].frame
    if frame.size is not None and not frame.rows:
        return
    if frame.size is not None or time is None or not time.proctime:
        what = "OVER of a number of rows" if frame.size is not None else "OVER by an event time"
        what = what if time else "OVER by a column that is no time attribute"
        raise PlanError(
            "UNSUPPORTED_QUERY",
            span=node.span,
            feature=f"'{STATE_TTL}' with {what}",
            instead=f"Leave '{STATE_TTL}' out, or write RANGE BETWEEN INTERVAL … PRECEDING.",
        )


def forgets_by_clock(node: Node) -> bool:
    """Whether the frame of a step is left behind by the clock, and its state goes with it."""
    if is_bounded(node):
        return False
    own = isinstance(node, Over) and by_clock(node)
    return own or any(map(forgets_by_clock, inputs(node)))
