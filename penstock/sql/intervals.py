"""Interval literals: as Spark SQL, and as milliseconds where a fixed length is needed."""

from __future__ import annotations

from sqlglot import exp

from penstock.errors import PlanError
from penstock.sql.spans import node_span

_MILLISECONDS = {
    "MILLISECOND": 1,
    "SECOND": 1_000,
    "MINUTE": 60_000,
    "HOUR": 3_600_000,
    "DAY": 86_400_000,
    "WEEK": 7 * 86_400_000,
}
_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}


def interval_sql(node: exp.Interval) -> str:
    """The interval as Spark spells it."""
    amount, unit = _parts(node)
    if unit in _MONTHS:
        return f"make_ym_interval(0, {int(amount) * _MONTHS[unit]})"
    return f"make_dt_interval(0, 0, 0, {amount * _MILLISECONDS[unit] / 1000})"


def interval_ms(node: exp.Expr) -> int:
    """The length of an interval of days or less."""
    if isinstance(node, exp.Interval):
        amount, unit = _parts(node)
        if unit in _MILLISECONDS:
            return int(amount * _MILLISECONDS[unit])
    raise PlanError(
        "UNSUPPORTED_EXPRESSION",
        span=node_span(node),
        expression=node.sql(),
        instead="Write an interval of a fixed length, such as INTERVAL '5' SECOND.",
    )


def _parts(node: exp.Interval) -> tuple[float, str]:
    unit = node.args.get("unit")
    name = unit.name.upper().removesuffix("S") if isinstance(unit, exp.Var) else ""
    try:
        amount = float(node.this.name)
    except (AttributeError, ValueError):
        amount = None
    if amount is None or name not in {**_MILLISECONDS, **_MONTHS}:
        raise PlanError(
            "UNSUPPORTED_EXPRESSION",
            span=node_span(node),
            expression=node.sql(),
            instead="Write a number and one unit: INTERVAL '5' SECOND.",
        )
    return amount, name
