"""ClickHouse's hash functions, bit by bit as its own; the Java module computes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType, literal
from penstock.sql.clickhouse.number_casts import wrapped
from penstock.sql.clickhouse.numbers import INTEGERS, UINT32, UINT64, as_number
from penstock.sql.clickhouse.text import enum_number
from penstock.sql.functions.clickhouse.base import Build, Table, one
from penstock.sql.functions.clickhouse.bits import bits_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_INT32 = DataType("INT", nullable=False)
_SHORT_DECIMAL, _LONG_DECIMAL = 9, 18
_LETTERS = {"FLOAT": "f", "DOUBLE": "g", "VARCHAR": "t", "FIXEDSTRING": "t", "UUID": "u"}
# name → bits of the hash
_OF_VALUES = {
    "cityHash64": 64,
    "sipHash64": 64,
    "xxHash64": 64,
    "xxHash32": 32,
    "murmurHash3_64": 64,
    "murmurHash3_32": 32,
    "murmurHash2_64": 64,
    "murmurHash2_32": 32,
    "halfMD5": 64,
}


def _told(value: Expr) -> tuple[str, str] | None:
    """The value as Java takes it, and the letter of its kind; None for other types."""
    value = as_number(value)
    type_, sql = value.type, value.sql
    if type_.root in INTEGERS:
        return bits_of(value), str(INTEGERS[type_.root][0] // 8)
    if type_.labels:
        return f"CAST({enum_number(value)} AS BIGINT)", "1" if type_.root == "ENUM8" else "2"
    if type_.root in ("DATE", "DATE32"):
        return f"CAST(unix_date({sql}) AS BIGINT)", "2" if type_.root == "DATE" else "4"
    if type_.root == "TIMESTAMP_LTZ":
        unit = 10 ** (6 - (type_.precision or 0))
        return f"(unix_micros({sql}) div {unit})", "q" if type_.precision else "4"
    if type_.root == "DECIMAL" and (type_.precision or 0) <= _LONG_DECIMAL:
        units = f"CAST({sql} * {10 ** (type_.scale or 0)} AS BIGINT)"
        return units, "d" if (type_.precision or 0) <= _SHORT_DECIMAL else "q"
    kind = _LETTERS.get(type_.root)
    return (sql, kind) if kind else None


def _unsigned(found: str, bits: int) -> Expr:
    return Expr(found, UINT32) if bits == 32 else Expr(wrapped(found, UINT64), UINT64)


def _hash(name: str, bits: int) -> Build:
    def build(arguments: Sequence[Expr]) -> Expr | None:
        told = [_told(argument) for argument in arguments]
        known = [one for one in told if one]
        if len(known) < len(told):
            return None
        kinds = literal("".join(kind for _, kind in known))
        row = f"struct({', '.join(sql for sql, _ in known)})"
        found = f"penstock_ch_hash({literal(name)}, {kinds}, {row})"
        return _unsigned(found, bits)

    return build


def _of_integer(bits: int) -> Build:
    def build(arguments: Sequence[Expr]) -> Expr:
        found = f"penstock_ch_int_hash_{bits}({bits_of(arguments[0])})"
        return _unsigned(found, bits)

    return build


HASHES: Table = {
    **{
        name: one(("scalar",), _hash(name, bits), f"UInt{bits}", variadic=True)
        for name, bits in _OF_VALUES.items()
    },
    "intHash32": one(("integer",), _of_integer(32), "UInt32"),
    "intHash64": one(("integer",), _of_integer(64), "UInt64"),
    # What Kafka's own partitioner takes, modulo the number of partitions.
    "kafkaMurmurHash": one(("string",), "penstock_ch_kafka_hash({0})", UINT32),
    "gccMurmurHash": one(
        ("string",), lambda a: _unsigned(f"penstock_ch_gcc_hash({a[0].sql})", 64), "UInt64"
    ),
    "javaHash": one(("string",), "penstock_ch_java_hash({0})", _INT32),
    "hiveHash": one(("string",), "(penstock_ch_java_hash({0}) & 2147483647)", _INT32),
}
