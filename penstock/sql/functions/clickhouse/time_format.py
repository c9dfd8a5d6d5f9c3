"""`formatDateTime`: its letters in Spark's patterns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.sql.clickhouse.times import EPOCH, local
from penstock.sql.clickhouse.types import with_zone
from penstock.sql.functions.clickhouse.conversions import zone_of
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

# letter → Spark's pattern of the local time
_PATTERNS = {
    "Y": "yyyy",
    "y": "yy",
    "m": "MM",
    "d": "dd",
    "H": "HH",
    "i": "mm",
    "s": "ss",
    "S": "ss",
    "I": "hh",
    "h": "hh",
    "p": "a",
    "j": "DDD",
    "a": "EEE",
    "W": "EEEE",
    "b": "MMM",
    "M": "MMMM",
    "F": "yyyy-MM-dd",
    "T": "HH:mm:ss",
    "D": "MM/dd/yy",
    "R": "HH:mm",
    "r": "hh:mm a",
    "f": "SSSSSS",
    "c": "MM",
    "e": "d",
    "k": "HH",
    "l": "hh",
}
# letter → Spark SQL over the local time
_EXPRESSIONS = {
    "u": "CAST(weekday({0}) + 1 AS STRING)",
    "w": "CAST(dayofweek({0}) - 1 AS STRING)",
    "Q": "CAST(quarter({0}) AS STRING)",
    "V": "lpad(CAST(weekofyear({0}) AS STRING), 2, '0')",
    "G": "CAST(extract(YEAROFWEEK FROM {0}) AS STRING)",
    "g": "lpad(CAST(extract(YEAROFWEEK FROM {0}) % 100 AS STRING), 2, '0')",
    "C": "lpad(CAST(year({0}) div 100 AS STRING), 2, '0')",
}
_LITERALS = {"n": "\n", "t": "\t", "%": "%"}


def _offset(local_sql: str, moment: str) -> str:
    """How far the zone is before UTC, as `+0530`."""
    micros = f"timestampdiff(MICROSECOND, {EPOCH}, {local_sql}) - unix_micros({moment})"
    past = f"(({micros}) div 1000000)"
    hours, minutes = f"abs({past}) div 3600", f"abs({past}) div 60 % 60"
    digits = ", ".join(f"lpad(CAST({one} AS STRING), 2, '0')" for one in (hours, minutes))
    return f"concat(if({past} < 0, '-', '+'), {digits})"


def formatted(arguments: Sequence[Expr]) -> str:
    """The moment as text."""
    value, zone = arguments[0], zone_of(arguments, 2)
    moment = local(Expr(value.sql, with_zone(value.type, zone)) if zone else value)
    parts = []
    for piece in re.split(r"(%.)", text_of(arguments[1].sql) or "", flags=re.DOTALL):
        letter = piece[1:]
        if not piece.startswith("%") or not letter:
            parts.append(literal(piece))
        elif letter in _PATTERNS:
            parts.append(f"date_format({moment}, '{_PATTERNS[letter]}')")
        elif letter in _EXPRESSIONS:
            parts.append(_EXPRESSIONS[letter].format(moment))
        elif letter == "z" and value.type.root == "TIMESTAMP_LTZ":
            parts.append(_offset(moment, value.sql))
        elif letter in _LITERALS:
            parts.append(literal(_LITERALS[letter]))
        else:
            raise PlanError(
                "INVALID_QUERY",
                problem=f"formatDateTime knows no `{piece}` here.",
                instead=f"Letters: {', '.join((*_PATTERNS, *_EXPRESSIONS, *_LITERALS, 'z'))}.",
            )
    return f"concat({', '.join(part for part in parts if part != literal('')) or literal('')})"
