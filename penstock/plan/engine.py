"""Which steps the changelog engine runs, and the refusal of a query that has another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaTarget
from penstock.errors import PlanError
from penstock.plan.execution import why_not_native
from penstock.plan.frames import sort_time
from penstock.plan.infer import infer
from penstock.plan.nodes import (
    Aggregate,
    Expand,
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
    Unnest,
    Values,
    Window,
    WindowAggregate,
)
from penstock.plan.query import Execution
from penstock.plan.walk import ROW_BY_ROW, inputs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.plan.query import Query

# What runs over rows that change; other steps only where Spark's own operators are exact.
_STEPS = (
    *(Aggregate, Expand, Filter, Join, Normalize, Over, Project),
    *(Scan, SetOperation, Union, Unnest, Values),
)


def require_runnable(queries: Iterable[Query]) -> None:
    """Refuse to start a query with a step that nothing here can run."""
    for query in queries:
        if step := lacking(query):
            facts = {"query": query.id, "step": step, "reason": query.reason}
            raise PlanError("NEEDS_CHANGELOG_ENGINE", span=query.span, **facts)
        exactly = isinstance(query.spec.target, KafkaTarget) and query.spec.target.guarantee
        if exactly == "exactly-once" and _keeps_looked_up(query.input):
            raise PlanError(
                "UNSUPPORTED_QUERY",
                span=query.span,
                feature="Exactly-once behind a step with state over rows that look up a table",
                instead="A batch that is run again could find the table changed. Write with "
                "'at-least-once', or join without FOR SYSTEM_TIME.",
            )


def _keeps_looked_up(node: Node) -> bool:
    """Whether a step with state is above a join with a table as it is by then."""
    if isinstance(node, ROW_BY_ROW) or (isinstance(node, Join) and node.current):
        return any(map(_keeps_looked_up, inputs(node)))
    return _looks_up(node)


def _looks_up(node: Node) -> bool:
    own = isinstance(node, Join) and node.current
    return own or any(map(_looks_up, inputs(node)))


def lacking(query: Query) -> str:
    """The step of a query, if any, that this version cannot run."""
    return _lacking(query.input) if query.execution is Execution.CHANGELOG else ""


def _lacking(node: Node) -> str:
    if is_native(node):
        return ""
    if isinstance(node, Join) and _waits_for_partners(node) and not joins_natively(node):
        return f"{node.kind} {node.form} join"
    if isinstance(node, WindowAggregate) and node.session:
        return _lacking(node.session.input)
    if isinstance(node, _STEPS) or _is_ranked(node) or _is_windowed(node):
        return next(filter(None, map(_lacking, inputs(node))), "")
    return type(node).__name__


def _waits_for_partners(node: Join) -> bool:
    """Whether rows without a partner are told when time has passed: the engine tells them at once.

    Where rows change anyway it takes them back again; others cannot be.
    """
    bounded = node.form in ("interval", "window") and not infer(node).changes
    waits = not (node.takes_late or node.closes)
    return bounded and waits and node.kind not in ("INNER", "SEMI", "CROSS")


def _is_ranked(node: Node) -> bool:
    sorts = isinstance(node, Sort) and (node.limit is not None or sort_time(node) is not None)
    return isinstance(node, Rank) or sorts


def _is_windowed(node: Node) -> bool:
    """Whether a window can be told of rows; of those that go, their session cannot."""
    if isinstance(node, Window) and node.kind == "SESSION":
        return not node.time.proctime and not infer(node.input).changes
    return isinstance(node, Window | WindowAggregate)


def is_native(node: Node) -> bool:
    """Whether Spark's own operators give the rows of a step, which only come, as those below."""
    if isinstance(node, Join) and node.form == "temporal":
        return False
    step = infer(node)
    changing = step.changes or any(child.changes for child in step.inputs)
    return not changing and not why_not_native(node)


def joins_natively(node: Join) -> bool:
    """Whether Spark's own join is used: one bounded in time also above steps that keep times."""
    if is_native(node):
        return True
    step = infer(node)
    changing = step.changes or any(child.changes for child in step.inputs)
    bounded = node.form == "interval" and not node.takes_late
    return bounded and not changing and all(map(_carries_time, inputs(node)))


def _carries_time(node: Node) -> bool:
    """Whether rows are told no later than the batch in which the watermark passes them."""
    if isinstance(node, Join) and node.form == "temporal":
        return True
    above = isinstance(node, Filter | Over | Project) and _carries_time(node.input)
    return above or is_native(node)
