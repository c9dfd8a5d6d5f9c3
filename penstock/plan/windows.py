"""Windows: the table functions TUMBLE, HOP, CUMULATE, SESSION, and the older GROUP BY TUMBLE(…)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import TIMESTAMP_3
from penstock.plan.nodes import Node, Window
from penstock.plan.scope import Field, Scope
from penstock.sql.flink import TableArgument
from penstock.sql.intervals import interval_ms
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Collection

    from penstock.model.span import Span
    from penstock.plan.nodes import WindowKind

_SIZES = ("SIZE", "SLIDE", "STEP", "GAP", "OFFSET")
WINDOW_COLUMN = "__window"
ROWTIME_COLUMN = "__rowtime"
_EPOCH = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
_ARGUMENTS = {
    "TUMBLE": ("DATA", "TIMECOL", "SIZE", "OFFSET"),
    "HOP": ("DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"),
    "CUMULATE": ("DATA", "TIMECOL", "STEP", "SIZE", "OFFSET"),
    "SESSION": ("DATA", "TIMECOL", "GAP"),
}
_LENGTHS = {
    "TUMBLE": "INTERVAL size [, INTERVAL offset]",
    "HOP": "INTERVAL slide, INTERVAL size [, INTERVAL offset]",
    "CUMULATE": "INTERVAL step, INTERVAL size [, INTERVAL offset]",
    "SESSION": "INTERVAL gap",
}
# GROUP BY CUMULATE(…) does not exist: the older kind has three windows.
_GROUP_WINDOWS = ("TUMBLE", "HOP", "SESSION")
_AUXILIARY = {
    "START": "window_start",
    "END": "window_end",
    "ROWTIME": "window_time",
    "PROCTIME": "window_time",
}


def as_local_time(instant: str) -> str:
    """A TIMESTAMP that stands for a local date and time as UTC, as that date and time."""
    return f"timestampadd(MICROSECOND, unix_micros({instant}), {_EPOCH})"


def as_instant(local_time: str) -> str:
    """A TIMESTAMP_NTZ as a TIMESTAMP that shows the same date and time in UTC.

    Spark's watermarks need a TIMESTAMP; going through UTC keeps every local time distinct.
    """
    return f"timestamp_micros(timestampdiff(MICROSECOND, {_EPOCH}, {local_time}))"


def window_bound(field: Field) -> Expr:
    """The bound of a row's window that a field is, read from the window itself."""
    if field.window != "time":
        return Expr(as_local_time(f"{WINDOW_COLUMN}.{field.window}"), field.type)
    last = as_local_time(f"({WINDOW_COLUMN}.end - INTERVAL '0.001' SECOND)")
    sql = last if field.type.root == "TIMESTAMP" else f"CAST({last} AS TIMESTAMP)"
    return Expr(sql, field.type)


def is_window_call(node: exp.Expr | None) -> bool:
    """Whether a call in FROM is a window table function."""
    return isinstance(node, exp.Anonymous) and node.name.upper() in _ARGUMENTS


def window_arguments(node: exp.Anonymous) -> dict[str, exp.Expr]:
    """The arguments of a window table function by name, however they were passed."""
    kind = node.name.upper()
    names = _ARGUMENTS[kind]
    arguments = {}
    for position, argument in enumerate(node.expressions):
        if isinstance(argument, exp.Kwarg):
            arguments[argument.this.name.upper()] = argument.expression
        elif position < len(names):
            arguments[names[position]] = argument
    optional = {"OFFSET"}
    data, time = arguments.get("DATA"), arguments.get("TIMECOL")
    if (
        set(names) - optional - set(arguments)
        or set(arguments) - set(names)
        or not isinstance(data, TableArgument | exp.Subquery)
        or not (isinstance(time, exp.Anonymous) and time.name.upper() == "DESCRIPTOR")
        or len(time.expressions) != 1
        or len(node.expressions) > len(names)
    ):
        raise _wrong_arguments(node, f"(TABLE t, DESCRIPTOR(ts), {_LENGTHS[kind]})")
    return arguments


def _wrong_arguments(node: exp.Expr, expected: str) -> PlanError:
    count = len(node.expressions)
    return PlanError(
        "WRONG_ARGUMENTS",
        span=node_span(node),
        function=node.name.upper(),
        found=f"these {count} arguments" if count != 1 else "this argument",
        expected=expected,
    )


