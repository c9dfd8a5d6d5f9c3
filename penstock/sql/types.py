"""A type as the parser read it → `DataType`, within Flink's limits and Spark's microseconds."""

from __future__ import annotations

from sqlglot import exp

from penstock.errors import SqlError
from penstock.model.types import INTERVAL_MILLIS, INTERVAL_MONTHS, MAX_LENGTH, DataType
from penstock.sql.spans import node_span

_DEFAULT_DECIMAL = (10, 0)
_MAX_DECIMAL = 38
_MAX_PRECISION = 9
# Spark keeps microseconds; a time with more digits would lose them without a word.
_SPARK_DIGITS = 6

_PLAIN = {
    exp.DType.BOOLEAN: "BOOLEAN",
    exp.DType.TINYINT: "TINYINT",
    exp.DType.SMALLINT: "SMALLINT",
    exp.DType.INT: "INT",
    exp.DType.BIGINT: "BIGINT",
    exp.DType.FLOAT: "FLOAT",
    exp.DType.DOUBLE: "DOUBLE",
    exp.DType.DATE: "DATE",
}
# These have their length in their name.
_UNSIZED = {exp.DType.TEXT: "VARCHAR", exp.DType.BLOB: "VARBINARY"}
# root, default length
_SIZED = {
    exp.DType.CHAR: ("CHAR", 1),
    exp.DType.VARCHAR: ("VARCHAR", MAX_LENGTH),
    exp.DType.BINARY: ("BINARY", 1),
    exp.DType.VARBINARY: ("VARBINARY", MAX_LENGTH),
}
# root, default precision
_TIMES = {
    exp.DType.TIME: ("TIME", 0),
    exp.DType.TIMESTAMP: ("TIMESTAMP", 6),
    exp.DType.TIMESTAMPNTZ: ("TIMESTAMP", 6),
    exp.DType.TIMESTAMPLTZ: ("TIMESTAMP_LTZ", 6),
}
# unit of an interval → its place among the units
_MONTH_UNITS = ("YEAR", "MONTH")
_DAY_UNITS = ("DAY", "HOUR", "MINUTE", "SECOND")
_ADVICE = {
    exp.DType.DATETIME: "Use TIMESTAMP(3).",
    exp.DType.JSON: "Use STRING, which takes any JSON, or describe it as ROW<…>.",
    exp.DType.NULL: "It is the type of a bare NULL; a column needs a type with values.",
    exp.DType.TIMESTAMPTZ: "Use TIMESTAMP_LTZ, an instant, or TIMESTAMP, a local date and time.",
    exp.DType.UUID: "Use STRING.",
    exp.DType.VARIANT: "Use STRING for JSON text, or describe it as ROW<…>.",
    "BITMAP": "Collect the numbers themselves: COUNT(DISTINCT …), or an ARRAY<INT>.",
    "DESCRIPTOR": "It is for arguments of table functions only.",
    "RAW": "It is of Java classes, which are not known here; use BYTES.",
    "STRUCTURED": "It is of Java classes, which are not known here; use ROW<…>.",
}


def data_type(node: exp.DataType, column: str) -> DataType:
    """The logical type, or an error that names the column."""
    found = _type(node, column)
    return found.as_nullable(node.args.get("nullable") is not False)


def _type(node: exp.DataType, column: str) -> DataType:
    kind = node.this
    if isinstance(kind, exp.Interval):
        return _interval(node, kind, column)
    if node.args.get("kind") == "MULTISET" or kind in (exp.DType.ARRAY, exp.DType.MAP):
        return _collection(node, column)
    if kind == exp.DType.STRUCT and node.expressions:
        return _row(node, column)
    sizes = _sizes(node, column)
    if kind in _PLAIN or kind in _UNSIZED:
        if sizes:
            raise _unsupported(node, column, "This type has no length or precision.")
        return DataType(_PLAIN[kind]) if kind in _PLAIN else DataType(_UNSIZED[kind], MAX_LENGTH)
    if kind in _SIZED and len(sizes) < 2:
        return _sized(node, column, *_SIZED[kind], sizes)
    if kind in _TIMES and len(sizes) < 2:
        return _time(node, column, *_TIMES[kind], sizes)
    if kind == exp.DType.DECIMAL and len(sizes) < 3:
        return _decimal(node, column, sizes)
    raise _unsupported(node, column, _ADVICE.get(node.args.get("kind") or kind, ""))


