"""ClickHouse's functions that make moments of numbers, number weeks, and count whole units."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import DataType, literal
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.numbers import INT64, UINT32
from penstock.sql.clickhouse.reading import within
from penstock.sql.clickhouse.times import DATE, DATETIME, EPOCH, day, instant, local
from penstock.sql.clickhouse.types import with_zone
from penstock.sql.functions.clickhouse.base import STRING, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.conversions import zone_of
from penstock.sql.functions.clickhouse.temporal import week_mode
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_INT32 = DataType("INT", nullable=False)
# unit of age → microseconds, or months
_LENGTHS = {
    "second": 1_000_000,
    "minute": 60_000_000,
    "hour": 3_600_000_000,
    "day": 86_400_000_000,
}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
# unit of dateName → Spark's pattern
_NAMES = {
    "year": "yyyy",
    "month": "MMMM",
    "week": "",
    "day": "d",
    "dayofyear": "D",
    "weekday": "EEEE",
    "hour": "H",
    "minute": "m",
    "second": "s",
}


def _age(arguments: Sequence[Expr]) -> Expr | None:
    """How many whole units lie between two moments."""
    unit = (text_of(arguments[0].sql) or "").lower().removesuffix("s")
    zone = zone_of(arguments, 3)
    zoned = [Expr(a.sql, with_zone(a.type, zone)) if zone else a for a in arguments[1:3]]
    if len({one_.type.zone for one_ in zoned if one_.type.root == "TIMESTAMP_LTZ"}) > 1:
        return None  # Parts of two zones are compared.
    times = [local(one_) for one_ in zoned]
    start, end = (f"timestampdiff(MICROSECOND, {EPOCH}, {time})" for time in times)
    if unit in _LENGTHS:
        return Expr(f"(({end} - {start}) div {_LENGTHS[unit]}L)", INT64)
    if unit in _MONTHS:
        a, b = times
        months = f"if({a} > {b}, - timestampdiff(MONTH, {b}, {a}), timestampdiff(MONTH, {a}, {b}))"
        return Expr(f"({months} div {_MONTHS[unit]})", INT64)
    raise PlanError(
        "INVALID_QUERY",
        problem=f"age knows no unit '{unit}'.",
        instead=f"Units: {', '.join((*_LENGTHS, *_MONTHS))}.",
    )


def _made(arguments: Sequence[Expr]) -> Expr:
    """makeDateTime: numbers that are no moment give 1970."""
    year, month, date, hour, minute, second = (
        f"CAST({argument.sql} AS BIGINT)" for argument in arguments[:6]
    )
    zone = zone_of(arguments, 6)
    year = f"least({year}, 2200)"  # What is too late is the last moment.
    bounds = (
        *((year, 1970, 2200), (month, 1, 12), (date, 1, 31)),
        *((hour, 0, 23), (minute, 0, 59), (second, 0, 59)),
    )
    known = " AND ".join(f"{value} BETWEEN {low} AND {high}" for value, low, high in bounds)
    start = f"make_date(CAST({year} AS INT), CAST({month} AS INT), 1)"
    seconds = f"({date} - 1) * 86400 + {hour} * 3600 + {minute} * 60 + {second}"
    at = f"timestampadd(SECOND, {seconds}, CAST({start} AS TIMESTAMP_NTZ))"
    found = f"if({known}, {instant(at, zone)}, timestamp_seconds(0))"
    return Expr(within(found, DATETIME), replace(DATETIME, zone=zone))


def _offset(arguments: Sequence[Expr]) -> str:
    moment = arguments[0]
    past = f"timestampdiff(MICROSECOND, {EPOCH}, {local(moment)})"
    return f"CAST(({past} - unix_micros({moment.sql})) div 1000000 AS INT)"


def _zone(arguments: Sequence[Expr]) -> str:
    zone = arguments[0].type.zone
    return literal(zone) if zone else "current_timezone()"


def _start_of(unit: int) -> Callable[[Sequence[Expr]], Expr]:
    digits = 3 if unit == 1000 else 6

    def build(arguments: Sequence[Expr]) -> Expr:
        moment = arguments[0]
        shown = max(digits, moment.type.precision or 0)
        type_ = DataType("TIMESTAMP_LTZ", shown, nullable=False, zone=moment.type.zone)
        micros = f"unix_micros({cast(moment, type_).sql})"
        return Expr(f"timestamp_micros({micros} - pmod({micros}, {unit}L))", type_)

    return build


def _date_name(arguments: Sequence[Expr]) -> Expr | None:
    unit, moment = (text_of(arguments[0].sql) or "").lower(), arguments[1]
    zone = zone_of(arguments, 2)
    at = local(Expr(moment.sql, with_zone(moment.type, zone)) if zone else moment)
    plain = {"quarter": f"quarter({at})", "week": f"weekofyear({at})"}
    if unit in plain:
        return Expr(f"CAST({plain[unit]} AS STRING)", STRING)
    return Expr(f"date_format({at}, '{_NAMES[unit]}')", STRING) if unit in _NAMES else None


def _last_of_week(arguments: Sequence[Expr]) -> Expr:
    """Mode 0, the default, ends a week on Saturday; mode 1 on Sunday."""
    mode, date = week_mode(arguments), day(arguments[0])
    left = f"(6 - weekday({date}))" if mode else f"(7 - dayofweek({date}))"
    return Expr(within(f"date_add({date}, {left})", DATE), DATE)


_NUMBERS = ("integer",) * 6
CLOCKS: Table = {
    "age": (
        S(("literal string", "date or time", "date or time"), _age, "Int64"),
        S(("literal string", "date or time", "date or time", "literal string"), _age, "Int64"),
    ),
    "makeDateTime": (
        S(_NUMBERS, _made, "DateTime"),
        S((*_NUMBERS, "literal string"), _made, "DateTime(zone)"),
    ),
    "toRelativeMinuteNum": one(("DateTime",), "(unix_seconds({0}) div 60)", UINT32),
    "toRelativeSecondNum": one(("DateTime",), "unix_seconds({0})", UINT32),
    "toLastDayOfWeek": (
        S(("date or time",), _last_of_week, "Date"),
        S(("date or time", "literal integer"), _last_of_week, "Date"),
    ),
    "toStartOfMillisecond": one(("DateTime64",), _start_of(1000), "DateTime64"),
    "toStartOfMicrosecond": one(("DateTime64",), _start_of(1), "DateTime64"),
    "dateName": tuple(
        S(("literal string", kind, *zone), _date_name, "String")
        for kind in ("Date", "DateTime")
        for zone in ((), ("literal string",))
    ),
    "timeZone": one((), "current_timezone()", STRING),
    "timeZoneOf": one(("time",), _zone, STRING, lenient=True),
    "timeZoneOffset": one(("time",), _offset, _INT32),
    "toUnixTimestamp64Second": one(("DateTime64",), "(unix_micros({0}) div 1000000)", INT64),
}