def window(
    node: exp.Anonymous, arguments: dict[str, exp.Expr], source: Node, span: Span | None
) -> Window:
    """The window table function over its input."""
    column = arguments["TIMECOL"].expressions[0]
    sizes = {name: interval_ms(arguments[name]) for name in _SIZES if name in arguments}
    size = sizes.get("SIZE", sizes.get("GAP", 0))
    slide = sizes.get("SLIDE", sizes.get("STEP", size))
    partition = tuple(key.name for key in arguments["DATA"].args.get("partition") or ())
    if partition and node.name.upper() != "SESSION":
        raise PlanError(
            "INVALID_QUERY",
            span=span,
            problem=f"PARTITION BY belongs to SESSION, not to {node.name.upper()}.",
            instead="Leave it out and group by the column.",
        )
    scope = Scope((("", source.fields),))
    lengths = (size, slide, sizes.get("OFFSET", 0))
    return _window(node, column, lengths, source, partition, scope)


def group_window(node: exp.Expr, source: Node, scope: Scope) -> Window:
    """`GROUP BY TUMBLE(ts, size)`, `HOP(ts, slide, size)` or `SESSION(ts, gap)`."""
    kind = node.name.upper()
    expected = 3 if kind == "HOP" else 2
    if len(node.expressions) != expected:
        raise _wrong_arguments(node, f"(ts, {_LENGTHS[kind].partition(' [')[0]})")
    column, *lengths = node.expressions
    size = interval_ms(lengths[-1])
    slide = interval_ms(lengths[0])
    return _window(node, column, (size, slide, 0), source, (), scope, older=True)


def is_group_window(node: exp.Expr) -> bool:
    """Whether a GROUP BY expression is a window of the older kind."""
    return (
        is_window_call(node)
        and node.name.upper() in _GROUP_WINDOWS
        and not any(isinstance(part, TableArgument | exp.Kwarg) for part in node.expressions)
    )


def auxiliary(node: exp.Expr, windows: Collection[exp.Expr]) -> str | None:
    """`TUMBLE_START(…)` and its kin → the window column they mean, for the windows grouped by."""
    if not isinstance(node, exp.Anonymous):
        return None
    kind, _, part = node.name.upper().partition("_")
    if kind not in _GROUP_WINDOWS or part not in _AUXILIARY:
        return None
    meant = exp.Anonymous(this=kind, expressions=node.expressions)
    if not any(_same_window(meant, window) for window in windows):
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(node),
            problem=f"{node.name.upper()} needs the same arguments as the {kind} in GROUP BY.",
            instead="",
        )
    return _AUXILIARY[part]


def _same_window(a: exp.Expr, b: exp.Expr) -> bool:
    return a.name.upper() == b.name.upper() and [_plain(x) for x in a.expressions] == [
        _plain(x) for x in b.expressions
    ]


def _plain(node: exp.Expr) -> str:
    return str(interval_ms(node)) if isinstance(node, exp.Interval) else node.name


def _check_lengths(node: exp.Expr, size: int, slide: int, offset: int, *, older: bool) -> None:
    kind = node.name.upper()
    problem = ""
    if size <= 0 or slide <= 0:
        problem = "A window needs a size and a slide greater than zero."
    elif abs(offset) >= size:
        problem = "The offset of a window must be smaller than its size."
    elif size % slide and not older:
        what = "maxSize" if kind == "CUMULATE" else "size"
        step = "step" if kind == "CUMULATE" else "slide"
        problem = (
            f"{kind} table function based aggregate requires {what} must be an integral multiple "
            f"of {step}, but got {what} {size} ms and {step} {slide} ms."
        )
    if problem:
        raise PlanError("INVALID_QUERY", span=node_span(node), problem=problem, instead="")


def _window(
    node: exp.Expr,
    column: exp.Expr,
    lengths: tuple[int, int, int],
    source: Node,
    partition: tuple[str, ...],
    scope: Scope,
    *,
    older: bool = False,
) -> Window:
    _check_lengths(node, *lengths, older=older)
    if not isinstance(column, exp.Column) or len(column.parts) > 2:
        raise _wrong_arguments(node, "the name of a time column")
    time = scope.find(column.name, alias=column.table, span=node_span(column))
    for key in partition:
        scope.find(key, span=node_span(column))
    if not (time.rowtime or time.proctime):
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(column),
            problem=f"The window needs a time attribute, `{column.name}` has no watermark.",
            instead=f"Declare WATERMARK FOR {column.name} AS … in the table, or use PROCTIME().",
        )
    bounds = (
        Field("window_start", TIMESTAMP_3, "", window="start"),
        Field("window_end", TIMESTAMP_3, "", window="end"),
        Field("window_time", time.type, "", window="time", proctime=time.proctime),
    )
    kind = cast("WindowKind", node.name.upper())
    # Rows of a session come when it is over: their own times have passed by then.
    late = kind == "SESSION"
    fields = (
        *(replace(f, window="", rowtime="" if late else f.rowtime) for f in source.fields),
        *(replace(field, sql=window_bound(field).sql) for field in bounds),
    )
    return Window(source, kind, time, *lengths, fields, partition, older)
