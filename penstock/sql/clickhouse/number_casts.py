"""Values as numbers: what CAST and the `to…` functions make of texts, times and other numbers.

`Mode` says what a text that cannot be read becomes. Whole numbers that are too large for an integer
type wrap around, as in ClickHouse; Decimals and Floats that are too large are an error.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from penstock.model.types import literal
from penstock.sql.clickhouse.numbers import FLOATS, INTEGERS, as_number, in_range
from penstock.sql.clickhouse.text import enum_number
from penstock.sql.clickhouse.times import unix_seconds
from penstock.sql.clickhouse.types import default_sql, type_name

if TYPE_CHECKING:
    from penstock.model.expression import Expr
    from penstock.model.types import DataType

# What a text must look like to be read as a number.
_SIGNED, _UNSIGNED = r"^[+-]?[0-9]{1,38}$", r"^[+]?[0-9]{1,38}$"
_FLOAT = r"^(?i)[+-]?([0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?|\.[0-9]+|inf|infinity|nan)$"
_DECIMAL = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?$"
_INT_BITS = 32
_TEXTS = ("VARCHAR", "FIXEDSTRING")
_DATES = ("DATE", "DATE32")
_EXPONENT_DIGITS = 19


class Mode(Enum):
    """What becomes of a text that cannot be read."""

    STRICT = "an error"
    NULL = "NULL"
    ZERO = "the default value of the type"


def parsed(text: str, pattern: str, value: str, target: DataType, mode: Mode) -> str:
    """The value of a text if the pattern fits it and a value comes out."""
    found = f"CASE WHEN {text} RLIKE {literal(pattern)} THEN {value} END"
    return unless_read(text, found, target, mode)


def unless_read(text: str, found: str, target: DataType, mode: Mode) -> str:
    """What was found in a text, or what it becomes where that is NULL."""
    if mode is Mode.NULL:
        return found
    if mode is Mode.ZERO:
        other = default_sql(target)
    else:
        problem = literal(f"Cannot parse as {type_name(target)}: ")
        other = f"raise_error(concat({problem}, {text}))"
    return f"if({text} IS NULL, NULL, coalesce({found}, {other}))"


def wrapped(sql: str, target: DataType) -> str:
    """An exact number cut to the bits of an integer type."""
    bits, signed = INTEGERS[target.root]
    exact = f"CAST({sql} AS DECIMAL(38, 0))"
    modulo = f"CAST({2**bits} AS DECIMAL(38, 0))"
    half = f"CAST({2 ** (bits - 1)} AS DECIMAL(38, 0))"
    cut = f"pmod({exact} + {half}, {modulo}) - {half}" if signed else f"pmod({exact}, {modulo})"
    return f"CAST({cut} AS {target.spark_sql()})"


def to_integer(value: Expr, target: DataType, mode: Mode) -> str | None:
    """A value as an integer."""
    value = as_number(value)
    root = value.type.root
    if root in INTEGERS:
        bits, signed = INTEGERS[root]
        to_bits, to_signed = INTEGERS[target.root]
        fits = (bits < to_bits and to_signed) or (bits <= to_bits and signed == to_signed)
        return f"CAST({value.sql} AS {target.spark_sql()})" if fits else wrapped(value.sql, target)
    if root in FLOATS:
        return _float_to_integer(value, target)
    if root == "DECIMAL":
        return in_range(f"({value.sql} - {value.sql} % 1)", target)
    if root in _TEXTS:
        return _text_to_integer(value, target, mode)
    if value.type.labels:
        return wrapped(enum_number(value), target)
    if root == "TIMESTAMP_LTZ" and value.type.precision:
        return in_range(unix_seconds(value), target)
    if root in _DATES or root == "TIMESTAMP_LTZ":
        return wrapped(unix_seconds(value), target)
    return None


def _float_to_integer(value: Expr, target: DataType) -> str:
    """What ClickHouse makes of a number beyond these depends on the processor; it is an error."""
    bits, signed = INTEGERS[target.root]
    limit = f"{2**63 if bits + (not signed) > 32 else 2**31}D"
    whole = f"if({value.sql} < 0, ceil({value.sql}), floor({value.sql}))"
    fits = f"{value.sql} >= -{limit} AND {value.sql} < {limit}"
    problem = literal(f"A Float is too large for {type_name(target)}.")
    return f"if({fits}, {wrapped(whole, target)}, {_failing(value.sql, problem)})"


def _failing(sql: str, problem: str) -> str:
    return f"if({sql} IS NULL, NULL, raise_error({problem}))"


def _text_to_integer(value: Expr, target: DataType, mode: Mode) -> str:
    """Too large a number wraps around, but OrNull and OrZero do not take it."""
    _, signed = INTEGERS[target.root]
    found = wrapped(value.sql, target)
    if mode is not Mode.STRICT:
        exact = f"CAST({value.sql} AS DECIMAL(38, 0))"
        found = f"CASE WHEN {exact} = CAST({found} AS DECIMAL(38, 0)) THEN {found} END"
    return parsed(value.sql, _SIGNED if signed else _UNSIGNED, found, target, mode)


def to_float(value: Expr, target: DataType, mode: Mode) -> str | None:
    """A value as Float32 or Float64."""
    value = as_number(value)
    name = target.spark_sql()
    if value.type.root in (*INTEGERS, *FLOATS, "DECIMAL"):
        return f"CAST({value.sql} AS {name})"
    if value.type.root in _TEXTS:
        return parsed(value.sql, _FLOAT, f"CAST({value.sql} AS {name})", target, mode)
    if value.type.root == "TIMESTAMP_LTZ":
        return f"CAST(unix_micros({value.sql}) / 1000000D AS {name})"
    return f"CAST({unix_seconds(value)} AS {name})" if value.type.root in _DATES else None


def float_units(value: Expr, digits: int) -> str:
    """A Float in units of so many digits, cut, as BIGINT; computed in its own width."""
    suffix = "F" if value.type.root == "FLOAT" else "D"
    shifted = f"({value.sql} * {10**digits}{suffix})"
    whole = f"if({shifted} < 0, ceil({shifted}), floor({shifted}))"
    problem = literal("A Float is infinite or too large.")
    return f"if(abs({shifted}) < 9e18D, {whole}, {_failing(value.sql, problem)})"


def to_decimal(value: Expr, target: DataType, mode: Mode) -> str | None:
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
        whole = f"CAST({float_units(value, scale)} AS DECIMAL(38, 0))"
        return f"CAST({whole} / CAST({10**scale} AS DECIMAL(38, 0)) AS {name})"
    if value.type.root in _TEXTS:
        pattern = literal(rf"(\.[0-9]{{{scale}}})[0-9]+$")
        cut = f"try_cast(regexp_replace({value.sql}, {pattern}, '$1') AS {name})"
        unit = f"CAST({10.0**-scale:.{scale}f} AS DECIMAL(38, {scale}))"
        raised = f"try_cast({value.sql} AS DECIMAL(38, {max(scale, _EXPONENT_DIGITS)}))"
        exact = f"try_cast({raised} - {raised} % {unit} AS {name})"
        found = f"if(lower({value.sql}) LIKE '%e%', {exact}, {cut})"
        return parsed(value.sql, _DECIMAL, found, target, mode)
    return None


def sum_within(sql: str, type_: DataType, after: str = "") -> str:
    """The sum of a column in its own type: integers wrap around, as in ClickHouse.

    `after` stands behind the call.
    """
    if type_.root not in INTEGERS:
        return f"CAST(sum({sql}){after} AS {type_.spark_sql()})"
    # Spark adds smaller ones as 64 bits.
    bits, _ = INTEGERS[type_.root]
    exact = f"CAST({sql} AS DECIMAL(20, 0))" if bits > _INT_BITS else sql
    return wrapped(f"sum({exact}){after}", type_)
