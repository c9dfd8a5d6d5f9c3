"""Values as text, the way Flink prints them, and texts and bytes cut or padded to a length.

[1, NULL]    {k=1}    (1, abc)    TRUE    2020-01-31 10:00:00.000    +1 10:17:36.789
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import quote

if TYPE_CHECKING:
    from penstock.model.types import DataType

_UNLIMITED = 1_000_000_000
_BINARY = ("BINARY", "VARBINARY")
_TIME_DIGITS = 3
_DAY_MILLIS = 86_400_000
_MIDNIGHT = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"


def to_text(sql: str, source: DataType, depth: int = 0) -> str:
    """The text of a value; `depth` keeps the names of nested lambdas apart."""
    if source.is_text:
        return sql
    if source.root == "BOOLEAN":
        return f"upper(CAST({sql} AS STRING))"
    if source.is_time:
        fraction = "." + "S" * source.precision if source.precision else ""
        return f"date_format({sql}, 'yyyy-MM-dd HH:mm:ss{fraction}')"
    if source.root == "TIME":
        return _time_text(sql, source.precision or 0)
    if source.is_interval:
        months = source.root == "INTERVAL_YEAR_MONTH"
        return _months_text(sql) if months else _millis_text(sql)
    if source.root in _BINARY:
        return f"make_valid_utf8(CAST({sql} AS STRING))"
    if source.root == "ROW":
        return _row_text(sql, source, depth)
    if source.children:
        return _list_text(sql, source, depth)
    return f"CAST({sql} AS STRING)"


def limited_text(sql: str, source: DataType, target: DataType) -> str:
    """A text of the length of its type: CHAR is padded, both are cut."""
    length = target.precision or _UNLIMITED
    if length >= _UNLIMITED:
        return sql
    if target.root == "CHAR":
        return f"rpad({sql}, {length}, ' ')"
    if source.is_text and (source.precision or 0) <= length:
        return sql
    return f"substring({sql}, 1, {length})"


def limited_binary(sql: str, source: DataType, target: DataType) -> str:
    """Bytes of the length of their type: BINARY is padded with zeros, both are cut."""
    length = target.precision or _UNLIMITED
    if length >= _UNLIMITED:
        return sql
    if target.root == "BINARY":
        return f"rpad({sql}, {length}, X'00')"
    if source.root in _BINARY and (source.precision or 0) <= length:
        return sql
    return f"substring({sql}, 1, {length})"


def _time_text(sql: str, precision: int) -> str:
    """As many digits of a second as it has, one at least if the type has any."""
    text = f"CAST(CAST({sql} AS TIME({min(precision, _TIME_DIGITS)})) AS STRING)"
    return f"regexp_replace({text}, '^([0-9:]{{8}})\\\\z', '$1.0')" if precision else text


def _months_text(sql: str) -> str:
    sign = f"if({sql} < 0, '-', '+')"
    return f"concat({sign}, abs({sql}) div 12, '-', lpad(abs({sql}) % 12, 2, '0'))"


def _millis_text(sql: str) -> str:
    moment = f"timestampadd(MILLISECOND, abs({sql}) % {_DAY_MILLIS}, {_MIDNIGHT})"
    clock = f"date_format({moment}, 'HH:mm:ss.SSS')"
    return f"concat(if({sql} < 0, '-', '+'), abs({sql}) div {_DAY_MILLIS}, ' ', {clock})"


def _row_text(sql: str, source: DataType, depth: int) -> str:
    fields = [
        _or_null(to_text(f"{sql}.{quote(name)}", child, depth)) for name, child in source.children
    ]
    return f"if({sql} IS NULL, NULL, concat('(', concat_ws(', ', {', '.join(fields)}), ')'))"


def _list_text(sql: str, source: DataType, depth: int) -> str:
    name = f"e{depth}"
    if source.root == "ARRAY":
        element = to_text(name, source.children[0][1], depth + 1)
        return f"concat('[', array_join(transform({sql}, {name} -> {element}), ', ', 'NULL'), ']')"
    key, value = (
        _or_null(to_text(f"{name}.{part}", child, depth + 1))
        for part, child in zip(("key", "value"), source.entry, strict=True)
    )
    pairs = f"transform(map_entries({sql}), {name} -> concat({key}, '=', {value}))"
    return f"concat('{{', array_join({pairs}, ', '), '}}')"


def _or_null(text: str) -> str:
    return f"coalesce({text}, 'NULL')"
