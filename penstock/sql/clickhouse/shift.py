"""A moment so many units later, counted in the calendar of its zone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.clickhouse.reading import checked
from penstock.sql.clickhouse.times import DATETIME, instant, local

if TYPE_CHECKING:
    from collections.abc import Mapping

_SECOND = 1_000_000
CLOCK: Mapping[str, int] = {
    "MICROSECOND": 1,
    "MILLISECOND": 1_000,
    "SECOND": _SECOND,
    "MINUTE": 60 * _SECOND,
    "HOUR": 3600 * _SECOND,
}
CALENDAR = ("DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
# unit → digits of a second that it needs
_DIGITS = {"MILLISECOND": 3, "MICROSECOND": 6}


def shift(moment: Expr, amount: Expr, unit: str) -> Expr:
    """`addDays` and its kind; a Date moved by hours becomes a DateTime."""
    if unit not in CLOCK and unit not in CALENDAR:
        raise PlanError(
            "INVALID_QUERY",
            problem=f"There is no unit {unit}.",
            instead=f"Units: {', '.join((*CLOCK, *CALENDAR))}.",
        )
    nullable = moment.type.nullable or amount.type.nullable
    count = f"CAST({amount.sql} AS BIGINT)"
    is_date = moment.type.root in ("DATE", "DATE32")
    if unit in CALENDAR:
        moved = f"timestampadd({unit}, CAST({amount.sql} AS INT), {local(moment)})"
        sql = f"CAST({moved} AS DATE)" if is_date else instant(moved, moment.type.zone)
        return Expr(checked(sql, moment.type), moment.type.as_nullable(nullable))
    least = 3 if moment.type.root == "DATE32" else 0
    digits = max(_DIGITS.get(unit, least), moment.type.precision or 0)
    start = instant(local(moment), "") if is_date else moment.sql
    type_ = DATETIME if is_date else moment.type
    result = DataType("TIMESTAMP_LTZ", digits, nullable=nullable, zone=type_.zone)
    sql = f"timestamp_micros(unix_micros({start}) + {count} * {CLOCK[unit]})"
    return Expr(checked(sql, result), result)
