"""CAST with Flink's meaning, as Spark SQL.

A text that cannot be read fails, or gives NULL in TRY_CAST. A number that is too large for a
DECIMAL gives NULL; one that is too large for an integer type is cut as Java cuts it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.types import BYTES, STRING, DataType, literal
from penstock.sql.cast_nested import alike, nested
from penstock.sql.cast_numbers import to_number
from penstock.sql.cast_text import limited_binary, limited_text, to_text
from penstock.sql.literals import text_of
from penstock.sql.time_math import time_of_day, truncated, truncated_time
from penstock.sql.time_text import constant, read_date, read_time, read_timestamp

if TYPE_CHECKING:
    from penstock.model.span import Span

_TIMESTAMP_0 = DataType("TIMESTAMP", 0)
_INTEGERS = frozenset({"TINYINT", "SMALLINT", "INT", "BIGINT"})
_NUMBERS = _INTEGERS | {"FLOAT", "DOUBLE", "DECIMAL"}
_TEXT = frozenset({"CHAR", "VARCHAR"})
_TIMES = frozenset({"TIMESTAMP", "TIMESTAMP_LTZ"})
_BINARY = frozenset({"BINARY", "VARBINARY"})
_INTERVALS = frozenset({"INTERVAL_YEAR_MONTH", "INTERVAL_DAY_TIME"})
_NESTED = frozenset({"ARRAY", "MAP", "MULTISET", "ROW"})
_SIMPLE = _NUMBERS | _TEXT | _TIMES | _BINARY | _INTERVALS | {"BOOLEAN", "DATE", "TIME"}

# target family → source families that can be converted explicitly
_EXPLICIT = (
    (_TEXT, _SIMPLE | _NESTED),
    (_NUMBERS, _NUMBERS | _TEXT | {"BOOLEAN"}),
    (frozenset({"BOOLEAN"}), _NUMBERS | _TEXT | {"BOOLEAN"}),
    (frozenset({"DATE"}), _TEXT | _TIMES | {"DATE"}),
    (frozenset({"TIME"}), _TEXT | _TIMES | {"TIME"}),
    (_TIMES, _TEXT | _TIMES | {"DATE", "TIME"}),
    (_BINARY, _BINARY | _TEXT),
)
# source and target family → what to write instead, as Flink advises
_ADVICE = (
    (_NUMBERS, {"TIMESTAMP"}, "Write TO_TIMESTAMP(FROM_UNIXTIME(n)) for seconds."),
    (_NUMBERS, {"TIMESTAMP_LTZ"}, "Write TO_TIMESTAMP_LTZ(n, 0) for seconds, 3 for milliseconds."),
    ({"TIMESTAMP"}, _NUMBERS, "Write UNIX_TIMESTAMP(CAST(t AS STRING)) for seconds."),
    ({"TIMESTAMP_LTZ"}, _NUMBERS, "Write UNIX_TIMESTAMP(CAST(t AS STRING)) for seconds."),
    (_INTERVALS, _NUMBERS, "Write TIMESTAMPDIFF(unit, start, end) for a number."),
    (_SIMPLE, _INTERVALS, "Write INTERVAL '5' SECOND, and multiply it by a number."),
)


def cast(
    sql: str, source: DataType, target: DataType, *, span: Span | None = None, safe: bool = False
) -> str:
    """`CAST(sql AS target)`; `safe` gives NULL instead of an error, as TRY_CAST does."""
    if source.root == "NULL":
        return f"CAST(NULL AS {target.spark_sql()})"
    if alike(source, target):
        return sql
    if not castable(source, target):
        instead = _advice(source, target)
        raise PlanError("UNCASTABLE", span=span, found=source, expected=target, instead=instead)
    if target.root in _NESTED:
        # One part that cannot be read makes the whole NULL.
        value = nested(sql, source, target, cast)
        return f"penstock_try({value})" if safe else value
    if target.root in _TEXT:
        return limited_text(to_text(sql, source), source, target)
    if target.root in _BINARY:
        return limited_binary(f"CAST({sql} AS BINARY)", source, target)
    if target.root in {"DATE", "TIME", *_TIMES}:
        return _to_time(sql, source, target, safe=safe)
    if target.root in _NUMBERS and source.root in _NUMBERS | {"BOOLEAN"}:
        return to_number(sql, source, target)
    text = _readable(sql, target) if source.root in _TEXT else sql
    return f"{'TRY_CAST' if safe else 'CAST'}({text} AS {target.spark_sql()})"


def limited(sql: str, type_: DataType) -> str:
    """A text or bytes as long as the type says; other values as they are."""
    if type_.root in _TEXT:
        return limited_text(sql, STRING, type_)
    return limited_binary(sql, BYTES, type_) if type_.root in _BINARY else sql


def castable(source: DataType, target: DataType) -> bool:
    """Whether an explicit CAST is defined between these types."""
    if source.root == "NULL" or alike(source, target):
        return True
    if target.root in _NESTED:
        return (
            source.root == target.root
            and len(source.children) == len(target.children)
            and all(
                castable(mine, theirs)
                for (_, mine), (_, theirs) in zip(source.children, target.children, strict=True)
            )
        )
    if source.children and not all(castable(child, target) for _, child in source.children):
        return False
    return any(target.root in to and source.root in from_ for to, from_ in _EXPLICIT)


def _advice(source: DataType, target: DataType) -> str:
    found = (text for from_, to, text in _ADVICE if source.root in from_ and target.root in to)
    return next(found, "")


def _readable(sql: str, target: DataType) -> str:
    """The text as Spark's CAST takes what Flink's takes; it trims more and knows no `12.7`."""
    if target.root == "BOOLEAN":
        return rf"translate({sql}, ' \t\n\r', '????')"
    if target.root in _INTEGERS:
        pattern = literal(r"^([+-]?)([0-9]*)\.[0-9]*\z")
        return rf"regexp_replace(translate(trim({sql}), '\t\n\r', '???'), {pattern}, '$10$2')"
    if target.root in ("FLOAT", "DOUBLE"):
        # Spark reads these words in any case and cut short.
        pattern = literal("(?!Infinity|NaN)(?i:inf|nan)")
        return f"regexp_replace({sql}, {pattern}, '?')"
    return sql


def _to_time(sql: str, source: DataType, target: DataType, *, safe: bool) -> str:
    if source.root in _TEXT:
        return _text_to_time(sql, target, safe=safe)
    if target.root == "DATE":
        return f"CAST({sql} AS DATE)"
    if target.root == "TIME":
        return truncated_time(sql if source.root == "TIME" else time_of_day(sql), target)
    if source.root == "TIME":
        # Flink keeps the milliseconds, whatever the target's precision.
        sql, source = f"make_timestamp_ntz(DATE'1970-01-01', {sql})", _TIMESTAMP_0
    converted = sql if source.root == target.root else f"CAST({sql} AS {target.spark_sql()})"
    return converted if _digits(source) <= _digits(target) else truncated(converted, target)


def _digits(type_: DataType) -> int:
    return type_.precision or 0


def _text_to_time(sql: str, target: DataType, *, safe: bool) -> str:
    known = constant(text_of(sql) or "", target)
    value = known or _READERS.get(target.root, read_timestamp)(sql, _digits(target))
    if target.root == "TIMESTAMP_LTZ":
        value = f"CAST({value} AS TIMESTAMP)"
    if target.root == "TIME":
        value = truncated_time(value, target)
    if safe or known:
        return value
    problem = literal(f"This text cannot be read as {target.as_nullable()}: ")
    return f"if({sql} IS NULL, NULL, coalesce({value}, raise_error(concat({problem}, {sql}))))"


_READERS = {"DATE": lambda sql, digits: read_date(sql), "TIME": lambda sql, digits: read_time(sql)}
