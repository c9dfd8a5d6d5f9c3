"""Interval literals: an amount of one unit, and milliseconds where a fixed length is needed."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import INTERVAL_MILLIS, INTERVAL_MONTHS
from penstock.sql.spans import node_span
from penstock.sql.time_math import MICROSECONDS, MONTHS

# first and last unit → the form of the text; one unit is its own last one
_DAY_FORM = r"(?P<DAY>\d+)"
_CLOCK_FORM = r"(?P<HOUR>\d+)", r"(?P<MINUTE>\d+)", r"(?P<SECOND>\d+(?:\.\d+)?)"
_FORMS = {
    **{(unit, unit): rf"(?P<{unit}>\d+)" for unit in ("MINUTE", "HOUR", "DAY", "WEEK", *MONTHS)},
    ("SECOND", "SECOND"): _CLOCK_FORM[2],
    ("YEAR", "MONTH"): r"(?P<YEAR>\d+)-(?P<MONTH>\d+)",
    ("DAY", "HOUR"): f"{_DAY_FORM} {_CLOCK_FORM[0]}",
    ("DAY", "MINUTE"): f"{_DAY_FORM} {':'.join(_CLOCK_FORM[:2])}",
    ("DAY", "SECOND"): f"{_DAY_FORM} {':'.join(_CLOCK_FORM)}",
    ("HOUR", "MINUTE"): ":".join(_CLOCK_FORM[:2]),
    ("HOUR", "SECOND"): ":".join(_CLOCK_FORM),
    ("MINUTE", "SECOND"): ":".join(_CLOCK_FORM[1:]),
}


class Interval(NamedTuple):
    """An amount of `MONTH`, of `MILLISECOND`, or of `DAY` if only days were written."""

    amount: int
    unit: str


def interval(node: exp.Interval) -> Interval:
    """The interval a literal means, or an error that says how to write one."""
    text, first, last = _parts(node)
    sign = -1 if text.startswith("-") else 1
    match = re.fullmatch(_FORMS.get((first, last), "(?!)"), text.lstrip("+-").strip())
    if match is None:
        _refuse(node, "Write a number and one unit: INTERVAL '5' SECOND.")
    amounts = {unit: float(value) for unit, value in match.groupdict().items()}
    if first in MONTHS:
        return Interval(sign * int(sum(n * MONTHS[unit] for unit, n in amounts.items())), "MONTH")
    kind = "DAY" if first == last and first in ("DAY", "WEEK") else "MILLISECOND"
    micros = sum(n * MICROSECONDS[unit] for unit, n in amounts.items())
    return Interval(sign * round(micros / MICROSECONDS[kind]), kind)


def interval_value(node: exp.Interval) -> Expr:
    """The literal as a value: a number of months or of milliseconds."""
    amount, unit = interval(node)
    if unit == "MONTH":
        return Expr(str(amount), INTERVAL_MONTHS.as_nullable(nullable=False))
    millis = amount * MICROSECONDS[unit] // MICROSECONDS["MILLISECOND"]
    return Expr(f"{millis}L", INTERVAL_MILLIS.as_nullable(nullable=False))


def interval_ms(node: exp.Expr) -> int:
    """The length of an interval of days or less."""
    if isinstance(node, exp.Interval):
        found = interval(node)
        if found.unit != "MONTH":
            return found.amount * MICROSECONDS[found.unit] // MICROSECONDS["MILLISECOND"]
    return _refuse(node, "Write an interval of a fixed length, such as INTERVAL '5' SECOND.")


def _parts(node: exp.Interval) -> tuple[str, str, str]:
    """The text, the first and the last unit; SECOND(3) and DAYS are units, too."""
    value, unit = node.this, node.args.get("unit")
    sign = ""
    if isinstance(value, exp.Neg):
        sign, value = "-", value.this
    text = value.name if isinstance(value, exp.Literal) else ""
    ends = (unit.this, unit.expression) if isinstance(unit, exp.IntervalSpan) else (unit, unit)
    names = [end.name.upper() if isinstance(end, exp.Expr) else "" for end in ends]
    first, last = (name.removesuffix("S") for name in names)
    return sign + text, first, last


def _refuse(node: exp.Expr, instead: str) -> NoReturn:
    raise PlanError(
        "UNSUPPORTED_EXPRESSION", span=node_span(node), expression=node.sql(), instead=instead
    )
