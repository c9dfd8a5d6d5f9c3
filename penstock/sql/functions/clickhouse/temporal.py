"""ClickHouse's functions of dates and times, counted in the zone of the argument."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.clickhouse.casts import FIRST_SECOND, LAST_SECOND, cast
from penstock.sql.clickhouse.numbers import INT64, UINT32, negated
from penstock.sql.clickhouse.reading import number_within, within
from penstock.sql.clickhouse.shift import shift
from penstock.sql.clickhouse.times import DATE, DATETIME, EPOCH, day, instant, local
from penstock.sql.clickhouse.types import with_zone
from penstock.sql.functions.clickhouse.base import STRING, Table, integer_of, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.conversions import zone_of
from penstock.sql.functions.clickhouse.time_format import formatted
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.sql.functions.clickhouse.base import Typed

_UINT8 = DataType("UINT8", nullable=False)
_UINT16 = DataType("UINT16", nullable=False)
_UINT64 = DataType("UINT64", nullable=False)
# function → what Spark computes of the local time, the type
_PARTS = {
    "toYear": ("year({0})", _UINT16),
    "toQuarter": ("quarter({0})", _UINT8),
    "toMonth": ("month({0})", _UINT8),
    "toDayOfYear": ("dayofyear({0})", _UINT16),
    "toDayOfMonth": ("day({0})", _UINT8),
    "toISOWeek": ("weekofyear({0})", _UINT8),
    "toISOYear": ("extract(YEAROFWEEK FROM {0})", _UINT16),
    "toYYYYMM": ("(year({0}) * 100 + month({0}))", UINT32),
    "toYYYYMMDD": ("(year({0}) * 10000 + month({0}) * 100 + day({0}))", UINT32),
}
_CLOCK_PARTS = {
    "toHour": ("hour({0})", _UINT8),
    "toMinute": ("minute({0})", _UINT8),
    "toSecond": ("second({0})", _UINT8),
    "toYYYYMMDDhhmmss": ("date_format({0}, 'yyyyMMddHHmmss')", _UINT64),
}
# function → the first day of the period
_STARTS = {
    "toStartOfYear": "trunc({0}, 'YEAR')",
    "toStartOfQuarter": "trunc({0}, 'QUARTER')",
    "toStartOfMonth": "trunc({0}, 'MONTH')",
    "toLastDayOfMonth": "last_day({0})",
    "toMonday": "date_sub({0}, weekday({0}))",
}
# function → seconds
_SLOTS = {
    "toStartOfHour": 3600,
    "toStartOfFifteenMinutes": 900,
    "toStartOfTenMinutes": 600,
    "toStartOfFiveMinutes": 300,
    "toStartOfMinute": 60,
}
_UNITS = (
    *("Microsecond", "Millisecond", "Second", "Minute", "Hour"),
    *("Day", "Week", "Month", "Quarter", "Year"),
)
# unit of dateDiff → a number that grows by one at each boundary
_NUMBERS = {
    "year": "year({day})",
    "quarter": "(year({day}) * 4 + quarter({day}))",
    "month": "(year({day}) * 12 + month({day}))",
    "week": "floor((unix_date({day}) + 3) / 7)",
    "day": "unix_date({day})",
    "hour": "floor(({unix} - {offset}) / 3600)",
    "minute": "floor({unix} / 60)",
    "second": "{unix}",
}
_SHORT = {"yyyy": "year", "yy": "year", "qq": "quarter", "mm": "month", "wk": "week", "dd": "day"}
_SHORT |= {"hh": "hour", "mi": "minute", "n": "minute", "ss": "second", "s": "second", "d": "day"}


def _zoned(arguments: Sequence[Expr], place: int = 1) -> Expr:
    """The moment, in the zone that an argument names."""
    value, zone = arguments[0], zone_of(arguments, place)
    return Expr(value.sql, with_zone(value.type, zone)) if zone else value


def part(template: str, type_: DataType) -> Callable[[Sequence[Expr]], Expr]:
    """What a template makes of the local time of a moment."""

    def build(arguments: Sequence[Expr]) -> Expr:
        found = template.format(local(_zoned(arguments)))
        return Expr(f"CAST({found} AS {type_.spark_sql()})", type_)

    return build


def first_day(template: str) -> Callable[[Sequence[Expr]], Expr]:
    """What a template makes of the day of a moment, as Date."""
    return lambda a: Expr(within(template.format(day(_zoned(a))), DATE), DATE)


def week_mode(arguments: Sequence[Expr]) -> int:
    """The mode of a week behind a moment: 0 begins it on Sunday, 1 on Monday."""
    mode = (integer_of(arguments[1].sql) or 0) if len(arguments) > 1 else 0
    if mode not in (0, 1):
        raise PlanError("INVALID_QUERY", problem="The modes 0 and 1 are supported.", instead="")
    return mode


def _start_of_week(arguments: Sequence[Expr]) -> Expr:
    """Mode 0, the default, begins a week on Sunday; mode 1 on Monday."""
    mode, date = week_mode(arguments), day(arguments[0])
    past = f"weekday({date})" if mode else f"(dayofweek({date}) - 1)"
    return Expr(within(f"date_sub({date}, {past})", DATE), DATE)


def _start_of_day(arguments: Sequence[Expr]) -> Expr:
    moment = _zoned(arguments)
    midnight = f"CAST({day(moment)} AS TIMESTAMP_NTZ)"
    sql = within(instant(midnight, moment.type.zone), DATETIME)
    return Expr(sql, replace(DATETIME, zone=moment.type.zone))


def slot(seconds: int) -> Callable[[Sequence[Expr]], Expr]:
    """The local time cut to a multiple of so many seconds since midnight."""

    def build(arguments: Sequence[Expr]) -> Expr:
        moment = _zoned(arguments)
        past = f"pmod(timestampdiff(MICROSECOND, {EPOCH}, {local(moment)}), {seconds * 1_000_000}L)"
        sql = f"timestamp_micros(unix_micros({moment.sql}) - {past})"
        return Expr(within(sql, DATETIME), replace(DATETIME, zone=moment.type.zone))

    return build


def _start_of_second(arguments: Sequence[Expr]) -> Expr | None:
    """Only a DateTime64 has parts of a second."""
    moment = _zoned(arguments)
    if not moment.type.precision:
        return None
    micros = f"unix_micros({moment.sql})"
    sql = f"timestamp_micros({micros} - pmod({micros}, 1000000L))"
    return Expr(sql, moment.type)


def _date_trunc(arguments: Sequence[Expr]) -> Expr | None:
    unit = (text_of(arguments[0].sql) or "").lower()
    moment = _zoned(arguments[1:])
    if moment.type.root == "DATE32" or moment.type.precision:
        return None  # Which type it gives has changed from version to version.
    if unit in ("hour", "minute", "second"):
        if moment.type.root != "TIMESTAMP_LTZ":
            return None
        seconds = {"hour": 3600, "minute": 60, "second": 1}[unit]
        return slot(seconds)([moment])
    if unit == "day":
        return _start_of_day([moment])
    names = {"week": "toMonday", "month": "toStartOfMonth"}
    names |= {"quarter": "toStartOfQuarter", "year": "toStartOfYear"}
    return first_day(_STARTS[names[unit]])([moment]) if unit in names else None


def _date_diff(arguments: Sequence[Expr]) -> Expr | None:
    """How many boundaries of the unit lie between two moments."""
    unit = (text_of(arguments[0].sql) or "").lower()
    template = _NUMBERS.get(_SHORT.get(unit, unit))
    if template is None:
        raise PlanError(
            "INVALID_QUERY",
            problem=f"dateDiff knows no unit '{unit}'.",
            instead=f"Units: {', '.join(_NUMBERS)}.",
        )
    zone = zone_of(arguments, 3)
    numbers = []
    for moment in arguments[1:3]:
        zoned = Expr(moment.sql, with_zone(moment.type, zone)) if zone else moment
        at = cast(zoned, replace(DATETIME, precision=6, zone=zone or moment.type.zone))
        # Hours are counted from the offset that the zone had in 1970.
        offset = f"timestampdiff(SECOND, {EPOCH}, {local(Expr('timestamp_seconds(0)', at.type))})"
        texts = {"day": day(zoned), "unix": f"unix_seconds({at.sql})", "offset": offset}
        numbers.append(f"CAST({template.format(**texts)} AS BIGINT)")
    return Expr(f"({numbers[1]} - {numbers[0]})", INT64)


def _moved(unit: str, sign: int) -> Callable[[Sequence[Expr]], Expr]:
    def build(arguments: Sequence[Expr]) -> Expr:
        moment, amount = arguments
        return shift(moment, amount if sign > 0 else negated(amount), unit.upper())

    return build


def _unix(arguments: Sequence[Expr]) -> Expr:
    value, zone = arguments[0], zone_of(arguments, 1)
    if value.type.root in ("DATE", "DATE32"):
        zone = ""  # The midnight of a Date is the server's.
    moment = cast(value, replace(DATETIME, zone=zone or value.type.zone))
    return Expr(f"unix_seconds({moment.sql})", UINT32.as_nullable(moment.type.nullable))


def _now(digits: int) -> Callable[[Sequence[Expr]], Expr]:
    def build(arguments: Sequence[Expr]) -> Expr:
        zone = zone_of(arguments, 0) if not digits else ""
        precise = DataType("TIMESTAMP_LTZ", 6, nullable=False)
        wanted = DataType("TIMESTAMP_LTZ", digits, nullable=False, zone=zone)
        return Expr(cast(Expr("current_timestamp()", precise), wanted).sql, wanted)

    return build


def _to_zone(arguments: Sequence[Expr]) -> Expr:
    return Expr(arguments[0].sql, with_zone(arguments[0].type, zone_of(arguments, 1)))


def _from_64(function: str, digits: int) -> tuple[S, ...]:
    """A number beyond the years that DateTime64 has is taken for the nearest one."""
    type_ = DataType("TIMESTAMP_LTZ", digits, nullable=False)
    low, high = FIRST_SECOND * 10**digits, (LAST_SECOND + 1) * 10**digits - 1
    return one(("integer",), f"{function}({number_within('{0}', low, high)})", type_)


def with_zones(kind: str, build: Typed, gives: str) -> tuple[S, ...]:
    """A function that may name a zone behind the moment."""
    return (
        S((kind,), build, gives),
        S((kind, "literal string"), build, gives),
    )


TEMPORAL: Table = {
    **{n: with_zones("date or time", part(*p), p[1].root) for n, p in _PARTS.items()},
    **{n: with_zones("time", part(*p), p[1].root) for n, p in _CLOCK_PARTS.items()},
    "toDayOfWeek": one(("date or time",), part("(weekday({0}) + 1)", _UINT8), "UInt8"),
    **{
        n: (
            S(("date or time",), first_day(t), "Date"),
            S(("time", "literal string"), first_day(t), "Date"),
        )
        for n, t in _STARTS.items()
    },
    **{n: with_zones("time", slot(s), "DateTime") for n, s in _SLOTS.items()},
    "toStartOfSecond": with_zones("time", _start_of_second, "The type of argument 1"),
    "toStartOfWeek": (
        S(("date or time",), _start_of_week, "Date"),
        S(("date or time", "literal integer"), _start_of_week, "Date"),
    ),
    "toStartOfDay": with_zones("date or time", _start_of_day, "DateTime"),
    "date_trunc": (
        S(("literal string", "date or time"), _date_trunc, "Date or DateTime"),
        S(
            ("literal string", "date or time", "literal string"),
            _date_trunc,
            "Date or DateTime",
        ),
    ),
    "dateDiff": (
        S(("literal string", "date or time", "date or time"), _date_diff, "Int64"),
        S(
            ("literal string", "date or time", "date or time", "literal string"),
            _date_diff,
            "Int64",
        ),
    ),
    **{
        f"{word}{unit}s": one(
            ("date or time", "integer"), _moved(unit, sign), "The type of argument 1"
        )
        for unit in _UNITS
        for word, sign in (("add", 1), ("subtract", -1))
    },
    "toUnixTimestamp": (
        *with_zones("date or time", _unix, "UInt32"),
        *with_zones("string", _unix, "UInt32"),
    ),
    "toUnixTimestamp64Milli": one(("DateTime64",), "(unix_micros({0}) div 1000)", INT64),
    "toUnixTimestamp64Micro": one(("DateTime64",), "unix_micros({0})", INT64),
    "fromUnixTimestamp": one(("integer",), lambda a: cast(a[0], DATETIME), "DateTime"),
    "fromUnixTimestamp64Milli": _from_64("timestamp_millis", 3),
    "fromUnixTimestamp64Micro": _from_64("timestamp_micros", 6),
    "toTimeZone": one(("time", "literal string"), _to_zone, "The type with that zone"),
    "formatDateTime": (
        S(("date or time", "literal string"), formatted, STRING),
        S(("date or time", "literal string", "literal string"), formatted, STRING),
    ),
    "now": (
        S((), _now(0), "DateTime"),
        S(("literal string",), _now(0), "DateTime(zone)"),
    ),
    "now64": one((), _now(3), "DateTime64(3)"),
    "today": one((), "current_date()", DATE),
    "yesterday": one((), "date_sub(current_date(), 1)", DATE),
}
