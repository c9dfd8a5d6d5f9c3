"""The steps of a query that keep state, in Spark's order, and what the state of each was made for.

Spark knows an operator by its number; a state that is read by another operator, or by the same one
over other rows, is wrong without a word. So the facts are kept beside the state, and compared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from penstock.plan.describe import describe
from penstock.plan.engine import is_native, joins_natively
from penstock.plan.infer import infer
from penstock.plan.keys import is_single
from penstock.plan.nodes import (
    ORDER_COLUMN,
    ORDER_PARTS,
    Aggregate,
    Expand,
    Filter,
    Join,
    Node,
    Normalize,
    Over,
    Rank,
    SetOperation,
    Sort,
    Unnest,
    Values,
    Window,
    WindowAggregate,
)
from penstock.plan.origin import Origins
from penstock.plan.query import Execution
from penstock.plan.rank import function_of
from penstock.plan.state import kept
from penstock.plan.temporal import keeps
from penstock.plan.walk import runs_once
from penstock.plan.wanted import texts, wanted_by_step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from penstock.model.expression import Expr
    from penstock.plan.infer import Step
    from penstock.plan.nodes import Named, Order
    from penstock.plan.query import Query

Facts = dict[str, tuple[str, ...]]
# What the changelog engine keeps is laid out in its second way: state in another one is refused.
_ENGINE = "changelog, layout 2"
# What looks at more than one row of a table at rest.
_WHOLE = (Aggregate, Over, Rank, SetOperation, Sort, WindowAggregate)


@dataclass(frozen=True, slots=True)
class Operator:
    """A step that keeps state: its `name` as `explain` has it, and the `facts` of its state."""

    kind: str
    name: str
    facts: Facts


def operators(query: Query) -> tuple[Operator, ...]:
    """From the sink down, left before right, as Spark reports them."""
    if runs_once(query) or query.execution is Execution.BLOCK:
        return ()
    return tuple(_Reader(query).read())


def behind_state(query: Query) -> tuple[str, ...]:
    """What decides behind the last state which rows come and go in a sink, and as what.

    A sink that is told the old rows must be told those that it was given, others their keys.
    """
    if runs_once(query) or query.execution is Execution.BLOCK or query.materialized:
        return ()
    return tuple(_Reader(query).read_behind())


def step_name(step: Step) -> str:
    """What a step is called where its state is told of."""
    node, shown = step.node, describe(step)
    table = f" of {node.input.table}" if isinstance(node, Normalize) else ""
    return f"{shown.name} {shown.detail}{table}".strip()


def sink_name(query: Query) -> str:
    """What the sink of a query is called that keeps the rows of each key."""
    return f"Sink {query.sink_table} by {', '.join(query.materialized)}"


class _Reader:
    """Reads the operators of one query."""

    def __init__(self, query: Query) -> None:
        self._query = query
        self._origins = Origins()
        self._wanted = list(wanted_by_step(query.input, texts(query.columns)))

    def read(self) -> Iterator[Operator]:
        query = self._query
        step = infer(query.input, needs_before=query.needs_before)
        if key := query.materialized:
            columns = (f"{name} = {self._of(e, query.input)}" for name, e in query.columns)
            facts = {"key": key, "columns": tuple(columns), **self._below(step)}
            yield Operator("Sink", sink_name(query), facts | self._common(engine=True))
        yield from self._steps(step)

    def read_behind(self) -> Iterator[str]:
        query = self._query
        step = infer(query.input, needs_before=query.needs_before)
        if not step.changes:
            return
        for texts_ in self._below(step).values():
            yield from texts_
        for name, expr in query.columns:
            if query.needs_before or name in query.spec.key:
                yield f"{name} = {self._of(expr, query.input)}"

    def _steps(self, step: Step) -> Iterator[Operator]:
        if kept(step):
            yield self._operator(step)
        for child in step.inputs:
            yield from self._steps(child)

    def _operator(self, step: Step) -> Operator:
        node = step.node
        changing = any(child.changes for child in step.inputs)
        native = (
            joins_natively(node)
            if isinstance(node, Join)
            else (isinstance(node, WindowAggregate) and is_native(node))
        )
        facts = {
            **self._own(step),
            **_merged(self._below(child) for child in step.inputs),
            "rows below": ("come and go" if changing else "only come",),
            **self._common(engine=self._query.execution is Execution.CHANGELOG and not native),
        }
        return Operator(type(node).__name__, step_name(step), facts)

    def _common(self, *, engine: bool) -> Facts:
        forgets = engine and self._query.ttl_ms > 0
        return {
            "engine": (_ENGINE if engine else "Spark's own",),
            "time to live": ("some" if forgets else "none",),
        }

    def _own(self, step: Step) -> Facts:
        match node := step.node:
            case Aggregate() | WindowAggregate():
                keys = self._named(node.keys, node.input)
                aggregates = self._named(node.aggregates, node.input)
                return {"keys": keys, "aggregates": aggregates, **_arrival(node)}
            case Join():
                return self._join(node)
            case Rank():
                last = self._of(node.last_by, node.input) if node.last_by else node.last
                range_ = f"{function_of(node)} from {node.first} to {last}"
                return {
                    "partition": tuple(self._of(expr, node.input) for expr in node.partition),
                    "order": self._order(node.order, node.input),
                    "range": (range_, *(["numbered"] if node.numbered else [])),
                    "columns": self._columns(node),
                }
            case Sort():
                return {
                    "order": self._order(node.order, node.input),
                    "range": (f"limit {node.limit} offset {node.offset}",),
                    "columns": self._columns(node),
                }
            case Normalize():
                key = tuple(self._origins.of(part, node) for part in node.key)
                kept = tuple(self._origins.of(field.sql, node) for field in node.kept)
                return {"key": key, "columns": kept}
            case SetOperation():
                kind = f"{node.kind}{'' if node.distinct else ' ALL'}"
                return {"kind": (kind,), **self._sides(node)}
            case Over():
                return {
                    "functions": self._named(node.functions, node.input),
                    "partition": tuple(self._of(expr, node.input) for expr in node.partition),
                    "order": self._order(node.order, node.input),
                    "columns": self._columns(node),
                }
            case Window():
                return {"windows": (self._window(step, node),), "columns": self._columns(node)}
            case _:
                raise AssertionError(node)

    def _join(self, node: Join) -> Facts:
        bounds = (f"{node.lower_ms / 1000:g} s", f"{node.upper_ms / 1000:g} s")
        sides = enumerate(("left", "right"))
        return {
            "kind": (f"{node.kind} {node.form}",),
            "conditions": tuple(self._of(expr, node) for expr in node.conditions),
            "bounds in time": bounds if node.form == "interval" else (),
            "late rows": ("are joined",) if node.takes_late else (),
            "lets go": ("at the window's end",) if node.closes else (),
            "one row per key": tuple(name for side, name in sides if is_single(node, side)),
            **self._versions(node),
            **self._sides(node),
        }

    def _versions(self, node: Join) -> Facts:
        if node.form != "temporal" or node.times is None:
            return {}
        times = (self._origins.of(time.sql, node) for time in node.times)
        return {"times": tuple(times), "versions": (keeps(node.right) or "all",)}

    def _columns(self, node: Node) -> tuple[str, ...]:
        """Of the columns of a step those that are asked for: no others are kept."""
        wanted = next(text for step, text in self._wanted if step is node)
        asked = (field.sql for field in node.fields if field.sql in wanted)
        return tuple(self._origins.of(sql, node) for sql in asked)

    def _sides(self, node: Join | SetOperation) -> Facts:
        sides = zip(("left", "right"), (node.left, node.right), strict=True)
        return {f"{name} columns": self._columns(side) for name, side in sides}

    def _below(self, step: Step) -> Facts:
        """What decides on the way from the next state below which rows there are.

        A condition on rows that only come may change, as may a join with a table at rest: it counts
        from then on. Of rows that go, it must be the one that they came by.
        """
        node = step.node
        if kept(step):
            return {}
        own: Facts = {}
        changing = any(child.changes for child in step.inputs)
        if isinstance(node, Window):
            own = {"windows": (self._window(step, node),)}
        elif isinstance(node, Expand):
            own = {"grouping sets": node.sets}
        elif isinstance(node, Filter) and changing:
            own = {"conditions of rows that go": (self._of(node.condition, node.input),)}
        elif isinstance(node, Unnest) and changing:
            own = {"elements of rows that go": self._elements(node)}
        elif isinstance(node, Join) and changing:
            own = {"joins of rows that go": tuple(self._at_rest(step))}
        return _merged([own, *(self._below(child) for child in step.inputs)])

    def _at_rest(self, step: Step) -> Iterator[str]:
        """What decides which rows a join with a table at rest gives, down to that table."""
        node = step.node
        if isinstance(node, Join):
            met = (self._of(expr, node) for expr in node.conditions)
            yield f"{node.kind} on {' AND '.join(met)}"
        elif isinstance(node, Filter):
            yield self._of(node.condition, node.input)
        elif isinstance(node, Unnest):
            yield from self._elements(node)
        elif isinstance(node, Values):
            yield ", ".join(f"({', '.join(value.sql for value in row)})" for row in node.rows)
        elif isinstance(node, _WHOLE):
            for texts_ in self._own(step).values():
                yield from texts_
        for child in step.inputs:
            if not child.changes:
                yield from self._at_rest(child)

    def _elements(self, node: Unnest) -> tuple[str, ...]:
        kept = ("also without elements",) if node.outer else ()
        return (self._of(node.collection, node.input), *kept)

    def _window(self, step: Step, node: Window) -> str:
        """A window in words, by what its time and its partition are made of."""
        columns = {field.name: field.sql for field in node.input.fields}
        apart = tuple(self._origins.of(columns[name], node.input) for name in node.partition)
        time = replace(node.time, name=self._origins.of(node.time.sql, node.input))
        shown = describe(replace(step, node=replace(node, partition=apart, time=time)))
        return f"{shown.name} {shown.detail}"

    def _named(self, named: Named, node: Node) -> tuple[str, ...]:
        return tuple(self._of(expr, node) for _, expr in named)

    def _order(self, order: Iterable[Order], node: Node) -> tuple[str, ...]:
        return tuple(self._origins.of(term.sql, node) for term in order)

    def _of(self, expr: Expr, node: Node) -> str:
        return self._origins.of(expr.sql, node)


def _arrival(node: Aggregate | WindowAggregate) -> Facts:
    """What the places are made of that an aggregate by arrival keeps beside its values."""
    asked = any(ORDER_COLUMN in expr.sql for _, expr in node.aggregates)
    return {"order of arrival": ORDER_PARTS} if asked else {}


def _merged(parts: Iterable[Facts]) -> Facts:
    found: Facts = {}
    for part in parts:
        for label, texts_ in part.items():
            found[label] = (*found.get(label, ()), *texts_)
    return found
