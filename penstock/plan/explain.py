"""A plan as text: each query as a tree with a changelog mode per step, and how it will run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.secret import shown_value
from penstock.plan.describe import describe
from penstock.plan.engine import lacking
from penstock.plan.infer import infer, is_bounded
from penstock.plan.operators import operators
from penstock.plan.query import Execution
from penstock.plan.settings import no_effect
from penstock.plan.state import kept, kept_by_sink, until
from penstock.plan.walk import runs_once

if TYPE_CHECKING:
    from penstock.plan.infer import Step
    from penstock.plan.nodes import Node
    from penstock.plan.query import Query, ScriptPlan


def explain(plan: ScriptPlan) -> str:
    """The whole plan."""
    parts = [f"Job {plan.name}"]
    if plan.settings:
        parts.append("\n".join(_setting(key, value) for key, value in plan.settings))
    parts += [explain_query(query) for query in plan.queries]
    if not plan.queries:
        missing = "view that can run" if plan.warehouse else "INSERT INTO"
        parts.append(f"No {missing}: nothing to run.")
    return "\n\n".join(parts)


def explain_query(query: Query) -> str:
    """One query."""
    step = infer(query.input, needs_before=query.needs_before)
    lines = [
        f"Query {query.id}",
        f"  runs as: {how(query)}",
        f"  state: {_state(query)}",
        f"  guarantee: {query.spec.target.guarantee}",
    ]
    columns = ", ".join(f"{name} {expr.type}" for name, expr in query.columns)
    lines += [
        f"  Sink {query.sink_table} [{query.mode.value}] → {query.spec.target.describe()}",
        f"       {columns}",
    ]
    if query.options:
        lines.append(f"       options: {', '.join(query.options)}")
    if query.materialized:
        lines.append(f"       key: {', '.join(query.materialized)}")
        if not runs_once(query):
            lines.append(f"       state: {kept_by_sink(query)}")
    _grow(step, lines, "  ", batch=_has_no_state(query))
    return until("\n".join(lines), query.ttl_ms)


def explain_node(node: Node) -> str:
    """A query that fills no table."""
    lines: list[str] = []
    _grow(infer(node), lines, "", batch=is_bounded(node))
    return "\n".join(lines)


def how(query: Query) -> str:
    """How a query runs and why."""
    step = lacking(query)
    note = f" (not in this version yet: {step})" if step else ""
    return f"{query.execution.value}{note}: {query.reason}"


def setting_text(key: str, value: str) -> str:
    """The value of a setting, as it may be shown."""
    return shown_value(key, value)


def _setting(key: str, value: str) -> str:
    note = f"  ({nothing})" if (nothing := no_effect(key)) else ""
    return f"  SET '{key}' = '{setting_text(key, value)}'{note}"


def _has_no_state(query: Query) -> bool:
    """Whether each step has all of its rows before it: those of a batch, or of a block."""
    return runs_once(query) or query.execution is Execution.BLOCK


def _state(query: Query) -> str:
    count = len(operators(query))
    return "none" if not count else f"{count} step{'s' * (count != 1)} with state"


def _grow(step: Step, lines: list[str], indent: str, *, batch: bool) -> None:
    shown = describe(step)
    mode = "" if batch else f" [{step.mode.value}]"
    lines.append(f"{indent}└─ {shown.name}{mode} {shown.detail}".rstrip())
    state = "" if batch else kept(step)
    for label, text in (*shown.lines, *([("state", state)] if state else [])):
        lines.append(f"{indent}     {label}{': ' * bool(label)}{text}")
    for child in step.inputs:
        _grow(child, lines, indent + "   ", batch=batch)
