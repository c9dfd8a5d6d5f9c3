"""A type as the parser read it → `DataType`."""

from __future__ import annotations

from sqlglot import exp

from penstock.errors import SqlError
from penstock.model.types import MAX_LENGTH, DataType
from penstock.sql.spans import node_span

_DEFAULT_TIMESTAMP_PRECISION = 6
_DEFAULT_DECIMAL = (10, 0)
_MAX_DECIMAL = 38

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
# root, default length
_SIZED = {
    exp.DType.CHAR: ("CHAR", 1),
    exp.DType.VARCHAR: ("VARCHAR", MAX_LENGTH),
    exp.DType.TEXT: ("VARCHAR", MAX_LENGTH),
    exp.DType.BINARY: ("BINARY", 1),
    exp.DType.VARBINARY: ("VARBINARY", MAX_LENGTH),
    exp.DType.TIMESTAMP: ("TIMESTAMP", _DEFAULT_TIMESTAMP_PRECISION),
    exp.DType.TIMESTAMPNTZ: ("TIMESTAMP", _DEFAULT_TIMESTAMP_PRECISION),
    exp.DType.TIMESTAMPLTZ: ("TIMESTAMP_LTZ", _DEFAULT_TIMESTAMP_PRECISION),
}
_ADVICE = {
    exp.DType.TIME: "Declare it as STRING and convert it in the query.",
    exp.DType.TIMESTAMPTZ: "Use TIMESTAMP_LTZ, an instant, or TIMESTAMP, a local date and time.",
}


def data_type(node: exp.DataType, column: str) -> DataType:
    """The logical type, or an error that names the column."""
    nullable = node.args.get("nullable") is not False
    kind = node.this
    if kind in _PLAIN:
        return DataType(_PLAIN[kind], nullable=nullable)
    if kind in _SIZED:
        root, default = _SIZED[kind]
        sizes = _sizes(node, column)
        return DataType(root, sizes[0] if sizes else default, nullable=nullable)
    if kind == exp.DType.DECIMAL:
        sizes = _sizes(node, column)
        precision, scale, *_ = (*sizes, *_DEFAULT_DECIMAL[len(sizes) :])
        if not 1 <= precision <= _MAX_DECIMAL or scale > precision:
            raise _unsupported(node, column, "DECIMAL(p, s) needs 1 <= p <= 38 and s <= p.")
        return DataType("DECIMAL", precision, scale, nullable=nullable)
    if kind in (exp.DType.ARRAY, exp.DType.MAP, exp.DType.STRUCT) and node.expressions:
        return _nested(node, column, nullable=nullable)
    raise _unsupported(node, column, _ADVICE.get(kind, ""))


def _unsupported(node: exp.Expr, column: str, instead: str) -> SqlError:
    return SqlError(
        "UNSUPPORTED_TYPE",
        span=node_span(node),
        column=column,
        type=node.sql(dialect="flink"),
        instead=instead,
    )


def _sizes(node: exp.DataType, column: str) -> tuple[int, ...]:
    sizes = [size for size in node.expressions if isinstance(size, exp.DataTypeParam)]
    if not all(size.name.isdigit() for size in sizes):
        raise _unsupported(node, column, "A length or precision is a whole number.")
    return tuple(int(size.name) for size in sizes)


def _nested(node: exp.DataType, column: str, *, nullable: bool) -> DataType:
    if node.this == exp.DType.STRUCT:
        fields = tuple(
            (field.name, data_type(field.args["kind"], f"{column}.{field.name}"))
            for field in node.expressions
            if isinstance(field, exp.ColumnDef)
        )
        if len(fields) != len(node.expressions):
            raise _unsupported(node, column, "Name each field: ROW<name STRING, …>.")
        return DataType("ROW", children=fields, nullable=nullable)
    names = ("element",) if node.this == exp.DType.ARRAY else ("key", "value")
    if len(node.expressions) != len(names):
        raise _unsupported(node, column, "Write ARRAY<type> or MAP<type, type>.")
    types = (data_type(child, column) for child in node.expressions)
    root = "ARRAY" if node.this == exp.DType.ARRAY else "MAP"
    return DataType(root, children=tuple(zip(names, types, strict=True)), nullable=nullable)
