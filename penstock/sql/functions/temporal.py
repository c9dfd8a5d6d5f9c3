"""Flink's functions of dates and times; the Java module reads and writes their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import BIGINT, DATE, STRING, TIMESTAMP_3, DataType
from penstock.model.types import TIMESTAMP_LTZ_3 as LTZ_3
from penstock.sql.casts import cast
from penstock.sql.functions.base import Signature as S
from penstock.sql.literals import integer_of, text_of
from penstock.sql.time_math import DATE_PARTS, TIME_PARTS, truncated
from penstock.sql.time_patterns import check_pattern, check_zone, digits_of
from penstock.sql.time_text import read_date, read_timestamp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.expression import Expr

_MILLISECONDS, _NANOSECONDS = 3, 9
_EPOCH = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
_DATE_FUNCTIONS = {
    "YEAR": "YEAR",
    "QUARTER": "QUARTER",
    "MONTH": "MONTH",
    "WEEK": "WEEK",
    "DAYOFMONTH": "DAY",
    "DAYOFWEEK": "DOW",
    "DAYOFYEAR": "DOY",
}
_NOW: DataType = LTZ_3.as_nullable(nullable=False)


def _format_time(arguments: Sequence[Expr]) -> str:
    moment, pattern = arguments
    local = moment.sql
    if moment.type.root != "TIMESTAMP":
        local = f"CAST({local} AS TIMESTAMP_NTZ)"
    return f"penstock_date_format({local}, {pattern.sql})"


def _instant(arguments: Sequence[Expr]) -> str:
    number = arguments[0].sql
    if arguments[0].type.root != "DECIMAL":
        wide = "BIGINT" if arguments[0].type.is_integer else "DOUBLE"
        number = f"CAST({number} AS {wide})"
    precision = f"CAST({arguments[1].sql} AS INT)" if len(arguments) > 1 else str(_MILLISECONDS)
    return f"penstock_epoch_instant({number}, {precision}, {_digits(arguments)})"


def _text_instant(arguments: Sequence[Expr]) -> str:
    """A text is a time in UTC, or in the zone that argument 3 names."""
    if len(arguments) == 1:
        moment = cast(arguments[0].sql, STRING, TIMESTAMP_3)
        return f"timestamp_micros(timestampdiff(MICROSECOND, {_EPOCH}, {moment}))"
    texts = ", ".join(argument.sql for argument in arguments)
    return f"penstock_to_instant({texts}, {_digits(arguments)})"


def _instant_type(arguments: Sequence[Expr]) -> DataType | None:
    """TIMESTAMP_LTZ(3), or as precise as a literal argument 2 says."""
    digits = _digits(arguments)
    return DataType("TIMESTAMP_LTZ", digits) if digits <= _NANOSECONDS else None


def _text_instant_type(arguments: Sequence[Expr]) -> DataType:
    """TIMESTAMP_LTZ(3), or as precise as a literal pattern says."""
    pattern, zone = ([text_of(argument.sql) for argument in arguments[1:]] + [None, None])[:2]
    if pattern is not None:
        check_pattern(pattern)
    if zone is not None:
        check_zone(zone)
    return DataType("TIMESTAMP_LTZ", _digits(arguments))


def _digits(arguments: Sequence[Expr]) -> int:
    """The precision of the result; a wrong one is beyond any."""
    if len(arguments) == 1:
        return _MILLISECONDS
    pattern, number = text_of(arguments[1].sql), integer_of(arguments[1].sql)
    if pattern is not None:
        return digits_of(pattern)
    if number is None:
        return _MILLISECONDS
    return max(_MILLISECONDS, number) if number >= 0 else _NANOSECONDS + 1


TEMPORAL: dict[str, tuple[S, ...]] = {
    **{
        name: (S(("date or time",), f"CAST({DATE_PARTS[unit]} AS BIGINT)", BIGINT),)
        for name, unit in _DATE_FUNCTIONS.items()
    },
    **{
        name: tuple(
            S((kind,), f"CAST({TIME_PARTS[name]} AS BIGINT)", BIGINT)
            for kind in ("time", "time of day")
        )
        for name in ("HOUR", "MINUTE", "SECOND")
    },
    "CONVERT_TZ": (S(("text", "text", "text"), "penstock_convert_zone({all})", STRING),),
    "CURRENT_ROW_TIMESTAMP": (S((), "penstock_row_timestamp()", _NOW),),
    "DATE_FORMAT": (
        S(("date or time", "text"), _format_time, STRING),
        S(("text", "text"), "penstock_reformat_time({all})", STRING),
    ),
    "FROM_UNIXTIME": (
        S(("integer",), "penstock_from_unix_time(CAST({0} AS BIGINT))", STRING),
        S(("integer", "text"), "penstock_from_unix_time(CAST({0} AS BIGINT), {1})", STRING),
    ),
    "NOW": (S((), truncated("current_timestamp()", LTZ_3), _NOW),),
    "PROCTIME": (S((), truncated("current_timestamp()", LTZ_3), _NOW),),
    "TO_DATE": (
        S(("text",), read_date("{0}"), DATE),
        S(("text", "text"), "penstock_pattern_to_date({all})", DATE),
    ),
    "TO_TIMESTAMP": (
        S(("text",), read_timestamp("{0}"), TIMESTAMP_3),
        S(("text", "text"), "penstock_to_timestamp({all})", TIMESTAMP_3),
    ),
    "TO_TIMESTAMP_LTZ": (
        S(("number",), _instant, _instant_type),
        S(("number", "int"), _instant, _instant_type),
        S(("text",), _text_instant, _text_instant_type),
        S(("text", "text"), _text_instant, _text_instant_type),
        S(("text", "text", "text"), _text_instant, _text_instant_type),
    ),
    "UNIX_TIMESTAMP": (
        S((), "unix_timestamp()", BIGINT.as_nullable(nullable=False)),
        S(("text",), "penstock_to_unix_time({all})", BIGINT),
        S(("text", "text"), "penstock_to_unix_time({all})", BIGINT),
    ),
}
