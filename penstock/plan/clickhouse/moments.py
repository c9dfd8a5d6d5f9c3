"""Calls with an interval: `toStartOfInterval(t, INTERVAL 5 MINUTE)`, `dateAdd(DAY, 1, t)`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.sql.clickhouse.numbers import INTEGERS, negated
from penstock.sql.clickhouse.reading import within
from penstock.sql.clickhouse.shift import shift
from penstock.sql.clickhouse.times import DATE, DATETIME, day, instant, local
from penstock.sql.clickhouse.types import with_zone
from penstock.sql.functions.clickhouse.base import integer_of
from penstock.sql.functions.clickhouse.conversions import zone_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.expressions import ExpressionCompiler

_TIMES = ("DATE", "DATE32", "TIMESTAMP_LTZ")
_SECONDS = {"SECOND": 1, "MINUTE": 60}
# unit → months
_MONTHS = {"MONTH": 1, "QUARTER": 3}


def start_of_interval(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    """`toStartOfInterval(moment, INTERVAL n unit[, zone])`."""
    if len(node.expressions) not in (2, 3) or not isinstance(node.expressions[1], exp.Interval):
        compiler.refuse(node, "Write toStartOfInterval(moment, INTERVAL 5 MINUTE).")
    moment = compiler.compile(node.expressions[0])
    if len(node.expressions) == 3:
        zone = zone_of([moment, compiler.compile(node.expressions[2])], 1)
        moment = Expr(moment.sql, with_zone(moment.type, zone))
    amount, unit = _interval(compiler, node.expressions[1], node)
    count = integer_of(amount.sql) or 0
    is_time = moment.type.root == "TIMESTAMP_LTZ"
    if moment.type.root not in ("DATE", "TIMESTAMP_LTZ") or count < 1:
        compiler.refuse(node, "It takes a Date or a DateTime, and a literal length from 1.")
    if unit in _SECONDS and is_time:
        return _cut(moment, count * _SECONDS[unit])
    if unit == "HOUR" and is_time:
        return _hours(moment, count)
    if unit == "DAY":
        days = f"(unix_date({day(moment)}) div {count} * {count})"
        midnight = f"CAST(date_from_unix_date({days}) AS TIMESTAMP_NTZ)"
        return _time(instant(midnight, moment.type.zone), moment)
    first = _first_day(day(moment), unit, count)
    if first is None:
        compiler.refuse(
            node, "Units: SECOND to YEAR; one week, or months that a year is a multiple of."
        )
    return Expr(within(first, DATE), DATE.as_nullable(moment.type.nullable))


def _time(sql: str, moment: Expr) -> Expr:
    type_ = replace(DATETIME, zone=moment.type.zone, nullable=moment.type.nullable)
    return Expr(within(sql, DATETIME), type_)


def _cut(moment: Expr, seconds: int) -> Expr:
    """Counted from 1970, whatever the zone."""
    micros = f"unix_micros({moment.sql})"
    return _time(f"timestamp_micros({micros} - pmod({micros}, {seconds * 1_000_000}L))", moment)


def _hours(moment: Expr, count: int) -> Expr:
    """Counted from the midnight of the zone."""
    midnight = f"CAST({day(moment)} AS TIMESTAMP_NTZ)"
    past = f"timestampdiff(MICROSECOND, {midnight}, {local(moment)})"
    sql = f"timestamp_micros(unix_micros({moment.sql}) - pmod({past}, {count * 3_600_000_000}L))"
    return _time(sql, moment)


def _first_day(date: str, unit: str, count: int) -> str | None:
    if unit == "WEEK":
        return f"date_sub({date}, weekday({date}))" if count == 1 else None
    if unit == "YEAR":
        return f"make_date(year({date}) div {count} * {count}, 1, 1)"
    months = _MONTHS.get(unit, 0) * count
    if not months or 12 % months:
        return None
    return f"make_date(year({date}), (month({date}) - 1) div {months} * {months} + 1, 1)"


def _interval(
    compiler: ExpressionCompiler, length: exp.Interval, node: exp.Expr
) -> tuple[Expr, str]:
    amount, unit = length.this, length.args.get("unit")
    if amount is None or unit is None:
        compiler.refuse(node, "Write INTERVAL 1 DAY.")
    if isinstance(amount, exp.Literal) and amount.is_string and amount.name.isdigit():
        amount = exp.Literal.number(amount.name)
    return compiler.compile(amount), unit.name.upper().removesuffix("S")


def _moved(sign: int) -> Callable[[ExpressionCompiler, exp.Anonymous], Expr]:
    """`dateAdd(unit, n, moment)` and `dateAdd(moment, INTERVAL n unit)`."""

    def build(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
        given = node.expressions
        if len(given) == 2 and isinstance(given[1], exp.Interval):
            moment = compiler.compile(given[0])
            amount, unit = _interval(compiler, given[1], node)
        elif len(given) == 3 and isinstance(given[0], (exp.Column, exp.Literal, exp.Var)):
            moment, amount = compiler.compile(given[2]), compiler.compile(given[1])
            unit = given[0].name.upper()
        else:
            compiler.refuse(node, f"Write {node.name}(DAY, 1, moment).")
        if moment.type.root not in _TIMES or amount.type.root not in INTEGERS:
            compiler.refuse(node, "It moves a Date or a DateTime by a whole number.")
        return shift(moment, amount if sign > 0 else negated(amount), unit)

    return build


MOMENTS: dict[str, Callable[[ExpressionCompiler, exp.Anonymous], Expr]] = {
    "toStartOfInterval": start_of_interval,
    **dict.fromkeys(("dateAdd", "date_add", "timestamp_add"), _moved(1)),
    **dict.fromkeys(("dateSub", "date_sub", "timestamp_sub"), _moved(-1)),
}
