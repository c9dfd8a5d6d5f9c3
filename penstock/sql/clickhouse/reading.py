"""Dates and times in texts, as ClickHouse reads them: leniently, and within the range of the type.

A day of 1 to 31 is counted from the first of its month, so that 30 February is 1 or 2 March; a
month or day that cannot be is the first day of the type. The texts are known to look like dates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import literal
from penstock.sql.clickhouse.number_casts import Mode, parsed
from penstock.sql.clickhouse.times import cut, instant
from penstock.sql.clickhouse.types import TYPES

if TYPE_CHECKING:
    from penstock.model.types import DataType

_FIRST = {"DATE": "DATE'1970-01-01'", "TIMESTAMP_LTZ": "timestamp_seconds(0)"}
_LAST = {"DATE": "DATE'2149-06-06'", "TIMESTAMP_LTZ": "timestamp_seconds(4294967295)"}
_NAMES = {"DATE": "Date", "TIMESTAMP_LTZ": "DateTime"}
_EIGHT_DIGITS = literal("^([0-9]{4})([0-9]{2})([0-9]{2})(?![0-9])")
# What a text must look like to be read as a time.
_TIME = r"^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([ T][0-9]{1,2}:[0-9]{1,2}(:[0-9]{1,2}(\.[0-9]*)?)?Z?)?$"
_PRECISE_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?)?$"
_EXACT_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}:[0-9]{2})?$"
_SECONDS = "^[0-9]{5,10}"
_STRICT_SECONDS = "^[0-9]{9,10}"
_ONLY_DIGITS = literal("^([0-9]{4})([0-9]{2})([0-9]{2})$")


def read_day(text: str, target: DataType) -> str:
    """The day at the start of a text: `2024-2-29` or `20240229`, and maybe a time behind it."""
    dashed = f"regexp_replace({text}, {_EIGHT_DIGITS}, '$1-$2-$3')"
    return within(f"coalesce({_day(dashed)}, {TYPES[target.root].default})", target)


def read_datetime(text: str, target: DataType, mode: Mode) -> str:
    """CAST and toDateTime read more than OrNull and OrZero, which take a day that cannot be."""
    precision = target.precision or 0
    if mode is Mode.STRICT:
        return _known_time(text, target)
    pattern = _EXACT_TIME if precision == 0 else _PRECISE_TIME
    moment = within(cut(instant(_lenient(text), target.zone), precision), target)
    seconds = _seconds(_SECONDS, precision)
    found = f"if({text} RLIKE {literal(seconds)}, {_since_1970(text, precision)}, {moment})"
    if precision:
        # ClickHouse takes nothing at all for 1970.
        found = f"if({text} = '', timestamp_seconds(0), {found})"
        pattern += "|^$"
    return parsed(text, f"{pattern}|{seconds}", found, target, mode)


def _known_time(text: str, target: DataType) -> str:
    """`2024-1-31 10:11`, `20240131` or seconds since 1970; `Z` behind a time means UTC."""
    precision = target.precision or 0
    plain = f"rtrim('Z', regexp_replace({text}, {_ONLY_DIGITS}, '$1-$2-$3'))"
    in_utc, in_zone = (instant(_known(plain), zone) for zone in ("UTC", target.zone))
    moment = within(cut(f"if(endswith({text}, 'Z'), {in_utc}, {in_zone})", precision), target)
    seconds = _seconds(_STRICT_SECONDS, precision)
    found = f"if({text} RLIKE {literal(seconds)}, {_since_1970(text, precision)}, {moment})"
    return parsed(text, f"{_TIME}|^[0-9]{{8}}$|{seconds}", found, target, Mode.STRICT)


def _seconds(pattern: str, precision: int) -> str:
    """What seconds since 1970 look like: with digits behind the point for a DateTime64."""
    return rf"{pattern}(\.[0-9]*)?$" if precision else f"{pattern}$"


def _since_1970(text: str, precision: int) -> str:
    """The instant of seconds in a text; digits beyond the precision are cut off."""
    if not precision:
        return f"timestamp_seconds(try_cast({text} AS BIGINT))"
    known = literal(rf"^[0-9]+(\.[0-9]{{0,{precision}}})?")
    return f"timestamp_seconds(try_cast(regexp_extract({text}, {known}, 0) AS DECIMAL(16, 6)))"


def _lenient(text: str) -> str:
    """The local time in a text, as TIMESTAMP_NTZ; 25 o'clock is 1 o'clock of the next day."""
    return f"coalesce({_time(text, _day(text))}, TIMESTAMP_NTZ'1970-01-01 00:00:00')"


def _known(text: str) -> str:
    """As `_lenient`, but NULL if there is no such day."""
    year, month, day = (f"CAST({_part(text, place)} AS INT)" for place in (0, 1, 2))
    known = f"{month} BETWEEN 1 AND 12 AND {day} BETWEEN 1 AND 31"
    date = f"CASE WHEN {known} THEN make_date({year}, {month}, 1) END"
    real = f"CASE WHEN {day} <= day(last_day({date})) THEN date_add({date}, {day} - 1) END"
    return _time(text, real)


def _time(text: str, day: str) -> str:
    hour, minute = (f"coalesce(CAST({_part(text, place)} AS INT), 0)" for place in (3, 4))
    second = f"coalesce(CAST({_part(text, 5)} AS DECIMAL(18, 9)), 0)"
    micros = f"({hour} * 60 + {minute}) * 60000000L + CAST({second} * 1000000 AS BIGINT)"
    return f"timestampadd(MICROSECOND, {micros}, CAST({day} AS TIMESTAMP_NTZ))"


def within(sql: str, target: DataType) -> str:
    """A Date or DateTime, whose range is narrow, or another value as it is."""
    if target.root not in _FIRST or target.precision:
        return sql
    first, last = _FIRST[target.root], _LAST[target.root]
    return f"if({sql} IS NULL, NULL, greatest({first}, least({last}, {sql})))"


def checked(sql: str, target: DataType) -> str:
    """A Date or DateTime that must be in its range, or another value as it is."""
    if target.root not in _FIRST or target.precision:
        return sql
    first, last = _FIRST[target.root], _LAST[target.root]
    problem = f"raise_error('A {_NAMES[target.root]} is out of its range.')"
    return f"CASE WHEN {sql} < {first} OR {sql} > {last} THEN {problem} ELSE {sql} END"


def number_within(sql: str, low: int, high: int) -> str:
    """A number, or the limit that it exceeds, as BIGINT."""
    return f"if({sql} IS NULL, NULL, CAST(greatest({low}, least({high}, {sql})) AS BIGINT))"


def _day(text: str) -> str:
    """The day, NULL if there can be none."""
    year, month, day = (f"CAST({_part(text, place)} AS INT)" for place in (0, 1, 2))
    start = f"make_date({year}, {month}, 1)"
    known = f"{month} BETWEEN 1 AND 12 AND {day} BETWEEN 1 AND 31"
    return f"CASE WHEN {known} THEN date_add({start}, {day} - 1) END"


def _part(text: str, place: int) -> str:
    return f"nullif(get(split({text}, '[-T :]'), {place}), '')"
