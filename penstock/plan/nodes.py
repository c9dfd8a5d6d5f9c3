"""The logical plan: what a query does, step by step, with every name bound and every type known.

Beside the columns that `fields` names, the rows of a step may carry hidden ones whose names begin
with `__`: event times that Spark's watermarks follow, and the windows of a row.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from penstock.connectors.base import ScanSpec
    from penstock.model.expression import Expr
    from penstock.model.span import Span
    from penstock.plan.frames import OverCall
    from penstock.plan.join_terms import Equality, Nearest
    from penstock.plan.scope import Field

# Where a row stands among all that came; the place is the one in its message.
ORDER_COLUMN = "__order"
ORDER_PARTS = ("batch", "offset", "partition", "place")
Named: TypeAlias = tuple[tuple[str, "Expr"], ...]
WindowKind: TypeAlias = Literal["TUMBLE", "HOP", "CUMULATE", "SESSION"]
JoinKind: TypeAlias = Literal["INNER", "LEFT", "RIGHT", "FULL", "CROSS", "SEMI", "ANTI"]
# What bounds a join in time: nothing, two event times, one window, the version of a row.
JoinForm: TypeAlias = Literal["regular", "interval", "window", "temporal", "lookup"]


@dataclass(frozen=True, slots=True)
class Scan:
    """Reads a table: stored columns, then computed ones, then the watermark.

    `metadata` are the columns that are no part of a message's rows, each with its metadata key.
    `by_key`: of an update only the new row is told, where it has the key of the old one.
    """

    table: str
    spec: ScanSpec
    computed: Named
    fields: tuple[Field, ...]
    rowtime: str = ""
    watermark_delay_ms: int = 0
    primary_key: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    by_key: bool = False


@dataclass(frozen=True, slots=True)
class Normalize:
    """The rows that upserts by a key replace and delete, found in what is kept of each key.

    Of its `fields`, which are the table's, only those that are `kept` come out: others are not
    asked for.
    """

    input: Scan
    key: tuple[str, ...]
    fields: tuple[Field, ...]
    kept: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Values:
    """Rows written in the script; the columns are named c0, c1, …"""

    rows: tuple[tuple[Expr, ...], ...]
    fields: tuple[Field, ...]


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
    columns: Named
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """Assigns rows to windows over `time`; a row is in several windows when they overlap.

    `slide_ms` is the slide of HOP and the step of CUMULATE, `size_ms` the gap of SESSION, whose
    sessions are those of the GROUP BY if the window is of the `older` kind, else of `partition`.
    Where they are not those that rows are grouped by, rows are told with their session: `alone`.
    """

    input: Node
    kind: WindowKind
    time: Field
    size_ms: int
    slide_ms: int
    offset_ms: int
    fields: tuple[Field, ...]
    partition: tuple[str, ...] = ()
    older: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class WindowAggregate:
    """Groups by a window and by keys; a group's row is emitted when its window has passed."""

    input: Node
    keys: Named
    aggregates: Named
    fields: tuple[Field, ...]

    @property
    def session(self) -> Window | None:
        """The session window right below whose sessions are those of the groups."""
        window = self.input
        if not isinstance(window, Window) or window.kind != "SESSION":
            return None
        columns = {field.name: field.sql for field in window.input.fields}
        apart = {columns[name] for name in window.partition}
        return window if window.older or apart == {e.sql for _, e in self.keys} else None


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Groups by keys alone; without aggregates it gives each group once."""

    input: Node
    keys: Named
    aggregates: Named
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Expand:
    """Repeats each row once per grouping set, its number in the hidden column `__set`."""

    input: Node
    sets: tuple[str, ...]
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """Adds to each row what functions say of the rows around it: name, full OVER expression.

    `calls` are the same functions as the changelog engine takes them.
    """

    input: Node
    functions: Named
    partition: tuple[Expr, ...]
    order: tuple[Order, ...]
    fields: tuple[Field, ...]
    calls: tuple[OverCall, ...]
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Rank:
    """Keeps the rows whose number within the partition lies between `first` and `last`.

    `keep` is "first" or "last" when that number goes by time and only one row stays: a
    deduplication. `numbered`: whether a step above asks for the number. `versions`: the join above
    asks for the row that stood at a time. A column of the partition, `last_by`, is a bound, too.
    """

    input: Node
    column: str
    number: Expr
    partition: tuple[Expr, ...]
    order: tuple[Order, ...]
    first: int
    last: int
    keep: Literal["", "first", "last"]
    fields: tuple[Field, ...]
    numbered: bool = True
    versions: bool = False
    last_by: Expr | None = None


@dataclass(frozen=True, slots=True)
class Join:
    """Rows of two inputs that meet every condition; none of them is every pair.

    Each side's columns are renamed by `tag` (`j1l0`, `j1r0`), so that none meets another. Of the
    conditions those that are `equal` say which rows can meet at all.

    An interval join says that left time minus right time lies between `lower_ms` and `upper_ms`, a
    temporal join that a right row counts from its time until that of the next one of its key. Where
    it is looked up, a right side that is `current` is read as it is by then, not as it first was.
    With `nearest` a left row has one partner at most. An interval join by whose times no step above
    goes `takes_late` rows, too: they join what is still kept. One that `forgets` keeps its rows for
    a time to live, not for ever. A window join on the changelog engine `closes` with each of its
    windows.
    """

    left: Node
    right: Node
    kind: JoinKind
    form: JoinForm
    conditions: tuple[Expr, ...]
    text: str
    tag: int
    fields: tuple[Field, ...]
    equal: tuple[Equality, ...] = ()
    times: tuple[Field, Field] | None = None
    lower_ms: int = 0
    upper_ms: int = 0
    current: bool = False
    nearest: Nearest | None = None
    takes_late: bool = False
    forgets: bool = False
    closes: bool = False


@dataclass(frozen=True, slots=True)
class Unnest:
    """One row per element of an array or map, as the hidden column `column`."""

    input: Node
    column: str
    collection: Expr
    outer: bool
    position: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """All rows of several inputs, columns by position."""

    inputs: tuple[Node, ...]
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class SetOperation:
    """INTERSECT or EXCEPT of two inputs with the same columns."""

    left: Node
    right: Node
    kind: Literal["INTERSECT", "EXCEPT"]
    distinct: bool
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """One term of an ORDER BY."""

    expr: Expr
    descending: bool
    nulls_first: bool

    @property
    def sql(self) -> str:
        """The term in Spark SQL."""
        nulls = "FIRST" if self.nulls_first else "LAST"
        return f"{self.expr.sql} {'DESC' if self.descending else 'ASC'} NULLS {nulls}"


@dataclass(frozen=True, slots=True)
class Sort:
    """Orders rows and keeps some of them."""

    input: Node
    order: tuple[Order, ...]
    limit: int | None
    offset: int
    fields: tuple[Field, ...]
    span: Span | None = field(default=None, compare=False)


Node: TypeAlias = (
    Scan
    | Normalize
    | Values
    | Filter
    | Project
    | Window
    | WindowAggregate
    | Aggregate
    | Expand
    | Over
    | Rank
    | Join
    | Unnest
    | Union
    | SetOperation
    | Sort
)
