"""What a script will run: each query with its plan and the table it fills; and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from penstock.model.changelog import ChangelogMode

if TYPE_CHECKING:
    from penstock.catalog.connect import Overrides
    from penstock.catalog.definitions import Definitions
    from penstock.catalog.functions import UserFunction
    from penstock.catalog.warehouse import Warehouse
    from penstock.connectors.base import SinkSpec
    from penstock.model.span import Span
    from penstock.plan.nodes import Named, Node
    from penstock.plan.steps import Step


class Execution(Enum):
    """How Spark runs a query; the value is what `explain` says."""

    BATCH = "batch"
    MICRO_BATCH = "micro-batches, append mode"
    BLOCK = "micro-batches, one by one"
    UPDATE = "micro-batches, update mode"
    REAL_TIME = "real-time"
    CHANGELOG = "changelog engine"


@dataclass(frozen=True, slots=True)
class Query:
    """One INSERT: a plan and the table it fills; `id` survives restarts and harmless edits.

    `needs_before`: its rows must tell what an update replaces. `materialized` is the key of the
    table where it is another than the rows': the last row of each is found out for it. `not_null`
    are columns that no NULL may enter, those of the `primary_key` not even in what goes: with
    `drops_nulls` such rows are left out, else they are an error. State that nothing touches is kept
    for `ttl_ms`, with 0 for ever. `span` is where the script names the table.
    """

    id: str
    sink_table: str
    input: Node
    columns: Named
    spec: SinkSpec
    text: str
    mode: ChangelogMode = ChangelogMode.APPEND
    execution: Execution = Execution.MICRO_BATCH
    reason: str = ""
    options: tuple[str, ...] = ()
    needs_before: bool = False
    materialized: tuple[str, ...] = ()
    not_null: tuple[str, ...] = ()
    primary_key: tuple[str, ...] = ()
    drops_nulls: bool = False
    ttl_ms: int = 0
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Result:
    """What SHOW, DESCRIBE or EXPLAIN answers: rows under headings, or a text without any."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ScriptPlan:
    """All that a script will run, with its settings.

    With `steps` it has to do with tables at rest: they are then all that is done, in their order,
    to a warehouse that had these definitions when they were `loaded`. `overrides` are those it was
    planned with.
    """

    name: str
    settings: tuple[tuple[str, str], ...]
    queries: tuple[Query, ...]
    tables: tuple[str, ...] = field(default=())
    results: tuple[Result, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
    functions: tuple[UserFunction, ...] = field(default=())
    steps: tuple[Step, ...] = field(default=())
    warehouse: Warehouse | None = None
    loaded: Definitions | None = None
    overrides: Overrides | None = None
