"""A plan as text: each query as a tree with a changelog mode per step, and how it will run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.base import FileSource, FileTarget, Source, Target
from penstock.model.option import SECRET, is_secret
from penstock.plan.nodes import (
    Filter,
    Node,
    Project,
    Query,
    Scan,
    ScriptPlan,
    Union,
    Window,
    WindowAggregate,
    inputs,
    is_windowed,
)
from penstock.plan.settings import has_effect

if TYPE_CHECKING:
    from collections.abc import Callable


def explain(plan: ScriptPlan) -> str:
    """The whole plan."""
    parts = [f"Job {plan.name}"]
    if plan.settings:
        parts.append("\n".join(_setting(key, value) for key, value in plan.settings))
    parts += [_query(query) for query in plan.queries]
    if not plan.queries:
        parts.append("No INSERT INTO: nothing to run.")
    return "\n\n".join(parts)


def _setting(key: str, value: str) -> str:
    note = "" if has_effect(key) else "  (no effect here)"
    return f"  SET '{key}' = '{_shown(key, value)}'{note}"


def _query(query: Query) -> str:
    if is_windowed(query.input):
        how = "micro-batches with Spark's event-time windows, append mode"
        state = "one entry per open window and group, until the watermark passes the window's end"
    else:
        how, state = "micro-batches, stateless, append mode", "none"
    lines = [
        f"Query {query.id}",
        f"  runs as: {how}",
        f"  state: {state}",
        f"  guarantee: {_guarantee(query.spec.target)}",
        *_tree(query),
    ]
    return "\n".join(lines)


def _guarantee(target: Target) -> str:
    return "exactly-once" if isinstance(target, FileTarget) else "at-least-once"


def _tree(query: Query) -> list[str]:
    columns = ", ".join(f"{name} {expr.type}" for name, expr in query.columns)
    lines = [
        f"  Sink {query.sink_table} [{query.mode.value}] → {_target(query.spec.target)}",
        f"       {columns}",
    ]
    _grow(query.input, lines, "  ")
    return lines


def _grow(node: Node, lines: list[str], indent: str) -> None:
    first, *more = _DESCRIBERS[type(node)](node)
    lines.append(f"{indent}└─ {first}")
    lines.extend(f"{indent}     {line}" for line in more)
    for child in inputs(node):
        _grow(child, lines, indent + "   ")


def _scan(node: Scan) -> list[str]:
    lines = [
        f"Scan {node.table} [append] ← {_source(node.spec.source)}",
        ", ".join(f"{f.name} {f.type}" for f in node.fields),
    ]
    if node.rowtime:
        lines.append(f"watermark: {node.rowtime} - {node.watermark_delay_ms / 1000:g} s")
    return lines


def _filter(node: Filter) -> list[str]:
    return [f"Filter [append] {node.text}"]


def _project(node: Project) -> list[str]:
    return [f"Project [append] {', '.join(f'{f.name} {f.type}' for f in node.fields)}"]


def _window(node: Window) -> list[str]:
    size, slide = node.size_ms / 1000, node.slide_ms / 1000
    detail = f"size {size:g} s" + (f", slide {slide:g} s" if node.kind == "HOP" else "")
    return [f"Window {node.kind} [append] {detail} on {node.time_column}"]


def _aggregate(node: WindowAggregate) -> list[str]:
    keys = ", ".join(expr.sql for _, expr in node.keys)
    aggregates = ", ".join(expr.sql for _, expr in node.aggregates)
    by = f"by window{', ' + keys if keys else ''}"
    return [f"WindowAggregate [append] {by}", f"aggregates: {aggregates or 'none'}"]


def _union(node: Union) -> list[str]:
    return ["Union [append]"]


_DESCRIBERS: dict[type, Callable[..., list[str]]] = {
    Scan: _scan,
    Filter: _filter,
    Project: _project,
    Window: _window,
    WindowAggregate: _aggregate,
    Union: _union,
}


def _source(source: Source) -> str:
    if isinstance(source, FileSource):
        return f"file {source.path}"
    what = f"pattern '{source.pattern}'" if source.pattern else f"topic {_names(source.topics)}"
    return f"{what} from {source.startup.mode} ({_properties(source.properties)})"


def _target(target: Target) -> str:
    if isinstance(target, FileTarget):
        return f"file {target.path}"
    return f"topic '{target.topic}' ({_properties(target.properties)})"


def _names(topics: tuple[str, ...]) -> str:
    return ", ".join(f"'{topic}'" for topic in topics)


def _properties(properties: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{key}={_shown(key, value)}" for key, value in properties)


def _shown(key: str, value: str) -> str:
    return SECRET if is_secret(key) else value
