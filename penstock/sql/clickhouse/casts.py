"""CAST and the `to…` functions: a value of one ClickHouse type as another, in Spark SQL.

`Mode` says what a text that cannot be read becomes. Numbers that are too large for an integer type
wrap around, as in ClickHouse.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.sql.clickhouse.numbers import FLOATS, INTEGERS, as_number
from penstock.sql.clickhouse.text import enum_number, number_text, quoted_map
from penstock.sql.clickhouse.times import day, instant, local, unix_seconds
from penstock.sql.clickhouse.types import default_sql, type_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.types import DataType

_DAYS_LIMIT = 65_536
_DAY = r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
_CLOCK = r"[ T][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}"
# What a text must look like to be read as a type.
_INTEGER = r"^[+-]?[0-9]{1,38}$"
_FLOAT = r"^(?i)[+-]?([0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?|\.[0-9]+|inf|infinity|nan)$"
_DECIMAL = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)$"
_DATE = rf"^{_DAY}({_CLOCK}.*)?$"
_TIME = rf"^{_DAY}({_CLOCK}(\.[0-9]*)?)?$"
_SECONDS = "^[0-9]{5,10}$"
_UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
_IPV4 = r"^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\.(?!$)|$)){4}$"
_BOOL = "^(?i)(true|false|1|0|yes|no|on|off|t|f|y|n)$"
_TEXTS = ("VARCHAR", "FIXEDSTRING")
_DATES = ("DATE", "DATE32")


class Mode(Enum):
    """What becomes of a text that cannot be read."""

    STRICT = "an error"
    NULL = "NULL"
    ZERO = "the default value of the type"


def cast(value: Expr, target: DataType, mode: Mode = Mode.STRICT) -> Expr:
    """The value as another type; NULL stays NULL."""
    plain = target.as_nullable(nullable=False)
    source = value.type.as_nullable(nullable=False)
    nullable = value.type.nullable or mode is Mode.NULL
    if source == plain:
        return Expr(value.sql, plain.as_nullable(nullable))
    if value.type.root == "NULL":
        return Expr(f"CAST(NULL AS {target.spark_sql()})", plain.as_nullable())
    convert = _CONVERSIONS.get(plain.root)
    sql = convert(value, plain, mode) if convert else None
    if sql is None:
        found, expected = type_name(value.type), type_name(target)
        raise PlanError("UNCASTABLE", found=found, expected=expected, instead="")
    return Expr(sql, plain.as_nullable(nullable))


def cast_explicit(value: Expr, target: DataType) -> Expr:
    """CAST(value AS target): a NULL does not become a type that is not Nullable."""
    found = cast(value, target)
    if target.nullable or not found.type.nullable:
        return Expr(found.sql, target)
    problem = literal(f"Cannot convert NULL to {type_name(target)}.")
    return Expr(f"coalesce({found.sql}, raise_error({problem}))", target)


def stored(value: Expr, target: DataType) -> Expr:
    """A value as INSERT stores it: NULL becomes the default of a column that is not Nullable."""
    found = cast(value, target)
    if target.nullable or not found.type.nullable:
        return Expr(found.sql, target)
    return Expr(f"coalesce({found.sql}, {default_sql(target)})", target)


def _parsed(text: str, pattern: str, value: str, target: DataType, mode: Mode) -> str:
    """The value of a text if the pattern fits it and a value comes out."""
    found = f"CASE WHEN {text} RLIKE {literal(pattern)} THEN {value} END"
    if mode is Mode.NULL:
        return found
    if mode is Mode.ZERO:
        other = default_sql(target)
    else:
        problem = literal(f"Cannot parse as {type_name(target)}: ")
        other = f"raise_error(concat({problem}, {text}))"
    return f"if({text} IS NULL, NULL, coalesce({found}, {other}))"


def _wrapped(sql: str, target: DataType) -> str:
    """An exact number cut to the bits of an integer type."""
    bits, signed = INTEGERS[target.root]
    exact = f"CAST({sql} AS DECIMAL(38, 0))"
    modulo = f"CAST({2**bits} AS DECIMAL(38, 0))"
    half = f"CAST({2 ** (bits - 1)} AS DECIMAL(38, 0))"
    cut = f"pmod({exact} + {half}, {modulo}) - {half}" if signed else f"pmod({exact}, {modulo})"
    return f"CAST({cut} AS {target.spark_sql()})"


def _to_integer(value: Expr, target: DataType, mode: Mode) -> str | None:
    value = as_number(value)
    root = value.type.root
    if root in INTEGERS:
        bits, signed = INTEGERS[root]
        to_bits, to_signed = INTEGERS[target.root]
        fits = (bits < to_bits and to_signed) or (bits <= to_bits and signed == to_signed)
        return f"CAST({value.sql} AS {target.spark_sql()})" if fits else _wrapped(value.sql, target)
    if root in FLOATS:
        return _wrapped(f"if({value.sql} < 0, ceil({value.sql}), floor({value.sql}))", target)
    if root == "DECIMAL":
        return _wrapped(f"({value.sql} - {value.sql} % 1)", target)
    if root in _TEXTS:
        return _parsed(value.sql, _INTEGER, _wrapped(value.sql, target), target, mode)
    if value.type.labels:
        return _wrapped(enum_number(value), target)
    if root in _DATES or root == "TIMESTAMP_LTZ":
        return _wrapped(unix_seconds(value), target)
    return None


def _to_float(value: Expr, target: DataType, mode: Mode) -> str | None:
    value = as_number(value)
    name = target.spark_sql()
    if value.type.root in (*INTEGERS, *FLOATS, "DECIMAL"):
        return f"CAST({value.sql} AS {name})"
    if value.type.root in _TEXTS:
        return _parsed(value.sql, _FLOAT, f"CAST({value.sql} AS {name})", target, mode)
    if value.type.root == "TIMESTAMP_LTZ":
        return f"CAST(unix_micros({value.sql}) / 1000000D AS {name})"
    return f"CAST({unix_seconds(value)} AS {name})" if value.type.root in _DATES else None


def _to_decimal(value: Expr, target: DataType, mode: Mode) -> str | None:
    """Digits beyond the scale are cut off, not rounded."""
    value = as_number(value)
    name, scale = target.spark_sql(), target.scale or 0
    if value.type.root in INTEGERS:
        return f"CAST({value.sql} AS {name})"
    if value.type.root == "DECIMAL":
        if (value.type.scale or 0) <= scale:
            return f"CAST({value.sql} AS {name})"
        unit = f"CAST({10.0**-scale:.{scale}f} AS DECIMAL(38, {scale}))"
        return f"CAST({value.sql} - {value.sql} % {unit} AS {name})"
    if value.type.root in FLOATS:
        shifted = f"(CAST({value.sql} AS DOUBLE) * {10**scale}D)"
        whole = f"CAST(if({shifted} < 0, ceil({shifted}), floor({shifted})) AS DECIMAL(38, 0))"
        return f"CAST({whole} / CAST({10**scale} AS DECIMAL(38, 0)) AS {name})"
    if value.type.root in _TEXTS:
        pattern = literal(rf"(\.[0-9]{{{scale}}})[0-9]+$")
        cut = f"regexp_replace({value.sql}, {pattern}, '$1')"
        return _parsed(value.sql, _DECIMAL, f"CAST({cut} AS {name})", target, mode)
    return None


def _to_text(value: Expr, target: DataType, mode: Mode) -> str | None:
    root = value.type.root
    if value.type.root == "BOOLEAN" and value.type.precision:
        return f"CAST(CAST({value.sql} AS SMALLINT) AS STRING)"
    if root in FLOATS or root == "DECIMAL":
        return number_text(value)
    if root == "TIMESTAMP_LTZ":
        digits = "." + "S" * value.type.precision if value.type.precision else ""
        return f"date_format({local(value)}, 'yyyy-MM-dd HH:mm:ss{digits}')"
    return None if value.type.children else f"CAST({value.sql} AS STRING)"


def _to_date(value: Expr, target: DataType, mode: Mode) -> str | None:
    value = as_number(value)
    root = value.type.root
    if root in _DATES or root == "TIMESTAMP_LTZ":
        return day(value)
    if root in _TEXTS:
        found = f"try_cast(substring_index(replace({value.sql}, 'T', ' '), ' ', 1) AS DATE)"
        return _parsed(value.sql, _DATE, found, target, mode)
    if root in INTEGERS:
        seconds = f"CAST(timestamp_seconds(CAST({value.sql} AS BIGINT)) AS DATE)"
        days = f"date_from_unix_date(CAST({value.sql} AS INT))"
        return f"CASE WHEN {value.sql} < {_DAYS_LIMIT} THEN {days} ELSE {seconds} END"
    return None


def _to_datetime(value: Expr, target: DataType, mode: Mode) -> str | None:
    value = as_number(value)
    root, precision = value.type.root, target.precision or 0
    if root == "TIMESTAMP_LTZ":
        if (value.type.precision or 0) <= precision:
            return value.sql
        return _cut(value.sql, precision)
    if root in _DATES:
        return instant(local(value), target.zone)
    if root in _TEXTS:
        plain = f"try_cast(replace({value.sql}, 'T', ' ') AS TIMESTAMP_NTZ)"
        moment = _cut(instant(plain, target.zone), precision)
        seconds = f"try_cast({value.sql} AS BIGINT)"
        found = f"if({value.sql} RLIKE {literal(_SECONDS)}, timestamp_seconds({seconds}), {moment})"
        return _parsed(value.sql, f"{_TIME}|{_SECONDS}", found, target, mode)
    if root in INTEGERS:
        return f"timestamp_seconds(CAST({value.sql} AS BIGINT))"
    if root in (*FLOATS, "DECIMAL"):
        micros = f"timestamp_micros(CAST({value.sql} * 1000000 AS BIGINT))"
        return _cut(micros, precision)
    return None


def _cut(sql: str, precision: int) -> str:
    """An instant cut to so many digits of a second."""
    unit = 10 ** (6 - precision)
    if unit == 1:
        return sql
    return f"timestamp_micros(unix_micros({sql}) - pmod(unix_micros({sql}), {unit}))"


def _to_enum(value: Expr, target: DataType, mode: Mode) -> str | None:
    value = as_number(value)
    if value.type.root in INTEGERS:
        names = quoted_map([(number, name) for name, number in target.labels])
        found = f"try_element_at({names}, CAST({value.sql} AS INT))"
        shown = f"CAST({value.sql} AS STRING)"
    elif value.type.root in _TEXTS or value.type.labels:
        known = ", ".join(literal(name) for name, _ in target.labels)
        found, shown = f"CASE WHEN {value.sql} IN ({known}) THEN {value.sql} END", value.sql
    else:
        return None
    problem = literal(f"Unknown element for {type_name(target)[:200]}: ")
    return (
        f"if({value.sql} IS NULL, NULL, coalesce({found}, raise_error(concat({problem}, {shown}))))"
    )


def _to_bool(value: Expr, target: DataType, mode: Mode) -> str | None:
    if value.type.root == "BOOLEAN":
        return value.sql
    if value.type.root in (*INTEGERS, *FLOATS, "DECIMAL"):
        return f"({value.sql} <> 0)"
    if value.type.root in _TEXTS:
        found = f"(lower({value.sql}) IN ('true', '1', 'yes', 'on', 't', 'y'))"
        return _parsed(value.sql, _BOOL, found, target, mode)
    return None


def _from_text(pattern: str, found: str) -> Callable[[Expr, DataType, Mode], str | None]:
    def convert(value: Expr, target: DataType, mode: Mode) -> str | None:
        if value.type.root not in _TEXTS:
            return None
        return _parsed(value.sql, pattern, found.format(value.sql), target, mode)

    return convert


def _to_array(value: Expr, target: DataType, mode: Mode) -> str | None:
    if value.type.root != "ARRAY":
        return None
    element = value.type.children[0][1]
    inner = cast(Expr("x", element), target.children[0][1], mode)
    return f"transform({value.sql}, x -> {inner.sql})"


def _to_map(value: Expr, target: DataType, mode: Mode) -> str | None:
    if value.type.root != "MAP":
        return None
    names = ("k", "v")
    pairs = zip(names, value.type.children, target.children, strict=True)
    key, item = (cast(Expr(n, a), b, mode).sql for n, (_, a), (_, b) in pairs)
    keyed = f"transform_keys({value.sql}, (k, v) -> {key})"
    return f"transform_values({keyed}, (k, v) -> {item})"


def _to_tuple(value: Expr, target: DataType, mode: Mode) -> str | None:
    if value.type.root != "ROW" or len(value.type.children) != len(target.children):
        return None
    parts = []
    for (old, type_), (new, wanted) in zip(value.type.children, target.children, strict=True):
        field = Expr(f"{value.sql}.`{old}`", type_)
        parts.append(f"{literal(new)}, {cast(field, wanted, mode).sql}")
    return f"named_struct({', '.join(parts)})"


_CONVERSIONS: dict[str, Callable[[Expr, DataType, Mode], str | None]] = {
    **dict.fromkeys(INTEGERS, _to_integer),
    **dict.fromkeys(FLOATS, _to_float),
    **dict.fromkeys(_DATES, _to_date),
    **dict.fromkeys(("ENUM8", "ENUM16"), _to_enum),
    "ARRAY": _to_array,
    "BOOLEAN": _to_bool,
    "DECIMAL": _to_decimal,
    "IPV4": _from_text(_IPV4, "{0}"),
    "MAP": _to_map,
    "ROW": _to_tuple,
    "TIMESTAMP_LTZ": _to_datetime,
    "UUID": _from_text(_UUID, "lower({0})"),
    "VARCHAR": _to_text,
}
