"""Event-time windows: the table functions TUMBLE and HOP, and the older GROUP BY TUMBLE(…)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.types import TIMESTAMP_3, TIMESTAMP_LTZ_3, quote
from penstock.plan.nodes import Node, Window
from penstock.plan.scope import Field, Scope
from penstock.sql.flink import TableArgument
from penstock.sql.intervals import interval_ms
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Collection

WINDOW_COLUMN = "__window"
ROWTIME_COLUMN = "__rowtime"
_EPOCH = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
_ARGUMENTS = {
    "TUMBLE": ("DATA", "TIMECOL", "SIZE", "OFFSET"),
    "HOP": ("DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"),
}
_LENGTHS = {
    "TUMBLE": "INTERVAL size [, INTERVAL offset]",
    "HOP": "INTERVAL slide, INTERVAL size [, INTERVAL offset]",
}
_REFUSED = ("CUMULATE", "SESSION")
_AUXILIARY = {"START": "window_start", "END": "window_end", "ROWTIME": "window_time"}


def as_local_time(instant: str) -> str:
    """A TIMESTAMP that stands for a local date and time as UTC, as that date and time."""
    return f"timestampadd(MICROSECOND, unix_micros({instant}), {_EPOCH})"


def as_instant(local_time: str) -> str:
    """A TIMESTAMP_NTZ as a TIMESTAMP that shows the same date and time in UTC.

    Spark's watermarks need a TIMESTAMP; going through UTC keeps every local time distinct.
    """
    return f"timestamp_micros(timestampdiff(MICROSECOND, {_EPOCH}, {local_time}))"


def is_window_call(node: exp.Expr | None) -> bool:
    """Whether a call in FROM is a window table function."""
    return isinstance(node, exp.Anonymous) and node.name.upper() in (*_ARGUMENTS, *_REFUSED)


def window_arguments(node: exp.Anonymous) -> dict[str, exp.Expr]:
    """The arguments of a window table function by name, however they were passed."""
    kind = node.name.upper()
    _refuse_kind(node, kind)
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
        or not isinstance(data, TableArgument)
        or not (isinstance(time, exp.Anonymous) and time.name.upper() == "DESCRIPTOR")
        or len(time.expressions) != 1
        or len(node.expressions) > len(names)
    ):
        raise _wrong_arguments(node, f"(TABLE t, DESCRIPTOR(ts), {_LENGTHS[kind]})")
    return arguments


def _wrong_arguments(node: exp.Anonymous, expected: str) -> PlanError:
    count = len(node.expressions)
    return PlanError(
        "WRONG_ARGUMENTS",
        span=node_span(node),
        function=node.name.upper(),
        found=f"these {count} arguments" if count != 1 else "this argument",
        expected=expected,
    )


def window(node: exp.Anonymous, arguments: dict[str, exp.Expr], source: Node) -> Window:
    """The window table function over its input."""
    column = arguments["TIMECOL"].expressions[0]
    size = interval_ms(arguments["SIZE"])
    slide = interval_ms(arguments["SLIDE"]) if "SLIDE" in arguments else size
    offset = interval_ms(arguments["OFFSET"]) if "OFFSET" in arguments else 0
    return _window(node, column, (size, slide, offset), source)


def group_window(node: exp.Anonymous, source: Node) -> Window:
    """`GROUP BY TUMBLE(ts, size)` or `HOP(ts, slide, size)` as the same thing."""
    kind = node.name.upper()
    _refuse_kind(node, kind)
    if len(node.expressions) != len(_ARGUMENTS[kind]) - 2:
        raise _wrong_arguments(node, f"(ts, {_LENGTHS[kind].partition(' [')[0]})")
    column, *lengths = node.expressions
    size = interval_ms(lengths[-1])
    slide = interval_ms(lengths[0])
    return _window(node, column, (size, slide, 0), source)


def is_group_window(node: exp.Expr) -> bool:
    """Whether a GROUP BY expression is a window of the older kind."""
    return is_window_call(node) and not any(
        isinstance(argument, TableArgument | exp.Kwarg) for argument in node.expressions
    )


def auxiliary(node: exp.Expr, windows: Collection[exp.Expr]) -> str | None:
    """`TUMBLE_START(…)` and its kin → the window column they mean, for the windows grouped by."""
    if not isinstance(node, exp.Anonymous):
        return None
    kind, _, part = node.name.upper().partition("_")
    if kind not in _ARGUMENTS or part not in _AUXILIARY:
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


def _refuse_kind(node: exp.Anonymous, kind: str) -> None:
    if kind in _REFUSED:
        raise PlanError(
            "UNSUPPORTED_QUERY",
            span=node_span(node),
            feature=f"The window {kind}",
            instead="Supported windows: TUMBLE and HOP.",
        )


def _window(
    node: exp.Anonymous, column: exp.Expr, lengths: tuple[int, int, int], source: Node
) -> Window:
    size, slide, offset = lengths
    if size <= 0 or slide <= 0:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(node),
            problem="A window needs a size and a slide greater than zero.",
            instead="",
        )
    if abs(offset) >= size:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(node),
            problem="The offset of a window must be smaller than its size.",
            instead="",
        )
    if size % slide:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(node),
            problem="HOP table function based aggregate requires size must be an integral multiple "
            f"of slide, but got size {size} ms and slide {slide} ms.",
            instead="",
        )
    found = Scope((("", source.fields),)).find(column.name, span=node_span(column))
    if not found.rowtime:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(column),
            problem=f"The window needs an event-time column, `{column.name}` has no watermark.",
            instead=f"Declare WATERMARK FOR {column.name} AS … in the table; windows over "
            "PROCTIME() are not supported yet.",
        )
    fields = (
        *source.fields,
        Field("window_start", TIMESTAMP_3, as_local_time(f"{WINDOW_COLUMN}.start")),
        Field("window_end", TIMESTAMP_3, as_local_time(f"{WINDOW_COLUMN}.end")),
        Field("window_time", found.type, _window_time(found)),
    )
    kind = "TUMBLE" if node.name.upper() == "TUMBLE" else "HOP"
    return Window(source, kind, quote(found.name), size, slide, offset, fields)  # type: ignore[arg-type]


def _window_time(rowtime: Field) -> str:
    last = as_local_time(f"({WINDOW_COLUMN}.end - INTERVAL '0.001' SECOND)")
    target = TIMESTAMP_3 if rowtime.type.root == "TIMESTAMP" else TIMESTAMP_LTZ_3
    return last if target is TIMESTAMP_3 else f"CAST({last} AS TIMESTAMP)"
