"""How a query runs: as a batch, on Spark's own streaming operators, or on the changelog engine.

Row by row where `penstock.latency` asks for it.

Spark's operators are chosen only where their rows are exactly the query's; `why_not_native` says
for each step what stands against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaSource
from penstock.errors import PlanError
from penstock.model.changelog import ChangelogMode
from penstock.plan import real_time
from penstock.plan.clock import check_clock
from penstock.plan.distinct import countable
from penstock.plan.frames import sort_time
from penstock.plan.infer import changing_scans, infer, is_bounded
from penstock.plan.keys import is_versioned
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
    Union,
    Window,
    WindowAggregate,
)
from penstock.plan.over_streams import OVER_ADVICE, check_over, over_problem
from penstock.plan.query import Execution, Query
from penstock.plan.settings import STATE_TTL, setting
from penstock.plan.walk import ROW_BY_ROW, inputs, scans
from penstock.plan.windowed import check_windowed, why_not_native_session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_VERSIONS = "a temporal join keeps the versions of a row"
_RUNTIME_MODE = "execution.runtime-mode"
_ONLY_BOUNDED = {
    Over: "OVER aggregates are",
    Rank: "a ranking by ROW_NUMBER is",
    SetOperation: "INTERSECT and EXCEPT are",
    Sort: "ORDER BY and LIMIT are",
}


def choose(node: Node, settings: Mapping[str, str]) -> tuple[Execution, str]:
    """How a plan runs, and why."""
    _check_batch(node, settings)
    check_windowed(node, settings)
    check_over(node, settings)
    changing = _over_changes(node)
    if is_bounded(node):
        if changing:
            return Execution.CHANGELOG, changing
        return Execution.BATCH, "every source is bounded"
    check_streamable(node)
    check_clock(node)
    if settings.get(_RUNTIME_MODE, "").lower() == "batch":
        unbounded = next(scan for scan in scans(node) if not scan.spec.bounded)
        raise PlanError("UNBOUNDED_IN_BATCH", table=unbounded.table)
    reasons = [reason for reason in (changing, *why_not_native(node)) if reason]
    if reasons:
        return Execution.CHANGELOG, reasons[0]
    if setting(settings, STATE_TTL) and _groups(node):
        return Execution.CHANGELOG, f"its groups are forgotten by '{STATE_TTL}'"
    if _update_aggregate(node):
        return Execution.UPDATE, "GROUP BY without a window, whose groups change with every batch"
    if changing_scans(node):
        return Execution.MICRO_BATCH, "each change by itself"
    return Execution.MICRO_BATCH, "inserts only"


def choose_for(query: Query, settings: Mapping[str, str]) -> tuple[Execution, str]:
    """How a query runs into its target, and why."""
    execution, reason = choose(query.input, settings)
    if execution is not Execution.CHANGELOG:
        execution, reason = _into_sink(query) or (execution, reason)
    if settings.get(real_time.SETTING, "").lower() != "real-time":
        return execution, reason
    real_time.require_real_time(query, execution, settings)
    return Execution.REAL_TIME, real_time.REASON


def _into_sink(query: Query) -> tuple[Execution, str] | None:
    """Why the rows of a query must be followed for the sake of its sink."""
    step = infer(query.input, needs_before=query.needs_before)
    if query.materialized:
        return Execution.CHANGELOG, "the key of its sink is not that of its rows"
    aggregate = _update_aggregate(query.input)
    if step.mode is ChangelogMode.RETRACT and aggregate:
        return Execution.CHANGELOG, "its sink needs the row before an update"
    if step.changes and aggregate and not aggregate.keys:
        return Execution.CHANGELOG, "an aggregate of all rows must not be told before there is one"
    return None


def _check_batch(node: Node, settings: Mapping[str, str]) -> None:
    if settings.get(_RUNTIME_MODE, "").lower() == "batch":
        for scan in changing_scans(node):
            raise PlanError(
                "INVALID_QUERY",
                problem="Querying a table in batch mode is currently only possible for INSERT-only "
                f"table sources. But the source for table '{scan.table}' produces other changelog "
                "messages than just INSERT.",
                instead="",
            )


def _over_changes(node: Node) -> str:
    """The step, if any, that would have to take back what it made of rows that changed."""
    if isinstance(node, Union):
        # Each reading is a stream of its own: a row may come back before it is taken away.
        tables = [scan.table for scan in changing_scans(node)]
        for table in tables:
            if tables.count(table) > 1:
                return f"a UNION of two readings of {table}, whose rows change"
    if isinstance(node, Normalize):
        lack = "lack the rows before an update"
        twice = "may come more than once"
        upserts = node.input.spec.mode is ChangelogMode.UPSERT
        return f"the messages of {node.input.table} {lack if upserts else twice}"
    if isinstance(node, Join) and node.form == "temporal":
        return _VERSIONS
    if not isinstance(node, ROW_BY_ROW):
        for scan in _changed_scans(node):
            return f"{type(node).__name__} over {scan.table}, whose rows change"
    return next(filter(None, map(_over_changes, inputs(node))), "")


def _changed_scans(node: Node) -> tuple[Scan, ...]:
    """The tables below whose changes reach a step: not those that a join takes for versions."""
    if isinstance(node, Scan):
        return changing_scans(node)
    below = (child for side, child in enumerate(inputs(node)) if not is_versioned(node, side))
    return tuple(scan for child in below for scan in _changed_scans(child))


def check_streamable(node: Node) -> None:
    """Refuse what no stream can give, as Flink does."""
    rule = _RULES.get(type(node))
    problem = "" if is_bounded(node) or rule is None else rule(node)
    if problem:
        span = node.span if isinstance(node, Over | Sort) else None
        raise PlanError("INVALID_QUERY", span=span, problem=problem, instead=_ADVICE[type(node)])
    for child in inputs(node):
        check_streamable(child)


def _sort_rule(node: Sort) -> str:
    if node.limit is not None or sort_time(node):
        return ""
    return "Sort on a non-time-attribute field is not supported."


def _join_rule(node: Join) -> str:
    if node.form == "lookup" and not is_bounded(node.right):
        return "Processing-time temporal join is not supported yet."
    return ""


_RULES: dict[type, Callable[..., str]] = {Join: _join_rule, Over: over_problem, Sort: _sort_rule}
_ADVICE = {
    Join: "Look up a table of files or of Delta, or join FOR SYSTEM_TIME AS OF an event time.",
    Over: OVER_ADVICE,
    Sort: "Add LIMIT, or rank the rows of each window by ROW_NUMBER().",
}


def _update_aggregate(node: Node) -> Aggregate | None:
    """The GROUP BY that the query ends in; the steps above it only compute columns."""
    if isinstance(node, Project):
        return _update_aggregate(node.input)
    return node if isinstance(node, Aggregate) and node.aggregates else None


def _groups(node: Node) -> bool:
    """Whether a GROUP BY without a window, or a DISTINCT, is anywhere over a stream."""
    own = isinstance(node, Aggregate) and not is_bounded(node)
    return own or any(map(_groups, inputs(node)))


def why_not_native(node: Node, *, streamed: bool = False) -> list[str]:
    """What stands against Spark's own streaming operators, from the top of the plan down.

    A bounded part is read whole, unless it is `streamed` beside a stream by UNION ALL.
    """
    if is_bounded(node) and not streamed:
        return []
    reasons = []
    if isinstance(node, WindowAggregate):
        reasons += _window_aggregate(node)
    if isinstance(node, WindowAggregate | Aggregate):
        reasons.append(_aggregates(node))
    if isinstance(node, WindowAggregate) and node.session:
        reasons.append(why_not_native_session(node, node.session))
        below = why_not_native(node.session.input, streamed=streamed)
        return [reason for reason in (*reasons, *below) if reason]
    describe = _OBSTACLES.get(type(node))
    if describe:
        reasons.append(describe(node))
    if type(node) in _ONLY_BOUNDED:
        reasons.append(f"{_ONLY_BOUNDED[type(node)]} native to bounded queries only")
    beside = streamed or isinstance(node, Union)
    for child in inputs(node):
        reasons += why_not_native(child, streamed=beside and not isinstance(node, Join))
    if not isinstance(node, Project):
        reasons += [_inside(child, node) for child in inputs(node)]
    if isinstance(node, Aggregate):
        reasons += [_below_aggregate(child) for child in _all_below(node)]
    return [reason for reason in reasons if reason]


def _inside(child: Node, parent: Node) -> str:
    """A GROUP BY without a window must be the query's last step: its groups change."""
    found = _update_aggregate(child)
    if found is None or is_bounded(found):
        return ""
    step = "HAVING" if isinstance(parent, Filter) else type(parent).__name__
    return f"{step} above a GROUP BY without a window must take back rows"


