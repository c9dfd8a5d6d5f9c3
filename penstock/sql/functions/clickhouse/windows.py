"""ClickHouse's functions that exist with OVER only, in Spark SQL.

`lag` and `lead` look at all rows of the partition. `lagInFrame` and `leadInFrame` are the same
where the frame holds the rows they ask for, which the planner sees to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.numbers import FLOAT64, UINT64
from penstock.sql.clickhouse.types import default_sql
from penstock.sql.functions.clickhouse.base import AFTER, Table, integer_of
from penstock.sql.functions.clickhouse.base import Signature as S

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SAME = "The type of argument 1"


def _number(call: str) -> tuple[S, ...]:
    return (S((), f"CAST({call}{AFTER} AS DECIMAL(20, 0))", UINT64),)


def _share(call: str) -> tuple[S, ...]:
    return (S((), f"{call}{AFTER}", FLOAT64),)


def _other_row(function: str) -> Callable[[Sequence[Expr]], Expr]:
    """The value of another row, or the default where there is no such row."""

    def build(arguments: Sequence[Expr]) -> Expr:
        value, *rest = arguments
        steps = integer_of(rest[0].sql) if rest else 1
        absent = cast(rest[1], value.type).sql if rest[1:] else default_sql(value.type)
        return Expr(f"{function}({value.sql}, {steps}, {absent}){AFTER}", value.type)

    return build


def _nth(arguments: Sequence[Expr]) -> Expr:
    value, place = arguments
    sql = f"nth_value({value.sql}, {integer_of(place.sql)}){AFTER}"
    filled = sql if value.type.nullable else f"coalesce({sql}, {default_sql(value.type)})"
    return Expr(filled, value.type)


def _tile(arguments: Sequence[Expr]) -> str:
    return f"CAST(ntile({integer_of(arguments[0].sql)}){AFTER} AS DECIMAL(20, 0))"


def _beside(function: str) -> tuple[S, ...]:
    takes = ("any", "literal integer", "any")
    build = _other_row(function)
    return tuple(S(takes[:count], build, _SAME, lenient=True) for count in (1, 2, 3))


WINDOWS: Table = {
    "cume_dist": _share("cume_dist()"),
    "dense_rank": _number("dense_rank()"),
    "lag": _beside("lag"),
    "lagInFrame": _beside("lag"),
    "lead": _beside("lead"),
    "leadInFrame": _beside("lead"),
    "nth_value": (S(("any", "literal integer"), _nth, _SAME, lenient=True),),
    "ntile": (S(("literal integer",), _tile, UINT64),),
    "percent_rank": _share("percent_rank()"),
    "rank": _number("rank()"),
    "row_number": _number("row_number()"),
}
# What the frame of OVER changes nothing for.
FRAMELESS = tuple(name for name in WINDOWS if name != "nth_value")
