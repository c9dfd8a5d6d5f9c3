"""ClickHouse's types: their names, their roots and the values of empty columns.

`TYPES` is the one table of the mapping. A column is not nullable unless it says Nullable;
LowCardinality is how ClickHouse stores a column, not what is in it: only its name stays.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from penstock.model.types import NULL, DataType, literal
from penstock.sql.clickhouse.quoting import identifier, quoted


@dataclass(frozen=True, slots=True)
class PlainType:
    """A type without parameters: ClickHouse's name, the root, the default value in Spark SQL."""

    name: str
    root: str
    default: str
    aliases: tuple[str, ...] = ()


_PLAIN = (
    PlainType("Bool", "BOOLEAN", "FALSE", ("BOOLEAN", "BOOL")),
    PlainType("Int8", "TINYINT", "0Y", ("TINYINT", "INT1", "BYTE", "TINYINT SIGNED")),
    PlainType("Int16", "SMALLINT", "0S", ("SMALLINT", "SMALLINT SIGNED")),
    PlainType("Int32", "INT", "0", ("INT", "INTEGER", "MEDIUMINT", "INT SIGNED")),
    PlainType("Int64", "BIGINT", "0L", ("BIGINT", "SIGNED", "BIGINT SIGNED")),
    PlainType("UInt8", "UINT8", "0S", ("TINYINT UNSIGNED",)),
    PlainType("UInt16", "UINT16", "0", ("SMALLINT UNSIGNED", "YEAR")),
    PlainType("UInt32", "UINT32", "0L", ("INT UNSIGNED", "INTEGER UNSIGNED")),
    PlainType("UInt64", "UINT64", "CAST(0 AS DECIMAL(20, 0))", ("UNSIGNED", "BIGINT UNSIGNED")),
    PlainType("Float32", "FLOAT", "0F", ("FLOAT", "REAL", "SINGLE")),
    PlainType("Float64", "DOUBLE", "0D", ("DOUBLE", "DOUBLE PRECISION")),
    PlainType(
        "String",
        "VARCHAR",
        "''",
        ("VARCHAR", "CHAR", "TEXT", "BLOB", "LONGTEXT", "MEDIUMTEXT", "TINYTEXT", "BYTEA"),
    ),
    PlainType("Date", "DATE", "DATE'1970-01-01'", ("DATE",)),
    PlainType("Date32", "DATE32", "DATE'1900-01-01'"),
    PlainType("UUID", "UUID", "'00000000-0000-0000-0000-000000000000'"),
    PlainType("IPv4", "IPV4", "'0.0.0.0'", ("INET4",)),
    PlainType("IPv6", "IPV6", "'::'", ("INET6",)),
)
TYPES = {plain.root: plain for plain in _PLAIN}
BY_NAME = {plain.name: plain for plain in _PLAIN}
BY_ALIAS = {alias: plain for plain in _PLAIN for alias in plain.aliases}


def type_name(type_: DataType) -> str:
    """ClickHouse's name, as `toTypeName` gives it."""
    inner = _bare_name(type_)
    shown = f"Nullable({inner})" if type_.nullable and type_.root != "NULL" else inner
    shown = f"LowCardinality({shown})" if type_.low_cardinality else shown
    return f"SimpleAggregateFunction({type_.merged}, {shown})" if type_.merged else shown


def default_sql(type_: DataType) -> str:
    """What a column holds that nothing filled: NULL only if it is Nullable."""
    if type_.nullable:
        return f"CAST(NULL AS {type_.spark_sql()})"
    if type_.root in TYPES:
        return TYPES[type_.root].default
    if type_.root == "STATE":
        return default_sql(type_.children[0][1])
    if type_.root == "TIMESTAMP_LTZ":
        return "timestamp_seconds(0)"
    if type_.root == "DECIMAL":
        return f"CAST(0 AS {type_.spark_sql()})"
    if type_.root == "FIXEDSTRING":
        return f"repeat('\\0', {type_.precision})"
    if type_.labels:
        return literal(type_.labels[0][0])
    if type_.root == "ROW":
        parts = (f"{literal(name)}, {default_sql(child)}" for name, child in type_.children)
        return f"named_struct({', '.join(parts)})"
    return f"CAST({type_.root.lower()}() AS {type_.spark_sql()})"


NOTHING = NULL.as_nullable(nullable=False)  # The elements of an array without any.


def array_of(element: DataType) -> DataType:
    """`Array(element)`."""
    return DataType("ARRAY", children=(("element", element),), nullable=False)


def _bare_name(type_: DataType) -> str:
    if type_.root == "BOOLEAN" and type_.precision:
        return "UInt8"  # What a comparison gives.
    if type_.root in TYPES:
        return TYPES[type_.root].name
    if type_.root == "DECIMAL":
        return f"Decimal({type_.precision}, {type_.scale})"
    if type_.root == "TIMESTAMP_LTZ":
        parts = [str(type_.precision)] if type_.precision else []
        parts += [f"'{type_.zone}'"] if type_.zone else []
        name = "DateTime64" if type_.precision else "DateTime"
        return f"{name}({', '.join(parts)})" if parts else name
    if type_.root == "STATE":
        (function, _), *arguments = type_.children
        return f"AggregateFunction({', '.join([function, *(type_name(t) for _, t in arguments)])})"
    if type_.root == "FIXEDSTRING":
        return f"FixedString({type_.precision})"
    if type_.labels:
        values = ", ".join(f"{quoted(name)} = {number}" for name, number in type_.labels)
        return f"{type_.root.capitalize()}({values})"
    if type_.root == "ROW":
        named = any(name != str(at) for at, (name, _) in enumerate(type_.children, 1))
        names = (f"{identifier(name)} " if named else "" for name, _ in type_.children)
        types = (type_name(child) for _, child in type_.children)
        fields = map("".join, zip(names, types, strict=True))
        return f"Tuple({', '.join(fields)})"
    if type_.root == "NULL":
        return "Nullable(Nothing)" if type_.nullable else "Nothing"
    return f"{type_.root.capitalize()}({', '.join(type_name(c) for _, c in type_.children)})"


def with_zone(type_: DataType, zone: str) -> DataType:
    """The same instant, shown in another zone."""
    return replace(type_, zone=zone)


def is_ordered(type_: DataType) -> bool:
    """Whether Spark orders its values as ClickHouse does."""
    return not type_.labels and type_.root not in ("UUID", "IPV4", "IPV6", "MAP", "ROW", "STATE")