def _all_below(node: Node) -> list[Node]:
    return [found for child in inputs(node) for found in (child, *_all_below(child))]


def _below_aggregate(node: Node) -> str:
    if isinstance(node, WindowAggregate):
        return "a GROUP BY without a window above a window aggregate"
    outer = isinstance(node, Join) and node.kind not in ("INNER", "CROSS")
    if outer and not any(is_bounded(side) for side in inputs(node)):
        return "a GROUP BY above an outer join must take back rows"
    return ""


def _aggregates(node: WindowAggregate | Aggregate) -> str:
    texts = [expr.sql for _, expr in node.aggregates]
    # On processing time sessions are Spark's alone, and on event time they are none of Spark's.
    is_session = isinstance(node, WindowAggregate) and node.session is not None
    if not is_session and any("DISTINCT " in text for text in texts):
        return "DISTINCT in an aggregate, whose values are kept one by one"
    if any("DISTINCT " in countable(text) for text in texts):
        return "DISTINCT in an aggregate other than COUNT of one value"
    ordered = any(ORDER_COLUMN in text for text in texts)
    if ordered and not all(isinstance(scan.spec.source, KafkaSource) for scan in scans(node)):
        return "an aggregate by order over rows that have no offsets"
    return ""


def _window_aggregate(node: WindowAggregate) -> list[str]:
    reasons = []
    if is_bounded(node):
        reasons.append("a window over a bounded table beside a stream")
    if infer(node.input).changes:
        reasons.append("a window over rows that change")
    return reasons


def _window(node: Window) -> str:
    if node.kind == "SESSION":
        return "a SESSION window whose rows are not grouped by it and its PARTITION BY"
    return ""


def _join(node: Join) -> str:
    left, right = is_bounded(node.left), is_bounded(node.right)
    if node.form == "temporal":
        return _VERSIONS
    if node.takes_late:
        return "a late row of an interval join may still find partners"
    if right and node.kind in ("INNER", "CROSS", "LEFT", "SEMI", "ANTI"):
        return ""
    if left and node.kind in ("INNER", "CROSS", "RIGHT"):
        return ""
    if left or right:
        return f"a {node.kind} JOIN that keeps the rows of its bounded side"
    if all(equality.null_safe for equality in node.equal):
        return "a join of streams without an equality between them"
    if node.kind == "ANTI" and node.form != "window":
        return "NOT IN and NOT EXISTS over streams must take back rows"
    if node.form == "regular" and node.kind != "INNER":
        return f"a {node.kind} JOIN that nothing bounds in time must take back rows"
    return f"its rows are forgotten by '{STATE_TTL}'" if node.forgets else ""


_OBSTACLES: dict[type, Callable[..., str]] = {
    Join: _join,
    Window: _window,
}
