"""One step of a plan in words: a headline and what belongs to it. Used by every form of explain."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.plan.frames import time_of
from penstock.plan.infer import first_change, is_bounded
from penstock.plan.nodes import (
    Aggregate,
    Expand,
    Filter,
    Join,
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
from penstock.plan.rank import function_of, last_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.infer import Step
    from penstock.plan.nodes import Named, Order
    from penstock.plan.scope import Field

# Names of the planner's own: c0 of a projection, j1l0 of a join, __u1 of UNNEST.
_INTERNAL = re.compile(r"`(?:c\d+|j\d+[lr]\d+|__\w+)`")


@dataclass(frozen=True, slots=True)
class Description:
    """`name` of the step, `detail` beside it, and further lines as label and text."""

    name: str
    detail: str
    lines: tuple[tuple[str, str], ...]


def describe(step: Step) -> Description:
    """A step in words, with its key."""
    found: Description = _DESCRIBERS[type(step.node)](step.node)
    key = ", ".join(_key_names(step))
    lines = (*found.lines, *([("key", key)] if key else []))
    names = {
        field.sql: f"`{field.name}`"
        for child in step.inputs
        for field in child.node.fields
        if _INTERNAL.fullmatch(field.sql)
    }
    shown = tuple((label, _readable(text, names)) for label, text in lines)
    return Description(found.name, _readable(found.detail, names), shown)


def culprit(step: Step) -> str:
    """The lowest step that gives more than inserts, as an error names it."""
    found = first_change(step)
    shown = describe(found)
    # How a table is read is no part of the mistake.
    detail = "" if isinstance(found.node, Scan) else shown.detail
    return f"{shown.name} {detail}".strip()


def _readable(text: str, names: dict[str, str]) -> str:
    """A text with the names that the script gave in place of those that the planner did."""
    return _INTERNAL.sub(lambda match: names.get(match[0], match[0]), text)


def _key_names(step: Step) -> list[str]:
    if isinstance(step.node, Aggregate | WindowAggregate):
        return []
    names = {field.sql: field.name or "the number" for field in step.node.fields}
    names |= _grouped_by(step)
    found = [names[part] for part in step.key if part in names]
    return found if len(found) == len(step.key) else []


def _grouped_by(step: Step) -> dict[str, str]:
    """The keys of a GROUP BY by what they are: above it they have names of the planner's own."""
    while len(step.inputs) == 1 and not isinstance(step.node, Project | Aggregate):
        step = step.inputs[0]
    if not isinstance(step.node, Aggregate):
        return {}
    names = {field.sql: field.name for child in step.inputs for field in child.node.fields}
    return {f"`{name}`": names.get(expr.sql, expr.sql) for name, expr in step.node.keys}


def _columns(fields: tuple[Field, ...]) -> str:
    return ", ".join(f"{f.name} {f.type}" for f in fields if not f.hidden)


def _texts(named: Named) -> str:
    return ", ".join(expr.sql for _, expr in named)


def _order(order: tuple[Order, ...]) -> str:
    return ", ".join(f"{o.expr.sql} {'DESC' if o.descending else 'ASC'}" for o in order)


def _scan(node: Scan) -> Description:
    lines = [("", _columns(node.fields))]
    if node.options:
        lines.append(("options", ", ".join(node.options)))
    if node.rowtime:
        delay = f"{node.watermark_delay_ms / 1000:g} s"
        how = node.spec.source.describe_watermark()
        lines.append(("watermark", f"{node.rowtime} - {delay}{', ' * bool(how)}{how}"))
    return Description(f"Scan {node.table}", f"← {node.spec.source.describe()}", tuple(lines))


def _normalize(node: Normalize) -> Description:
    return Description("Normalize", "upserts to changes", ())


def _values(node: Values) -> Description:
    rows = len(node.rows)
    return Description("Values", f"{rows} row{'s' * (rows != 1)}", (("", _columns(node.fields)),))


def _filter(node: Filter) -> Description:
    return Description("Filter", node.text, ())


def _project(node: Project) -> Description:
    return Description("Project", _columns(node.fields), ())


def _window(node: Window) -> Description:
    size, slide = f"{node.size_ms / 1000:g} s", f"{node.slide_ms / 1000:g} s"
    detail = {
        "TUMBLE": f"size {size}",
        "HOP": f"size {size}, slide {slide}",
        "CUMULATE": f"size {size}, step {slide}",
        "SESSION": f"gap {size}",
    }[node.kind]
    if node.offset_ms:
        detail += f", offset {node.offset_ms / 1000:g} s"
    if node.partition:
        detail += f", partition by {', '.join(node.partition)}"
    time = "processing time" if node.time.proctime else f"`{node.time.name}`"
    return Description(f"Window {node.kind}", f"{detail} on {time}", ())


