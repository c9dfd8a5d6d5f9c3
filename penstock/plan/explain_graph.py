"""A plan for other programs: as JSON, and as a picture in the languages of Graphviz and Mermaid."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from penstock.plan.describe import describe
from penstock.plan.explain import how, setting_text
from penstock.plan.infer import infer
from penstock.plan.operators import sink_name, step_name
from penstock.plan.state import kept, kept_by_sink, until

if TYPE_CHECKING:
    from penstock.plan.infer import Step
    from penstock.plan.query import Query, ScriptPlan


def explain_json(plan: ScriptPlan) -> str:
    """The whole plan as a JSON document."""
    document = {
        "job": plan.name,
        "settings": {key: setting_text(key, value) for key, value in plan.settings},
        "queries": [_query(query) for query in plan.queries],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _query(query: Query) -> dict[str, object]:
    return {
        "id": query.id,
        "execution": query.execution.name.lower(),
        "reason": query.reason,
        "guarantee": query.spec.target.guarantee,
        "sink": {
            "table": query.sink_table,
            "target": query.spec.target.describe(),
            "mode": query.mode.value,
            "columns": [{"name": name, "type": str(e.type)} for name, e in query.columns],
            "options": list(query.options),
            **_kept(query),
        },
        "plan": _step(_inferred(query), query.ttl_ms),
    }


def _kept(query: Query) -> dict[str, object]:
    """The key and the state of a sink whose rows are kept for it."""
    if not query.materialized:
        return {}
    return {
        "key": list(query.materialized),
        "state": until(kept_by_sink(query), query.ttl_ms),
        "operator": sink_name(query),
    }


def _inferred(query: Query) -> Step:
    return infer(query.input, needs_before=query.needs_before)


def _step(step: Step, ttl_ms: int) -> dict[str, object]:
    shown = describe(step)
    found: dict[str, object] = {
        "step": shown.name,
        "detail": shown.detail,
        "mode": step.mode.value,
        "columns": [
            {"name": f.name, "type": str(f.type)} for f in step.node.fields if not f.hidden
        ],
    }
    found |= {label: text for label, text in shown.lines if label}
    if state := kept(step):
        found["state"] = until(state, ttl_ms)
        found["operator"] = step_name(step)
    found["inputs"] = [_step(child, ttl_ms) for child in step.inputs]
    return found


def explain_dot(plan: ScriptPlan) -> str:
    """The plan as a graph for Graphviz."""
    lines = ["digraph plan {", "  rankdir=BT;", "  node [shape=box];"]
    for node, label in _nodes(plan):
        lines.append(f"  {node} [label={json.dumps(label, ensure_ascii=False)}];")
    lines += [f"  {a} -> {b} [label={json.dumps(mode)}];" for a, b, mode in _edges(plan)]
    return "\n".join([*lines, "}"])


def explain_mermaid(plan: ScriptPlan) -> str:
    """The plan as a Mermaid flowchart."""
    lines = ["flowchart BT"]
    for node, label in _nodes(plan):
        text = label.replace('"', "#quot;").replace("\n", "<br/>")
        lines.append(f'  {node}["{text}"]')
    lines += [f"  {a} -->|{mode}| {b}" for a, b, mode in _edges(plan)]
    return "\n".join(lines)


def _nodes(plan: ScriptPlan) -> list[tuple[str, str]]:
    found = []
    for number, query in enumerate(plan.queries):
        label = f"Sink {query.sink_table}\n{query.spec.target.describe()}\n{how(query)}"
        found.append((f"q{number}", label))
        found += _labels(_inferred(query), f"q{number}_0")
    return found


def _labels(step: Step, name: str) -> list[tuple[str, str]]:
    shown = describe(step)
    found = [(name, f"{shown.name}\n{shown.detail}".rstrip())]
    for number, child in enumerate(step.inputs):
        found += _labels(child, f"{name}_{number}")
    return found


def _edges(plan: ScriptPlan) -> list[tuple[str, str, str]]:
    found = []
    for number, query in enumerate(plan.queries):
        step = _inferred(query)
        found.append((f"q{number}_0", f"q{number}", query.mode.value))
        found += _inner_edges(step, f"q{number}_0")
    return found


def _inner_edges(step: Step, name: str) -> list[tuple[str, str, str]]:
    found = []
    for number, child in enumerate(step.inputs):
        below = f"{name}_{number}"
        found += [(below, name, child.mode.value), *_inner_edges(child, below)]
    return found
