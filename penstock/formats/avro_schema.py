"""The Avro schema of a table's columns, as Flink derives it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.errors import SqlError

if TYPE_CHECKING:
    from penstock.model.types import DataType, Fields

_RECORD = "org.apache.flink.avro.generated.record"
_PLAIN = {
    "BOOLEAN": "boolean",
    "TINYINT": "int",
    "SMALLINT": "int",
    "INT": "int",
    "BIGINT": "long",
    "FLOAT": "float",
    "DOUBLE": "double",
    "CHAR": "string",
    "VARCHAR": "string",
    "BINARY": "bytes",
    "VARBINARY": "bytes",
}
_MILLIS, _MICROS = 3, 6


def avro_schema(fields: Fields, *, legacy: bool = True, name: str = _RECORD) -> dict[str, Any]:
    """A record with a field for each column; `legacy` is Flink's older mapping of timestamps."""
    return {
        "type": "record",
        "name": name.rpartition(".")[2],
        **({"namespace": name.rpartition(".")[0]} if "." in name else {}),
        "fields": [
            _field(column, type_, f"{name}_{column}", legacy=legacy) for column, type_ in fields
        ],
    }


def nullable_record(fields: Fields) -> list[Any]:
    """The same for a record that need not be there."""
    return ["null", avro_schema(fields)]


def problem_with(type_: DataType, *, legacy: bool = True) -> str:
    """Why Flink derives no schema for a type, in its words; empty if it does."""
    if type_.root in ("MAP", "MULTISET") and not type_.children[0][1].is_text:
        key = type_.children[0][1].as_nullable()
        return f"Avro format doesn't support non-string as key type of map. The key type is: {key}"
    for _, child in type_.children:
        if problem := problem_with(child, legacy=legacy):
            return problem
    precision = type_.precision or 0
    if type_.root == "TIME":
        return _too_precise("TIME", precision, _MILLIS)
    if type_.root == "TIMESTAMP":
        if legacy:
            return _too_precise("TIMESTAMP", precision, _MILLIS)
        return _too_precise("LOCAL TIMESTAMP", precision, _MICROS)
    if type_.root == "TIMESTAMP_LTZ" and not legacy:
        return _too_precise("TIMESTAMP", precision, _MICROS)
    known = (*_PLAIN, "DATE", "DECIMAL", "ROW", "ARRAY", "MAP", "MULTISET")
    return "" if type_.root in known else f"Unsupported to derive Schema for type: {type_}"


def check_names(fields: Fields) -> None:
    """Refuse columns whose names Avro does not take."""
    for column, type_ in fields:
        if problem := _problem_with_name(column) or _problem_within(type_):
            raise SqlError("UNSUPPORTED_TYPE", column=column, type=type_, instead=problem)


def _problem_within(type_: DataType) -> str:
    names = [name for name, _ in type_.children] if type_.root == "ROW" else []
    problems = [
        *(_problem_with_name(name) for name in names),
        *(_problem_within(child) for _, child in type_.children),
    ]
    return next(filter(None, problems), "")


def _problem_with_name(name: str) -> str:
    if not (name[:1].isalpha() or name[:1] == "_"):
        return f"Illegal initial character: {name}"
    if not all(letter.isalnum() or letter == "_" for letter in name):
        return f"Illegal character in: {name}"
    return ""


def _too_precise(words: str, precision: int, most: int) -> str:
    if precision <= most:
        return ""
    return (
        f"Avro does not support {words} type with precision: {precision}, "
        f"it only supports precision less than {most}."
    )


def _field(column: str, type_: DataType, name: str, *, legacy: bool) -> dict[str, Any]:
    default = {"default": None} if type_.nullable else {}
    return {"name": column, "type": _schema(type_, name, legacy=legacy), **default}


def _schema(type_: DataType, name: str, *, legacy: bool) -> Any:
    schema = _present(type_, name, legacy=legacy)
    return ["null", schema] if type_.nullable else schema


def _present(type_: DataType, name: str, *, legacy: bool) -> Any:
    if type_.root in _PLAIN:
        return _PLAIN[type_.root]
    if type_.root == "ROW":
        return avro_schema(type_.children, legacy=legacy, name=name)
    if type_.root == "ARRAY":
        return {"type": "array", "items": _schema(type_.children[0][1], name, legacy=legacy)}
    if type_.root in ("MAP", "MULTISET"):
        # The number of an element of a MULTISET is nullable in Flink's schema.
        value = type_.entry[1].as_nullable() if type_.root == "MULTISET" else type_.entry[1]
        return {"type": "map", "values": _schema(value, name, legacy=legacy)}
    if type_.root == "DECIMAL":
        size = {"precision": type_.precision, "scale": type_.scale}
        return {"type": "bytes", "logicalType": "decimal", **size}
    return _time(type_, legacy=legacy)


def _time(type_: DataType, *, legacy: bool) -> dict[str, str]:
    if type_.root == "DATE":
        return {"type": "int", "logicalType": "date"}
    if type_.root == "TIME":
        return {"type": "int", "logicalType": "time-millis"}
    unit = "millis" if (type_.precision or 0) <= _MILLIS else "micros"
    is_local = type_.root == "TIMESTAMP" and not legacy
    return {"type": "long", "logicalType": f"{'local-' if is_local else ''}timestamp-{unit}"}
