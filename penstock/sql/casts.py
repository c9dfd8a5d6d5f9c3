"""CAST with Flink's meaning, as Spark SQL.

Spark's ANSI mode fails on a text that is no number or an overflow, as Flink does; what differs is
how booleans and times become text, and which conversions exist at all.
"""

from __future__ import annotations

from penstock.errors import PlanError
from penstock.model.span import Span
from penstock.model.types import DataType

_NUMBERS = frozenset({"TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL"})
_TEXT = frozenset({"CHAR", "VARCHAR"})
_TIMES = frozenset({"TIMESTAMP", "TIMESTAMP_LTZ"})
_BINARY = frozenset({"BINARY", "VARBINARY"})

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
        return _limited(_to_text(sql, source), source, target)
    if target.root in _TIMES:
        return _to_time(sql, source, target, safe=safe)
    function = "TRY_CAST" if safe else "CAST"
    text = f"trim({sql})" if source.root in _TEXT and target.root not in _BINARY else sql
    return f"{function}({text} AS {target.spark_sql()})"


def _convertible(source: DataType, target: DataType) -> bool:
    if target.children or source.children:
        return target.accepts(source)
    return any(target.root in to and source.root in from_ for to, from_ in _EXPLICIT)


def _to_text(sql: str, source: DataType) -> str:
    if source.root == "BOOLEAN":
        return f"upper(CAST({sql} AS STRING))"
    if source.root in _TIMES:
        fraction = "." + "S" * min(source.precision or 0, 6) if source.precision else ""
        return f"date_format({sql}, 'yyyy-MM-dd HH:mm:ss{fraction}')"
    return f"CAST({sql} AS STRING)"


def _limited(sql: str, source: DataType, target: DataType) -> str:
    if source.is_text and (source.precision or 0) <= (target.precision or 0):
        return sql
    if target.precision is None or target.precision > 1_000_000:
        return sql
    return f"substring({sql}, 1, {target.precision})"


def _to_time(sql: str, source: DataType, target: DataType, *, safe: bool) -> str:
    function = "TRY_CAST" if safe else "CAST"
    text = f"trim({sql})" if source.root in _TEXT else sql
    return truncated(f"{function}({text} AS {target.spark_sql()})", target)


def truncated(sql: str, target: DataType) -> str:
    """A time cut to the precision of its type: Spark keeps microseconds, Flink what was declared."""
    if target.precision is None or target.precision >= 6:
        return sql
    surplus = f"CAST(extract(SECOND FROM {sql}) * 1000000 AS BIGINT) % {10 ** (6 - target.precision)}"
    return f"timestampadd(MICROSECOND, -({surplus}), {sql})"
