"""Arithmetic on dates and times in Spark SQL with Flink's results.

Flink counts a TIMESTAMP_LTZ in UTC when it adds months and in fixed hours when it adds days, and
rounds it with the zone's offset at that instant; Spark uses the calendar of the zone for all three.
Times before 1970 follow the calendar here, where Flink rounds some of them towards zero.
"""

from __future__ import annotations

import re

from penstock.model.expression import Expr
from penstock.model.types import BIGINT, DATE, INT, DataType
from penstock.sql.time_text import bound

_INTERVAL = re.compile(r"(-?\d+)L?")
_DAY_MILLIS = 86_400_000
_TIME_DIGITS = 3
_EPOCH = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
_SECOND = 1_000_000
MICROSECONDS = {
    "MILLISECOND": 1_000,
    "SECOND": _SECOND,
    "MINUTE": 60 * _SECOND,
    "HOUR": 3600 * _SECOND,
    "DAY": 86_400 * _SECOND,
    "WEEK": 7 * 86_400 * _SECOND,
}
MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
_CLOCK = ("MILLISECOND", "SECOND", "MINUTE", "HOUR")
# unit → what Spark computes of a moment in the session's zone
DATE_PARTS = {
    "YEAR": "year({0})",
    "QUARTER": "quarter({0})",
    "MONTH": "month({0})",
    "WEEK": "weekofyear({0})",
    "DAY": "day({0})",
    "DOY": "dayofyear({0})",
    "DOW": "dayofweek({0})",
    "ISODOW": "extract(DAYOFWEEK_ISO FROM {0})",
    "ISOYEAR": "extract(YEAROFWEEK FROM {0})",
    "DECADE": "year({0}) div 10",
    "CENTURY": "(year({0}) + 99) div 100",
    "MILLENNIUM": "(year({0}) + 999) div 1000",
    "EPOCH": "timestampdiff(SECOND, " + _EPOCH + ", CAST({0} AS TIMESTAMP_NTZ))",
}
TIME_PARTS = {
    "HOUR": "hour({0})",
    "MINUTE": "minute({0})",
    "SECOND": "second({0})",
    "MILLISECOND": "CAST(extract(SECOND FROM {0}) * 1000 AS BIGINT) % 1000",
    "MICROSECOND": "CAST(extract(SECOND FROM {0}) * 1000000 AS BIGINT) % 1000000",
    "NANOSECOND": "CAST(extract(SECOND FROM {0}) * 1000000 AS BIGINT) % 1000000 * 1000",
}
# unit → the first day of the period a date is in; weeks begin on Sunday, as in Flink's FLOOR
_FLOORS = {
    "WEEK": "date_sub({0}, dayofweek({0}) - 1)",
    "MONTH": "trunc({0}, 'MONTH')",
    "QUARTER": "trunc({0}, 'QUARTER')",
    "YEAR": "trunc({0}, 'YEAR')",
}
# Flink's CEIL looks at the date only, and at the month for a quarter: 1 April gives 1 July.
_CEILS = {
    "WEEK": "date_add({0}, (8 - dayofweek({0})) % 7)",
    "MONTH": "add_months(trunc({0}, 'MONTH'), if(day({0}) > 1, 1, 0))",
    "QUARTER": "add_months(trunc({0}, 'QUARTER'), if(month({0}) > 1 OR day({0}) > 1, 3, 0))",
    "YEAR": "add_months(trunc({0}, 'YEAR'), if(dayofyear({0}) > 1, 12, 0))",
}
ADDABLE = ("SECOND", "MINUTE", "HOUR", "DAY", "WEEK", *MONTHS)
ROUNDABLE = ("SECOND", "MINUTE", "HOUR", "DAY", *_FLOORS)


def part(unit: str, moment: Expr) -> Expr | None:
    """EXTRACT; None if this kind of moment has no such part."""
    template = None if moment.type.root == "TIME" else DATE_PARTS.get(unit)
    if template is None and (moment.type.is_time or moment.type.root == "TIME"):
        template = TIME_PARTS.get(unit)
    if template is None:
        return None
    return Expr(f"CAST({template.format(moment.sql)} AS BIGINT)", BIGINT)


