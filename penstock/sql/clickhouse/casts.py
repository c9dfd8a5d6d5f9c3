"""CAST and the `to…` functions: a value of one ClickHouse type as another, in Spark SQL.

`Mode` says what a text that cannot be read becomes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.sql.clickhouse.number_casts import (
    Mode,
    float_units,
    parsed,
    to_decimal,
    to_float,
    to_integer,
)
from penstock.sql.clickhouse.numbers import FLOATS, INTEGERS, as_number
from penstock.sql.clickhouse.reading import (
    checked,
    number_within,
    read_datetime,
    read_day,
    within,
)
from penstock.sql.clickhouse.text import number_text, quoted_map
from penstock.sql.clickhouse.times import cut, day, instant, local
from penstock.sql.clickhouse.types import default_sql, type_name, with_zone
from penstock.sql.clickhouse.written import as_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.types import DataType

_DAYS_LIMIT = 65_536
_DAY = r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
_CLOCK = r"[ T][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}"
# What a text must look like to be read as a type.
_DATE = rf"^({_DAY}$|([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|[0-9]{{8}})({_CLOCK}(\.[0-9]*)?)?$)"
# A number beyond these is taken for them.
_MAX_SECONDS, _MIN_DAYS = 4_294_967_295, -719_528
FIRST_SECOND, LAST_SECOND = -62_167_219_200, 253_402_300_799
_UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$|^[0-9a-fA-F]{32}$"
_UUID_PARTS = literal("^(.{8})-?(.{4})-?(.{4})-?(.{4})-?(.{12})$")
_IPV4 = r"^(0*(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\.(?!$)|$)){4}$"
_TRUE = ("true", "1", "yes", "on", "t", "y", "enable", "enabled")
_FALSE = ("false", "0", "no", "off", "f", "n", "disable", "disabled")
_BOOL = f"^(?i)({'|'.join((*_TRUE, *_FALSE))})$"
_TEXTS = ("VARCHAR", "FIXEDSTRING")
_DATES = ("DATE", "DATE32")


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


def cast_explicit(value: Expr, target: DataType, mode: Mode = Mode.STRICT) -> Expr:
    """CAST(value AS target): a NULL does not become a type that is not Nullable.

    A time without a zone in the target keeps its own.
    """
    if target.root == value.type.root == "TIMESTAMP_LTZ" and not target.zone:
        target = with_zone(target, value.type.zone)
    found = cast(value, target, mode)
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


def _to_text(value: Expr, target: DataType, mode: Mode) -> str | None:
    root = value.type.root
    if value.type.root == "BOOLEAN" and value.type.precision:
        return f"CAST(CAST({value.sql} AS SMALLINT) AS STRING)"
    if root in FLOATS or root == "DECIMAL":
        return number_text(value)
    if root == "TIMESTAMP_LTZ":
        digits = "." + "S" * value.type.precision if value.type.precision else ""
        return f"date_format({local(value)}, 'yyyy-MM-dd HH:mm:ss{digits}')"
    if root == "FIXEDSTRING":
        return f"rtrim('\\0', {value.sql})"
    if value.type.children:
        return None if root == "STATE" else as_text(value)
    return f"CAST({value.sql} AS STRING)"


def _to_date(value: Expr, target: DataType, mode: Mode) -> str | None:
    value = as_number(value)
    root = value.type.root
    if root == "DATE32" or (root == "TIMESTAMP_LTZ" and value.type.precision):
        return checked(day(value), target)
    if root == "TIMESTAMP_LTZ" and target.root == "DATE" and not value.type.nullable:
        # West of Greenwich 1970 begins in 1969; a DateTime ends before a Date does.
        return f"greatest(DATE'1970-01-01', {day(value)})"
    if root in _DATES or root == "TIMESTAMP_LTZ":
        return within(day(value), target)
    if root in _TEXTS:
        return parsed(value.sql, _DATE, read_day(value.sql, target), target, mode)
    if root in INTEGERS:
        limited = number_within(value.sql, _MIN_DAYS, _MAX_SECONDS)
        seconds = f"CAST(timestamp_seconds({limited}) AS DATE)"
        days = f"date_from_unix_date(CAST({limited} AS INT))"
        found = f"CASE WHEN {value.sql} < {_DAYS_LIMIT} THEN {days} ELSE {seconds} END"
        return within(found, target)
    return None


def _to_datetime(value: Expr, target: DataType, mode: Mode) -> str | None:
    value = as_number(value)
    root, precision = value.type.root, target.precision or 0
    if root == "TIMESTAMP_LTZ":
        if (value.type.precision or 0) <= precision:
            return value.sql
        return checked(cut(value.sql, precision), target)
    if root in _DATES:
        return checked(instant(local(value), target.zone), target)
    if root in _TEXTS:
        return read_datetime(value.sql, target, mode)
    if root in INTEGERS:
        low, high = (0, _MAX_SECONDS) if not precision else (FIRST_SECOND, LAST_SECOND)
        return f"timestamp_seconds({number_within(value.sql, low, high)})"
    if root in FLOATS:
        micros = f"timestamp_micros({float_units(value, precision)} * {10 ** (6 - precision)})"
        return within(micros, target)
    if root == "DECIMAL" and precision:
        seconds = f"least({LAST_SECOND}, greatest({FIRST_SECOND}, {value.sql}))"
        micros = f"timestamp_micros(CAST({seconds} * 1000000 AS BIGINT))"
        return cut(f"if({value.sql} IS NULL, NULL, {micros})", precision)
    return None


def _to_enum(value: Expr, target: DataType, mode: Mode) -> str | None:
    value = as_number(value)
    if value.type.root in INTEGERS:
        names = quoted_map([(number, name) for name, number in target.labels])
        found = f"try_element_at({names}, CAST({value.sql} AS INT))"
        shown = f"CAST({value.sql} AS STRING)"
    elif value.type.root in _TEXTS or value.type.labels:
        if any(
            dict(target.labels).get(name, number) != number for name, number in value.type.labels
        ):
            return None  # An element would change its number.
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
        found = f"(lower({value.sql}) IN ({', '.join(map(literal, _TRUE))}))"
        read = parsed(value.sql, _BOOL, found, target, mode)
        # The word is a NULL in a text that may be one.
        return f"if(lower({value.sql}) = 'null', NULL, {read})" if value.type.nullable else read
    return None


def _from_text(pattern: str, found: str) -> Callable[[Expr, DataType, Mode], str | None]:
    def convert(value: Expr, target: DataType, mode: Mode) -> str | None:
        if value.type.root not in _TEXTS:
            return None
        return parsed(value.sql, pattern, found.format(value.sql), target, mode)

    return convert


def _to_fixed(value: Expr, target: DataType, mode: Mode) -> str | None:
    """Zeros fill what is too short; what is too long is an error."""
    if value.type.root not in _TEXTS:
        return None
    room = f"{target.precision} - octet_length({value.sql})"
    problem = literal(f"String too long for type {type_name(target)}.")
    filled = f"concat({value.sql}, repeat('\\0', {room}))"
    return f"if({room} < 0, raise_error({problem}), {filled})"


def _to_array(value: Expr, target: DataType, mode: Mode) -> str | None:
    if value.type.root != "ARRAY":
        return None
    element = value.type.children[0][1]
    inner = cast_explicit(Expr("x", element), target.children[0][1], mode)
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
    **dict.fromkeys(INTEGERS, to_integer),
    **dict.fromkeys(FLOATS, to_float),
    **dict.fromkeys(_DATES, _to_date),
    **dict.fromkeys(("ENUM8", "ENUM16"), _to_enum),
    "ARRAY": _to_array,
    "BOOLEAN": _to_bool,
    "DECIMAL": to_decimal,
    "FIXEDSTRING": _to_fixed,
    "IPV4": _from_text(_IPV4, "regexp_replace({0}, '(^|[.])0+(?=[0-9])', '$1')"),
    "MAP": _to_map,
    "ROW": _to_tuple,
    "TIMESTAMP_LTZ": _to_datetime,
    "UUID": _from_text(
        _UUID,
        f"lower(regexp_replace({{0}}, {_UUID_PARTS.replace('{', '{{').replace('}', '}}')}, "
        "'$1-$2-$3-$4-$5'))",
    ),
    "VARCHAR": _to_text,
}
