"""Instants in a time zone: ClickHouse counts days and hours in the zone of the column.

A DateTime without a zone is in the session's. Inside, a moment is taken apart as a local time
(Spark's TIMESTAMP_NTZ) and put together again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import DataType, literal

if TYPE_CHECKING:
    from penstock.model.expression import Expr

EPOCH = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
DATE = DataType("DATE", nullable=False)
DATETIME = DataType("TIMESTAMP_LTZ", 0, nullable=False)


def local(moment: Expr) -> str:
    """The local time of a Date or DateTime, as TIMESTAMP_NTZ."""
    if moment.type.root in ("DATE", "DATE32"):
        return f"CAST({moment.sql} AS TIMESTAMP_NTZ)"
    if not moment.type.zone:
        return f"CAST({moment.sql} AS TIMESTAMP_NTZ)"
    utc = f"timestampadd(MICROSECOND, unix_micros({moment.sql}), {EPOCH})"
    return f"convert_timezone('UTC', {literal(moment.type.zone)}, {utc})"


def instant(local_sql: str, zone: str) -> str:
    """The instant at which a zone shows this local time, as TIMESTAMP."""
    if not zone:
        return f"CAST({local_sql} AS TIMESTAMP)"
    utc = f"convert_timezone({literal(zone)}, 'UTC', {local_sql})"
    return f"timestamp_micros(timestampdiff(MICROSECOND, {EPOCH}, {utc}))"


def day(moment: Expr) -> str:
    """The local day of a Date or DateTime, as DATE."""
    if moment.type.root in ("DATE", "DATE32"):
        return moment.sql
    return f"CAST({local(moment)} AS DATE)"


def unix_seconds(moment: Expr) -> str:
    """Whole seconds from 1970 to a DateTime, days of a Date, as BIGINT."""
    if moment.type.root in ("DATE", "DATE32"):
        return f"CAST(unix_date({moment.sql}) AS BIGINT)"
    return f"(unix_micros({moment.sql}) div 1000000)"


def cut(sql: str, precision: int) -> str:
    """An instant cut to so many digits of a second, towards 1970."""
    unit = 10 ** (6 - precision)
    return sql if unit == 1 else f"timestamp_micros(unix_micros({sql}) div {unit} * {unit})"