def shift(moment: Expr, amount: Expr, unit: str) -> Expr:
    """The moment so many units later; `amount` is an integer."""
    nullable = moment.type.nullable or amount.type.nullable
    moment = Expr(moment.sql, moment.type.as_nullable(nullable))
    if unit in MONTHS:
        return _shift_months(moment, _times(amount, MONTHS[unit]))
    if moment.type.root == "TIME":
        millis = _times(amount, MICROSECONDS[unit] // MICROSECONDS["MILLISECOND"])
        return _clock_time(f"time_to_millis({moment.sql}) + {millis}", moment.type)
    if moment.type.root == "DATE":
        if unit not in _CLOCK:
            days = _times(amount, MICROSECONDS[unit] // MICROSECONDS["DAY"])
            return Expr(f"date_add({moment.sql}, CAST({days} AS INT))", moment.type)
        local = DataType("TIMESTAMP", 6, nullable=nullable)
        midnight = Expr(f"CAST({moment.sql} AS TIMESTAMP_NTZ)", local)
        return shift(midnight, amount, unit)
    micros = _times(amount, MICROSECONDS[unit])
    if moment.type.root == "TIMESTAMP_LTZ":
        return Expr(f"timestamp_micros(unix_micros({moment.sql}) + {micros})", moment.type)
    return Expr(f"timestampadd(MICROSECOND, {micros}, {moment.sql})", moment.type)


def shifted(moment: Expr, interval: Expr, *, back: bool = False) -> Expr | None:
    """The moment an interval later or earlier; None if this kind of moment cannot be moved so."""
    sign = "-" if back else ""
    known = _INTERVAL.fullmatch(interval.sql)
    number = int(known[1]) * (-1 if back else 1) if known else 0
    amount = Expr(str(number) if known else f"{sign}({interval.sql})", interval.type)
    if interval.type.root == "INTERVAL_YEAR_MONTH":
        return None if moment.type.root == "TIME" else shift(moment, amount, "MONTH")
    if moment.type.root != "DATE":
        return shift(moment, amount, "MILLISECOND")
    # A DATE moves by whole days.
    if known:
        days, rest = divmod(number, _DAY_MILLIS)
        return None if rest else shift(moment, Expr(str(days), interval.type), "DAY")
    days_sql = f"({amount.sql} div {_DAY_MILLIS})"
    return shift(moment, Expr(days_sql, interval.type), "DAY")


def difference(unit: str, start: Expr, end: Expr) -> Expr:
    """TIMESTAMPDIFF: whole units from start to end, cut towards zero."""
    a, b = (_in_utc(side) for side in (start, end))
    if unit in MICROSECONDS:
        micros = f"timestampdiff(MICROSECOND, {a}, {b})"
        return Expr(f"CAST({micros} div {MICROSECONDS[unit]} AS INT)", INT)
    first, last = "CAST(p.a AS DATE)", "CAST(p.b AS DATE)"
    forth, back = _whole_months(first, last), _whole_months(last, first)
    months = f"if({last} >= {first}, {forth}, -({back}))"
    # An end that falls on the day but earlier in it takes one month off, also going backwards.
    early = f"add_months({first}, m) = {last} AND {_clock('p.b')} < {_clock('p.a')}"
    counted = bound("m", months, f"m - if({early}, 1, 0)")
    sql = bound("p", f"named_struct('a', {a}, 'b', {b})", counted)
    return Expr(f"CAST({sql} div {MONTHS[unit]} AS INT)", INT)


def floor(moment: Expr, unit: str) -> Expr:
    """FLOOR(moment TO unit)."""
    if moment.type.root == "TIME":
        return _rounded_clock(moment, unit, "{0} - {0} % {1}")
    if moment.type.root == "DATE":
        return Expr(_FLOORS.get(unit, "{0}").format(moment.sql), DATE)
    return _rounded(moment, unit, _FLOORS, "-pmod({0}, {1}L)")


def ceil(moment: Expr, unit: str) -> Expr:
    """CEIL(moment TO unit)."""
    if moment.type.root == "TIME":
        return _rounded_clock(moment, unit, "{0} + pmod(-{0}, {1})")
    if moment.type.root == "DATE":
        template = "date_add({0}, 1)" if unit == "DAY" else _CEILS.get(unit, "{0}")
        return Expr(template.format(moment.sql), DATE)
    return _rounded(moment, unit, _CEILS, "pmod(-{0}, {1}L)")


def truncated(sql: str, target: DataType) -> str:
    """A time cut to the precision of its type; Spark would keep the microseconds."""
    if target.precision is None or target.precision >= 6:
        return sql
    surplus = (
        f"CAST(extract(SECOND FROM {sql}) * 1000000 AS BIGINT) % {10 ** (6 - target.precision)}"
    )
    return f"timestampadd(MICROSECOND, -({surplus}), {sql})"


def truncated_time(sql: str, target: DataType) -> str:
    """A TIME cut to the precision of its type, and to milliseconds in any case."""
    digits = min(target.precision or 0, _TIME_DIGITS)
    return f"CAST(CAST({sql} AS TIME({digits})) AS {target.spark_sql()})"


def time_of_day(moment: str) -> str:
    """The clock of a date and time, in the session's zone."""
    return f"make_time(hour({moment}), minute({moment}), extract(SECOND FROM {moment}))"


def _clock_time(millis: str, type_: DataType) -> Expr:
    """A TIME from a number of milliseconds, around midnight if it must be."""
    clock = f"time_from_millis(pmod({millis}, {_DAY_MILLIS}L))"
    return Expr(f"CAST({clock} AS {type_.spark_sql()})", type_)


def _rounded_clock(moment: Expr, unit: str, template: str) -> Expr:
    step = MICROSECONDS.get(unit, MICROSECONDS["DAY"]) // MICROSECONDS["MILLISECOND"]
    return _clock_time(template.format(f"time_to_millis({moment.sql})", f"{step}L"), moment.type)


def _rounded(moment: Expr, unit: str, dates: dict[str, str], clock: str) -> Expr:
    exact = _to_milliseconds(moment)
    zoned = moment.type.root == "TIMESTAMP_LTZ"
    local = f"CAST({exact} AS TIMESTAMP_NTZ)" if zoned else exact
    if unit in dates:
        rounded = f"CAST({dates[unit].format(f'CAST({local} AS DATE)')} AS TIMESTAMP_NTZ)"
        if not zoned:
            return Expr(rounded, moment.type)
        step = f"timestampdiff(MICROSECOND, {local}, {rounded})"
    else:
        micros = f"timestampdiff(MICROSECOND, {_EPOCH}, {local})"
        step = clock.format(micros, MICROSECONDS[unit])
    if zoned:
        return Expr(f"timestamp_micros(unix_micros({exact}) + {step})", moment.type)
    return Expr(f"timestampadd(MICROSECOND, {step}, {exact})", moment.type)


def _shift_months(moment: Expr, months: str) -> Expr:
    if moment.type.root == "DATE":
        return Expr(f"add_months({moment.sql}, CAST({months} AS INT))", moment.type)
    if moment.type.root == "TIMESTAMP":
        return Expr(f"timestampadd(MONTH, {months}, {moment.sql})", moment.type)
    later = f"timestampadd(MONTH, {months}, {_utc(moment.sql)})"
    return Expr(f"timestamp_micros(timestampdiff(MICROSECOND, {_EPOCH}, {later}))", moment.type)


def _times(amount: Expr, factor: int) -> str:
    if amount.sql.lstrip("-").isdigit():
        return f"{int(amount.sql) * factor}L"
    return f"CAST({amount.sql} AS BIGINT) * {factor}L"


def _in_utc(moment: Expr) -> str:
    if moment.type.root == "TIMESTAMP_LTZ":
        return _utc(_to_milliseconds(moment))
    if moment.type.root == "DATE":
        return f"CAST({moment.sql} AS TIMESTAMP_NTZ)"
    return _to_milliseconds(moment)


def _utc(instant: str) -> str:
    return f"timestampadd(MICROSECOND, unix_micros({instant}), {_EPOCH})"


def _to_milliseconds(moment: Expr) -> str:
    if (moment.type.precision or 0) <= 3:
        return moment.sql
    return truncated(moment.sql, DataType(moment.type.root, 3))


def _whole_months(start: str, end: str) -> str:
    count = f"(year({end}) - year({start})) * 12 + month({end}) - month({start})"
    return f"{count} - if(add_months({start}, {count}) > {end}, 1, 0)"


def _clock(moment: str) -> str:
    return f"timestampdiff(MICROSECOND, CAST(CAST({moment} AS DATE) AS TIMESTAMP_NTZ), {moment})"