def _sized(
    node: exp.DataType, column: str, root: str, default: int, sizes: tuple[int, ...]
) -> DataType:
    length = sizes[0] if sizes else default
    if not 1 <= length <= MAX_LENGTH:
        raise _unsupported(node, column, f"{root}(n) needs 1 <= n <= {MAX_LENGTH}.")
    return DataType(root, length)


def _time(
    node: exp.DataType, column: str, root: str, default: int, sizes: tuple[int, ...]
) -> DataType:
    precision = sizes[0] if sizes else default
    if precision > _MAX_PRECISION:
        raise _unsupported(node, column, f"{root}(p) needs 0 <= p <= {_MAX_PRECISION}.")
    if precision > _SPARK_DIGITS and root != "TIME":
        instead = f"Spark keeps microseconds: use {root}({_SPARK_DIGITS})."
        raise _unsupported(node, column, instead)
    return DataType(root, precision)


def _decimal(node: exp.DataType, column: str, sizes: tuple[int, ...]) -> DataType:
    precision, scale, *_ = (*sizes, *_DEFAULT_DECIMAL[len(sizes) :])
    if not 1 <= precision <= _MAX_DECIMAL or scale > precision:
        raise _unsupported(node, column, "DECIMAL(p, s) needs 1 <= p <= 38 and s <= p.")
    return DataType("DECIMAL", precision, scale)


def _interval(node: exp.DataType, interval: exp.Interval, column: str) -> DataType:
    unit = interval.args["unit"]
    ends = (unit.this, unit.expression) if isinstance(unit, exp.IntervalSpan) else (unit, unit)
    first, last = (end.name.upper() for end in ends)
    for type_, units in ((INTERVAL_MONTHS, _MONTH_UNITS), (INTERVAL_MILLIS, _DAY_UNITS)):
        if first in units and last in units and units.index(first) <= units.index(last):
            return type_
    raise _unsupported(node, column, "Write INTERVAL YEAR TO MONTH or INTERVAL DAY TO SECOND.")


def _row(node: exp.DataType, column: str) -> DataType:
    fields = tuple(
        (field.name, data_type(field.args["kind"], f"{column}.{field.name}"))
        for field in node.expressions
        if isinstance(field, exp.ColumnDef)
    )
    if len(fields) != len(node.expressions):
        raise _unsupported(node, column, "Name each field: ROW<name STRING, …>.")
    if len({name for name, _ in fields}) < len(fields):
        raise _unsupported(node, column, "A name stands twice in it.")
    return DataType("ROW", children=fields)


def _collection(node: exp.DataType, column: str) -> DataType:
    root = node.args.get("kind") or node.this.name
    names = ("key", "value") if root == "MAP" else ("element",)
    if len(node.expressions) != len(names):
        raise _unsupported(node, column, "Write ARRAY<type> or MAP<type, type>.")
    types = (data_type(child, column) for child in node.expressions)
    return DataType(root, children=tuple(zip(names, types, strict=True)))


def _sizes(node: exp.DataType, column: str) -> tuple[int, ...]:
    sizes = [size for size in node.expressions if isinstance(size, exp.DataTypeParam)]
    if not all(size.name.isdigit() for size in sizes):
        raise _unsupported(node, column, "A length or precision is a whole number.")
    return tuple(int(size.name) for size in sizes)


def _unsupported(node: exp.Expr, column: str, instead: str) -> SqlError:
    return SqlError(
        "UNSUPPORTED_TYPE",
        span=node_span(node),
        column=column,
        type=node.sql(dialect="flink"),
        instead=instead,
    )
