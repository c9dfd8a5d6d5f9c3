"""`parseDateTime`, `parseDateTimeBestEffort` and their kind, which the Java module reads.

A text without a year is of the last twelve months: it depends on the day it is read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import DataType, literal
from penstock.sql.clickhouse.number_casts import Mode, unless_read
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.base import Table, integer_of
from penstock.sql.functions.clickhouse.conversions import MODES, SPARK_DIGITS, zone_of
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Build = Callable[[Sequence[Expr]], Expr]

_DEFAULT_DIGITS = 3
_FORMAT = "%Y-%m-%d %H:%i:%s"
_LETTERS = "%DFGHIMRSTVWYabcdefhijklmnprstuwyz"


def _read(value: Expr, target: DataType, mode: Mode, *, month_first: bool) -> Expr:
    text = f"rtrim('\\0', {value.sql})" if value.type.root == "FIXEDSTRING" else value.sql
    zone = literal(target.zone) if target.zone else "current_timezone()"
    order = str(month_first).upper()
    found = f"penstock_ch_best_effort({text}, {zone}, {order}, {target.precision or 0})"
    nullable = value.type.nullable or mode is Mode.NULL
    return Expr(unless_read(text, found, target, mode), target.as_nullable(nullable))


def _plain(mode: Mode, *, month_first: bool) -> Build:
    def build(arguments: Sequence[Expr]) -> Expr:
        target = DataType("TIMESTAMP_LTZ", 0, nullable=False, zone=zone_of(arguments, 1))
        return _read(arguments[0], target, mode, month_first=month_first)

    return build


def _precise(mode: Mode, *, month_first: bool) -> Build:
    def build(arguments: Sequence[Expr]) -> Expr:
        digits = integer_of(arguments[1].sql) if len(arguments) > 1 else _DEFAULT_DIGITS
        if not digits or not 1 <= digits <= SPARK_DIGITS:
            raise PlanError(
                "INVALID_QUERY", problem="DateTime64 has 1 to 6 digits here.", instead=""
            )
        zone = zone_of(arguments, 2)
        target = DataType("TIMESTAMP_LTZ", digits, nullable=False, zone=zone)
        return _read(arguments[0], target, mode, month_first=month_first)

    return build


def _scanned(mode: Mode) -> Build:
    """A text read by the letters of a format, each in its width."""

    def build(arguments: Sequence[Expr]) -> Expr:
        value = arguments[0]
        format_ = text_of(arguments[1].sql) if len(arguments) > 1 else _FORMAT
        wrong = set(re.findall("%(.)", format_ or "", re.DOTALL)) - set(_LETTERS)
        if wrong:
            raise PlanError(
                "INVALID_QUERY",
                problem=f"parseDateTime knows no `%{min(wrong)}` here.",
                instead=f"Letters: {', '.join(_LETTERS)}.",
            )
        target = DataType("TIMESTAMP_LTZ", 0, nullable=False, zone=zone_of(arguments, 2))
        zone = literal(target.zone) if target.zone else "current_timezone()"
        found = f"penstock_ch_parse_time({value.sql}, {literal(format_ or '')}, {zone})"
        nullable = value.type.nullable or mode is Mode.NULL
        return Expr(unless_read(value.sql, found, target, mode), target.as_nullable(nullable))

    return build


def _table() -> Table:
    table: Table = {}
    for suffix, mode in MODES.items():
        for style in ("", "US"):
            plain = _plain(mode, month_first=bool(style))
            precise = _precise(mode, month_first=bool(style))
            table[f"parseDateTimeBestEffort{style}{suffix}"] = (
                S(("string",), plain, "DateTime"),
                S(("string", "literal string"), plain, "DateTime(zone)"),
            )
            table[f"parseDateTime64BestEffort{style}{suffix}"] = (
                S(("string",), precise, "DateTime64(3)"),
                S(("string", "literal integer"), precise, "DateTime64(digits)"),
                S(
                    ("string", "literal integer", "literal string"),
                    precise,
                    "DateTime64(digits, zone)",
                ),
            )
        table[f"parseDateTime{suffix}"] = tuple(
            S(("string", "literal string", "literal string")[:count], _scanned(mode), "DateTime")
            for count in (1, 2, 3)
        )
        table[f"parseDateTime32BestEffort{suffix}"] = table[f"parseDateTimeBestEffort{suffix}"]
    return table


MOMENTS: Table = _table()