def _window_aggregate(node: WindowAggregate) -> Description:
    keys = _texts(node.keys)
    aggregates = (("aggregates", _texts(node.aggregates) or "none"),)
    return Description("WindowAggregate", f"by window{', ' + keys if keys else ''}", aggregates)


def _aggregate(node: Aggregate) -> Description:
    if not node.aggregates:
        return Description("Distinct", f"on {_texts(node.keys)}", ())
    by = f"by {_texts(node.keys)}" if node.keys else "of all rows"
    return Description("Aggregate", by, (("aggregates", _texts(node.aggregates)),))


def _expand(node: Expand) -> Description:
    return Description("Expand", f"grouping sets {', '.join(node.sets)}", ())


def _over(node: Over) -> Description:
    by = ", ".join(expr.sql for expr in node.partition) or "all rows"
    time = time_of(node)
    order = "processing time" if time and time.proctime else _order(node.order)
    frames = {call.frame for call in node.calls}
    if len(frames) > 1:
        return Description("Over", f"per {by}", (("functions", _texts(node.functions)),))
    functions = ", ".join(call.text for call in node.calls)
    lines = (("order", order), ("functions", functions))
    return Description("Over", f"per {by}, {frames.pop().sql}", lines if order else lines[1:])


def _rank(node: Rank) -> Description:
    bounds = {field.sql: f"`{field.name}`" for field in node.input.fields if field.window}
    by = ", ".join(bounds.get(expr.sql, expr.sql) for expr in node.partition) or "all rows"
    if node.versions:
        which = {"first": "the first row", "last": "every row"}[node.keep]
        return Description("Versions", f"{which} per {by}", ())
    if node.keep:
        return Description(f"Deduplicate keep {node.keep}", f"per {by}", ())
    last = last_of(node)
    rows = f"rows {node.first} to {last}" if node.first > 1 else f"first {last}"
    by += ", numbered" if node.numbered else ""
    function = function_of(node)
    how = "" if function == "ROW_NUMBER" else f" by {function}"
    return Description("TopN", f"{rows}{how} per {by}", (("order", _order(node.order)),))


def _join(node: Join) -> Description:
    form = "" if node.form == "regular" else f"{node.form} "
    lines = []
    if node.form == "interval" and node.times:
        left, right = (time.name for time in node.times)
        low, high = node.lower_ms / 1000, node.upper_ms / 1000
        lines.append(("time", f"{left} - {right} between {low:g} s and {high:g} s"))
    if node.form == "temporal" and node.times:
        lines.append(("time", f"as of {node.times[0].name}, by {node.times[1].name}"))
    if node.form == "lookup" and not is_bounded(node.left):
        current = node.current
        when = "as it is in each micro-batch" if current else "as it was when the query began"
        lines.append(("right side", when))
    if node.nearest:
        form = "as-of "
        lines.append(("nearest", f"{node.nearest.left.sql}, {node.nearest.direction}"))
    kind = node.kind.capitalize()
    return Description(f"{kind} {form}join".strip(), f"on {node.text or 'TRUE'}", tuple(lines))


def _unnest(node: Unnest) -> Description:
    outer = "keeping rows without elements" if node.outer else ""
    return Description("Unnest", f"{node.collection.sql} {outer}".strip(), ())


def _union(node: Union) -> Description:
    return Description("Union", "", ())


def _set(node: SetOperation) -> Description:
    return Description(node.kind.capitalize(), "" if node.distinct else "all", ())


def _sort(node: Sort) -> Description:
    parts = [f"by {_order(node.order)}"] if node.order else []
    parts += [f"limit {node.limit}"] if node.limit is not None else []
    parts += [f"offset {node.offset}"] if node.offset else []
    return Description("Sort" if node.order else "Limit", ", ".join(parts), ())


_DESCRIBERS: dict[type, Callable[..., Description]] = {
    Scan: _scan,
    Normalize: _normalize,
    Values: _values,
    Filter: _filter,
    Project: _project,
    Window: _window,
    WindowAggregate: _window_aggregate,
    Aggregate: _aggregate,
    Expand: _expand,
    Over: _over,
    Rank: _rank,
    Join: _join,
    Unnest: _unnest,
    Union: _union,
    SetOperation: _set,
    Sort: _sort,
}
