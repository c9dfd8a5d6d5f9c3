"""ClickHouse's functions that number days, weeks and hours, or make a day of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.clickhouse.numbers import UINT32
from penstock.sql.clickhouse.reading import within
from penstock.sql.clickhouse.times import DATE
from penstock.sql.functions.clickhouse.base import STRING, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.temporal import first_day, part, slot, with_zones

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_UINT8 = DataType("UINT8", nullable=False)
_UINT16 = DataType("UINT16", nullable=False)
_DAY = "unix_date(CAST({0} AS DATE))"
# function → what Spark computes of the local time, the type
_NUMBERS = {
    "toRelativeYearNum": ("year({0})", _UINT16),
    "toRelativeQuarterNum": ("(year({0}) * 4 + quarter({0}) - 1)", UINT32),
    "toRelativeMonthNum": ("(year({0}) * 12 + month({0}))", UINT32),
    "toRelativeWeekNum": (f"(({_DAY} + 3) div 7)", UINT32),
    "toRelativeDayNum": (_DAY, UINT32),
    "toDaysInMonth": ("day(last_day({0}))", _UINT8),
}
_ISO_YEAR = "make_date(extract(YEAROFWEEK FROM {0}), 1, 4)"


def _made(arguments: Sequence[Expr]) -> Expr:
    """A day of numbers; 1970-01-01 if there is no such month, day or year."""
    year, month, date = (f"CAST({argument.sql} AS BIGINT)" for argument in arguments)
    known = f"{year} BETWEEN 1970 AND 2149 AND {month} BETWEEN 1 AND 12 AND {date} BETWEEN 1 AND 31"
    start = f"make_date(CAST({year} AS INT), CAST({month} AS INT), 1)"
    found = f"if({known}, date_add({start}, CAST({date} AS INT) - 1), DATE'1970-01-01')"
    return Expr(within(found, DATE), DATE)


def _of_days(build: Callable[[Sequence[Expr]], Expr], gives: str) -> tuple[S, ...]:
    """Of a Date or DateTime: what lies beyond their ranges is clamped elsewhere."""
    return tuple(S((kind,), build, gives) for kind in ("Date", "DateTime"))


CALENDAR: Table = {
    **{n: _of_days(part(*p), p[1].root) for n, p in _NUMBERS.items()},
    "toDaysSinceYearZero": one(("date",), part(f"({_DAY} + 719528)", UINT32), "UInt32"),
    "monthName": _of_days(part("date_format({0}, 'MMMM')", STRING), "String"),
    "toMillisecond": with_zones("time", part("date_format({0}, 'SSS')", _UINT16), "UInt16"),
    "toStartOfISOYear": _of_days(first_day(f"date_sub({_ISO_YEAR}, weekday({_ISO_YEAR}))"), "Date"),
    "timeSlot": with_zones("time", slot(1800), "DateTime"),
    "makeDate": one(("integer", "integer", "integer"), _made, "Date"),
}
