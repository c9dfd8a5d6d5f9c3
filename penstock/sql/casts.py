"""CAST with Flink's meaning, as Spark SQL.

A text that cannot be read fails, or gives NULL in TRY_CAST. A number that is too large for a
DECIMAL gives NULL, as in Flink; one that is too large for an integer type fails (or, in TRY_CAST,
gives NULL), where Flink would wrap it around.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.types import literal
from penstock.sql.literals import text_of
from penstock.sql.time_math import truncated
from penstock.sql.time_text import constant, read_date, read_timestamp

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.model.types import DataType

_INTEGERS = frozenset({"TINYINT", "SMALLINT", "INT", "BIGINT"})
_NUMBERS = _INTEGERS | {"FLOAT", "DOUBLE", "DECIMAL"}
_TEXT = frozenset({"CHAR", "VARCHAR"})
_TIMES = frozenset({"TIMESTAMP", "TIMESTAMP_LTZ"})
_BINARY = frozenset({"BINARY", "VARBINARY"})
_UNLIMITED = 1_000_000_000

# target family → source families that can be converted explicitly
_EXPLICIT = (
    (_TEXT, _NUMBERS | _TEXT | _TIMES | _BINARY | {"BOOLEAN", "DATE"}),
    (_NUMBERS, _NUMBERS | _TEXT | {"BOOLEAN"}),
    (frozenset({"BOOLEAN"}), _NUMBERS | _TEXT | {"BOOLEAN"}),
    (frozenset({"DATE"}), _TEXT | _TIMES | {"DATE"}),
    (_TIMES, _TEXT | _TIMES | {"DATE"}),
    (_BINARY, _BINARY | _TEXT),
)


def cast(
    sql: str, source: DataType, target: DataType, *, span: Span | None = None, safe: bool = False
) -> str:
    """`CAST(sql AS target)`; `safe` gives NULL instead of an error, as TRY_CAST does."""
    if source.root == "NULL":
        return f"CAST(NULL AS {target.spark_sql()})"
    if source.as_nullable() == target.as_nullable():
        return sql
    if not _convertible(source, target):
        raise PlanError("UNCASTABLE", span=span, found=source, expected=target)
    if target.root in _TEXT:
        return _limited_text(_to_text(sql, source), source, target)
    if target.root in _BINARY:
        return _limited_binary(f"CAST({sql} AS BINARY)", source, target)
    if source.root in _TEXT and target.root in {"DATE", *_TIMES}:
        return _text_to_time(sql, target, safe=safe)
    if target.root in _TIMES:
        return _to_time(sql, source, target)
    text = _readable(sql, target) if source.root in _TEXT else sql
    too_large_is_null = target.root == "DECIMAL" and source.root in _NUMBERS
    function = "TRY_CAST" if safe or too_large_is_null else "CAST"
    return f"{function}({text} AS {target.spark_sql()})"


def _convertible(source: DataType, target: DataType) -> bool:
    if target.children or source.children:
        return target.accepts(source)
    return any(target.root in to and source.root in from_ for to, from_ in _EXPLICIT)


def _readable(sql: str, target: DataType) -> str:
    """The text as Spark's CAST takes what Flink's takes; it trims more and knows no `12.7`."""
    if target.root == "BOOLEAN":
        return rf"translate({sql}, ' \t\n\r', '????')"
    if target.root in _INTEGERS:
        pattern = literal(r"^([+-]?)([0-9]*)\.[0-9]*\z")
        return rf"regexp_replace(translate(trim({sql}), '\t\n\r', '???'), {pattern}, '$10$2')"
    return sql


def _to_text(sql: str, source: DataType) -> str:
    if source.root == "BOOLEAN":
        return f"upper(CAST({sql} AS STRING))"
    if source.root in _TIMES:
        fraction = "." + "S" * source.precision if source.precision else ""
        return f"date_format({sql}, 'yyyy-MM-dd HH:mm:ss{fraction}')"
    return sql if source.root in _TEXT else f"CAST({sql} AS STRING)"


def _limited_text(sql: str, source: DataType, target: DataType) -> str:
    length = target.precision or _UNLIMITED
    if length >= _UNLIMITED:
        return sql
    if target.root == "CHAR":
        return f"rpad({sql}, {length}, ' ')"
    if source.is_text and (source.precision or 0) <= length:
        return sql
    return f"substring({sql}, 1, {length})"


def _limited_binary(sql: str, source: DataType, target: DataType) -> str:
    length = target.precision or _UNLIMITED
    if length >= _UNLIMITED:
        return sql
    if target.root == "BINARY":
        return f"rpad({sql}, {length}, X'00')"
    if source.root in _BINARY and (source.precision or 0) <= length:
        return sql
    return f"substring({sql}, 1, {length})"


def _text_to_time(sql: str, target: DataType, *, safe: bool) -> str:
    known = constant(text_of(sql) or "", target)
    if known:
        value = known
    elif target.root == "DATE":
        value = read_date(sql)
    else:
        value = read_timestamp(sql, target.precision or 0)
    if target.root == "TIMESTAMP_LTZ":
        value = f"CAST({value} AS TIMESTAMP)"
    if safe or known:
        return value
    problem = literal(f"This text cannot be read as {target.as_nullable()}: ")
    return f"if({sql} IS NULL, NULL, coalesce({value}, raise_error(concat({problem}, {sql}))))"


def _to_time(sql: str, source: DataType, target: DataType) -> str:
    converted = sql if source.root == target.root else f"CAST({sql} AS {target.spark_sql()})"
    if (source.precision or 0) <= (target.precision or 0):
        return converted
    return truncated(converted, target)
