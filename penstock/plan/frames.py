"""Frames of functions with OVER: which rows around a row each of them sees, and by which time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.types import TIMESTAMP_LTZ_3
from penstock.plan.forms import PROCTIME
from penstock.plan.nodes import ORDER_COLUMN, Filter, Project
from penstock.plan.relations import unsupported
from penstock.plan.scope import Field
from penstock.sql.intervals import interval_ms

if TYPE_CHECKING:
    from penstock.plan.nodes import Node, Over, Sort

_UNBOUNDED = "UNBOUNDED PRECEDING"
_CURRENT = "CURRENT ROW"


@dataclass(frozen=True, slots=True)
class Frame:
    """From where to where a function looks; `size` is how many rows, or milliseconds, before it."""

    rows: bool
    start: str = _UNBOUNDED
    end: str = _CURRENT
    size: int | None = None
    by_interval: bool = False

    @property
    def sql(self) -> str:
        """The frame in Spark SQL."""
        return f"{'ROWS' if self.rows else 'RANGE'} BETWEEN {self.start} AND {self.end}"

    @property
    def streams(self) -> bool:
        """Whether it looks back only, by rows or by time: what comes later changes nothing."""
        sized = self.size is not None and self.start.endswith("PRECEDING")
        back = self.start == _UNBOUNDED or (sized and self.by_interval is not self.rows)
        return back and self.end == _CURRENT


@dataclass(frozen=True, slots=True)
class OverCall:
    """A function as the changelog engine takes it, without its OVER.

    `sql` is an aggregate, or what LAG looks at: `offset` rows before, and if there is none,
    `otherwise`.
    """

    function: str
    frame: Frame
    sql: str = ""
    offset: int = 1
    otherwise: str = ""

    @property
    def text(self) -> str:
        """The function in words."""
        if self.function == "LAG":
            return f"lag({self.sql}, {self.offset}, {self.otherwise})"
        return self.sql or f"{self.function.lower()}()"


def time_of(node: Over) -> Field | None:
    """The time by which rows are ordered, None if they are by something else."""
    if not node.order:
        return None
    sql = node.order[0].expr.sql
    if sql == ORDER_COLUMN:
        return Field("", TIMESTAMP_LTZ_3, sql, proctime=True)
    found = _time_column(node.input, sql)
    if found is None and _is_clock(sql, node.input):
        return Field("", TIMESTAMP_LTZ_3, sql, proctime=True)
    return found


def sort_time(node: Sort) -> Field | None:
    """The time by which a stream is put in order, going up; a projection may have computed it."""
    if node.limit is not None or node.offset or not node.order or node.order[0].descending:
        return None
    rows, sql = node.input, node.order[0].expr.sql
    found = _time_column(rows, sql)
    if found is None and isinstance(rows, Project):
        computed = {f"`{name}`": expr.sql for name, expr in rows.columns}
        found = _time_column(rows.input, computed.get(sql, sql))
    return found


def _time_column(node: Node, sql: str) -> Field | None:
    times = (field for field in node.fields if field.rowtime or field.proctime)
    return next((field for field in times if field.sql == sql), None)


def _is_clock(sql: str, node: Node) -> bool:
    """Whether a column is computed as PROCTIME(), though it may have lost its mark."""
    while isinstance(node, Filter | Project):
        computed = dict(node.columns) if isinstance(node, Project) else {}
        sql = computed[sql.strip("`")].sql if sql.strip("`") in computed else sql
        node = node.input
    return sql == PROCTIME.sql


def by_clock(node: Over) -> bool:
    """Whether the clock says which rows a frame has left behind."""
    frame, time = node.calls[0].frame, time_of(node)
    return bool(time and time.proctime and frame.size is not None and not frame.rows)


def written_frame(frame: exp.Expr) -> Frame:
    """The frame that an OVER clause writes."""
    if frame.args["kind"] not in ("ROWS", "RANGE"):
        raise unsupported(frame, f"A frame of {frame.args['kind']}", "Use ROWS or RANGE.")
    begin = frame.args["start"]
    start = _edge(begin, frame.args.get("start_side"))
    end = _edge(frame.args.get("end") or _CURRENT, frame.args.get("end_side"))
    size = None
    if isinstance(begin, exp.Expr):
        size = interval_ms(begin) if isinstance(begin, exp.Interval) else int(begin.name)
    by_interval = isinstance(begin, exp.Interval)
    return Frame(frame.args["kind"] == "ROWS", start, end, size, by_interval)


def _edge(edge: object, side: str | None) -> str:
    if isinstance(edge, exp.Interval):
        length = interval_ms(edge)
        if length < 0:
            raise unsupported(edge, "A frame of a negative size", "Write a positive interval.")
        return f"INTERVAL '{length}' MILLISECONDS {side}"
    if isinstance(edge, exp.Expr) and not (isinstance(edge, exp.Literal) and edge.name.isdigit()):
        raise unsupported(edge, "A frame whose size is not a constant", "Write a whole number.")
    if isinstance(edge, exp.Expr):
        return f"{edge.sql()} {side or ''}".strip()
    return f"{edge} {side or ''}".strip()
