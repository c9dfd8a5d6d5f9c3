"""The logical plan: what a query does, step by step, with every name bound and every type known."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Literal, TypeAlias

from penstock.connectors.base import FileSource
from penstock.model.changelog import ChangelogMode

if TYPE_CHECKING:
    from penstock.connectors.base import ScanSpec, SinkSpec
    from penstock.model.expression import Expr
    from penstock.plan.scope import Field


@dataclass(frozen=True, slots=True)
class Scan:
    """Reads a table: stored columns, then computed ones, then the watermark."""

    table: str
    spec: ScanSpec
    computed: tuple[tuple[str, Expr], ...]
    fields: tuple[Field, ...]
    rowtime: str = ""
    watermark_delay_ms: int = 0


@dataclass(frozen=True, slots=True)
class Filter:
    """Keeps the rows for which the condition holds."""

    input: Node
    condition: Expr
    text: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Project:
    """Computes columns: internal name, expression."""

    input: Node
    columns: tuple[tuple[str, Expr], ...]
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """Assigns rows to event-time windows; a row is in several windows when they overlap."""

    input: Node
    kind: Literal["TUMBLE", "HOP"]
    time_column: str
    size_ms: int
    slide_ms: int
    offset_ms: int
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class WindowAggregate:
    """Groups by a window and by keys; a group's row is emitted when its window has passed."""

    input: Node
    keys: tuple[tuple[str, Expr], ...]
    aggregates: tuple[tuple[str, Expr], ...]
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """All rows of several inputs, columns by position."""

    inputs: tuple[Node, ...]
    fields: tuple[Field, ...]


Node: TypeAlias = Scan | Filter | Project | Window | WindowAggregate | Union


class Execution(Enum):
    """How Spark runs a query; the value is what `explain` says."""

    BATCH = "batch: every source is bounded"
    MICRO_BATCH = "micro-batches, append mode"
    UPDATE = "micro-batches, update mode"
    CHANGELOG = "changelog engine"


@dataclass(frozen=True, slots=True)
class Query:
    """One INSERT: a plan and the table it fills; `id` survives restarts and harmless edits."""

    id: str
    sink_table: str
    input: Node
    columns: tuple[tuple[str, Expr], ...]
    spec: SinkSpec
    text: str
    mode: ChangelogMode = ChangelogMode.APPEND
    execution: Execution = Execution.MICRO_BATCH


@dataclass(frozen=True, slots=True)
class Result:
    """What SHOW, DESCRIBE or EXPLAIN answers: rows under headings, or a text without any."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ScriptPlan:
    """All that a script will run, with its settings."""

    name: str
    settings: tuple[tuple[str, str], ...]
    queries: tuple[Query, ...]
    tables: tuple[str, ...] = field(default=())
    results: tuple[Result, ...] = field(default=())


def inputs(node: Node) -> tuple[Node, ...]:
    """The nodes a node reads from."""
    if isinstance(node, Scan):
        return ()
    return node.inputs if isinstance(node, Union) else (node.input,)


def scans(node: Node) -> tuple[Scan, ...]:
    """Every table reference below a node, in reading order."""
    if isinstance(node, Scan):
        return (node,)
    return tuple(scan for child in inputs(node) for scan in scans(child))


def reads_files_only(node: Node) -> bool:
    """Whether every source is a file bound in place of a table."""
    return all(isinstance(scan.spec.source, FileSource) for scan in scans(node))


def is_windowed(node: Node) -> bool:
    """Whether the plan keeps state for event-time windows."""
    return isinstance(node, WindowAggregate) or any(is_windowed(child) for child in inputs(node))


def has_window(node: Node) -> bool:
    """Whether rows are assigned to event-time windows anywhere in the plan."""
    return isinstance(node, Window) or any(has_window(child) for child in inputs(node))
