"""Flink's functions of dates and times; patterns must be literals, to be read here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.types import BIGINT, DATE, STRING, TIMESTAMP_3, DataType, literal
from penstock.model.types import TIMESTAMP_LTZ_3 as LTZ_3
from penstock.sql.casts import cast
from penstock.sql.functions.base import Signature as S
from penstock.sql.literals import integer_of, text_of
from penstock.sql.time_math import DATE_PARTS, TIME_PARTS, truncated
from penstock.sql.time_text import (
    TIMESTAMP_PATTERN,
    printed_pattern,
    read_date,
    read_lenient,
    read_pattern,
    read_timestamp,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.expression import Expr

# What Flink answers to UNIX_TIMESTAMP of a text that is no time.
_UNREADABLE = "-9223372036854775808L"
# The years 0 to 9999; outside them TO_TIMESTAMP_LTZ gives NULL.
_FIRST_SECOND, _LAST_SECOND = -62_167_219_200, 253_402_300_799
_SPARK_DIGITS = 6
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


def _pattern(arguments: Sequence[Expr]) -> str:
    return text_of(arguments[1].sql) or ""


def _read(reader: Callable[[str], str]) -> Callable[[Sequence[Expr]], str]:
    return lambda arguments: reader(arguments[0].sql)


def _to_timestamp(arguments: Sequence[Expr]) -> str:
    return read_pattern(arguments[0].sql, _pattern(arguments))


def _to_date(arguments: Sequence[Expr]) -> str:
    return f"CAST({read_lenient(arguments[0].sql, _pattern(arguments))} AS DATE)"


def _format_time(arguments: Sequence[Expr]) -> str:
    moment = arguments[0].sql
    if arguments[0].type.root == "DATE":
        moment = f"CAST({moment} AS TIMESTAMP_NTZ)"
    return f"date_format({moment}, {printed_pattern(_pattern(arguments), years='yu')})"


def _format_text(arguments: Sequence[Expr]) -> str:
    moment = read_lenient(arguments[0].sql)
    return f"date_format({moment}, {printed_pattern(_pattern(arguments))})"


def _format_seconds(arguments: Sequence[Expr]) -> str:
    pattern = literal(TIMESTAMP_PATTERN)
    if len(arguments) > 1:
        pattern = printed_pattern(_pattern(arguments))
    return f"date_format(timestamp_seconds({arguments[0].sql}), {pattern})"


def _to_seconds(arguments: Sequence[Expr]) -> str:
    text = arguments[0].sql
    moment = read_lenient(text, _pattern(arguments)) if len(arguments) > 1 else read_lenient(text)
    seconds = f"unix_seconds(CAST({moment} AS TIMESTAMP))"
    return f"if({text} IS NULL, NULL, coalesce({seconds}, {_UNREADABLE}))"


def _convert_zone(arguments: Sequence[Expr]) -> str:
    text, source, target = (argument.sql for argument in arguments)
    moment = f"convert_timezone({source}, {target}, {read_lenient(text)})"
    return f"date_format({moment}, {literal(TIMESTAMP_PATTERN)})"


def _instant(arguments: Sequence[Expr]) -> str:
    precision = _epoch_digits(arguments)
    factor = 10**precision
    number = f"CAST({arguments[0].sql} AS BIGINT)"
    micros = f"timestamp_micros({number} * {10 ** (_SPARK_DIGITS - precision)}L)"
    first, last = _FIRST_SECOND * factor, (_LAST_SECOND + 1) * factor - 1
    return f"if({number} BETWEEN {first}L AND {last}L, {micros}, NULL)"


def _epoch_digits(arguments: Sequence[Expr]) -> int:
    written = integer_of(arguments[1].sql) if len(arguments) > 1 else None
    return 3 if written is None else written


def _instant_type(arguments: Sequence[Expr]) -> DataType | None:
    """TIMESTAMP_LTZ(3), or as precise as argument 2 says, up to 6."""
    digits = _epoch_digits(arguments)
    return DataType("TIMESTAMP_LTZ", max(3, digits)) if 0 <= digits <= _SPARK_DIGITS else None


def _text_instant(arguments: Sequence[Expr]) -> str:
    """A text is a time in UTC, or in the zone that argument 3 names."""
    text = arguments[0].sql
    if len(arguments) == 1:
        moment = cast(text, STRING, TIMESTAMP_3)
    else:
        if "SSSS" in _pattern(arguments):
            instead = "More than three digits of a fraction are not read; write SSS."
            raise PlanError(
                "UNSUPPORTED_EXPRESSION", expression=_pattern(arguments), instead=instead
            )
        moment = _to_timestamp(arguments)
    if len(arguments) > 2:
        moment = f"convert_timezone({arguments[2].sql}, 'UTC', {moment})"
    start = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
    return f"timestamp_micros(timestampdiff(MICROSECOND, {start}, {moment}))"


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
    "CONVERT_TZ": (S(("text", "literal text", "literal text"), _convert_zone, STRING),),
    "CURRENT_ROW_TIMESTAMP": (S((), "penstock_row_timestamp()", _NOW),),
    "DATE_FORMAT": (
        S(("date or time", "literal text"), _format_time, STRING),
        S(("text", "literal text"), _format_text, STRING),
    ),
    "FROM_UNIXTIME": (
        S(("integer",), _format_seconds, STRING),
        S(("integer", "literal text"), _format_seconds, STRING),
    ),
    "NOW": (S((), truncated("current_timestamp()", LTZ_3), _NOW),),
    "PROCTIME": (S((), truncated("current_timestamp()", LTZ_3), _NOW),),
    "TO_DATE": (
        S(("text",), _read(read_date), DATE),
        S(("text", "literal text"), _to_date, DATE),
    ),
    "TO_TIMESTAMP": (
        S(("text",), _read(read_timestamp), TIMESTAMP_3),
        S(("text", "literal text"), _to_timestamp, TIMESTAMP_3),
    ),
    "TO_TIMESTAMP_LTZ": (
        S(("exact number",), _instant, _instant_type),
        S(("exact number", "literal int"), _instant, _instant_type),
        S(("text",), _text_instant, LTZ_3),
        S(("text", "literal text"), _text_instant, LTZ_3),
        S(("text", "literal text", "literal text"), _text_instant, LTZ_3),
    ),
    "UNIX_TIMESTAMP": (
        S((), "unix_timestamp()", BIGINT.as_nullable(nullable=False)),
        S(("text",), _to_seconds, BIGINT),
        S(("text", "literal text"), _to_seconds, BIGINT),
    ),
}
