"""Dates and times as text, read in Spark SQL the way Flink's CAST does it.

A literal is read here; all else is read by the Java module, or by a regular expression, since
Spark's own readers accept other texts.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING

from penstock.model.types import literal

if TYPE_CHECKING:
    from penstock.model.types import DataType

_DATE = "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
_TIME = "[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}"
_CLOCK = rf"^(?:{_TIME}(?:\.[0-9]{{0,9}})?|[0-9]{{1,2}}(?::[0-9]{{1,2}})?)\z"
_HOUR_ONLY = r"^([0-9]{1,2})\z"
_SPARK_DIGITS = 6


def read_timestamp(sql: str, precision: int = 3) -> str:
    """A text such as 2020-01-31 09:00:00.123 as TIMESTAMP_NTZ; NULL if it is another text."""
    return f"penstock_to_timestamp({sql}, {precision})"


def read_date(sql: str) -> str:
    """A text such as 2020-01-31, or one that has a space after it, as DATE; else NULL."""
    return f"penstock_to_date({sql})"


def read_time(sql: str) -> str:
    """A text such as 09:00:00.123, 9:00 or 9 as TIME(6); NULL if it is another text."""
    text = f"regexp_substr(trim({sql}), {literal(_CLOCK)})"
    whole = f"regexp_replace({text}, {literal(_HOUR_ONLY)}, '$1:00')"
    return f"TRY_CAST({whole} AS TIME(6))"


def bound(name: str, value: str, body: str) -> str:
    """The body with a value under a name, evaluated once: SQL has no LET.

    Spark does not generate code around it, so it is for what few queries use.
    """
    return f"get(transform(array({value}), {name} -> {body}), 0)"


def constant(text: str, target: DataType) -> str | None:
    """A literal text as a Spark literal of a date or local time, if it is a plain one."""
    try:
        if target.root == "DATE" and re.fullmatch(_DATE, text):
            day = date(*map(int, text.split("-")))
            return f"DATE'{day.isoformat()}'"
        if target.root == "TIME" and re.fullmatch(rf"{_TIME}(\.[0-9]{{0,9}})?", text):
            clock, _, digits = text.partition(".")
            moment = datetime.strptime(clock, "%H:%M:%S")
            return f"TIME'{moment:%H:%M:%S}.{digits[:_SPARK_DIGITS]:0<{_SPARK_DIGITS}}'"
        match = re.fullmatch(rf"({_DATE})(?: ({_TIME})(\.[0-9]{{0,9}})?)?", text)
        if target.root in ("DATE", "TIME") or match is None:
            return None
        moment = datetime.strptime(f"{match[1]} {match[2] or '0:0:0'}", "%Y-%m-%d %H:%M:%S")
    except ValueError:
        return None
    digits = (match[3] or "").strip(".")[: min(target.precision or 0, _SPARK_DIGITS)]
    fraction = f".{digits}" if digits else ""
    return f"TIMESTAMP_NTZ'{moment.isoformat(sep=' ')}{fraction}'"
