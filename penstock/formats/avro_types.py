"""The type that Flink reads an Avro schema as."""

from __future__ import annotations

import json
from typing import Any

from penstock.model.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    INT,
    MAX_LENGTH,
    NULL,
    STRING,
    DataType,
    Fields,
)

_PLAIN = {
    "null": NULL,
    "boolean": BOOLEAN,
    "int": INT,
    "long": BIGINT,
    "float": DataType("FLOAT"),
    "double": DOUBLE,
    "string": STRING,
    "bytes": BYTES,
    "enum": STRING,
}
_LOGICAL = {
    ("int", "date"): DATE,
    ("int", "time-millis"): DataType("TIME", 3),
    ("long", "time-micros"): DataType("TIME", 6),
    ("long", "timestamp-millis"): DataType("TIMESTAMP", 3),
    ("long", "timestamp-micros"): DataType("TIMESTAMP", 6),
    ("long", "local-timestamp-millis"): DataType("TIMESTAMP", 3),
    ("long", "local-timestamp-micros"): DataType("TIMESTAMP", 6),
}


def says_the_same(schema: str, fields: Fields, *, nullable: bool = False) -> bool:
    """Whether a schema's type is a row of these fields, in names, types and what may be NULL.

    With `nullable` there need not be a record at all, and the schema must say so.
    """
    try:
        found = _type(json.loads(schema), {})
    except (ValueError, KeyError, TypeError, AttributeError):
        return False
    if nullable and not found.nullable:
        return False
    return found.root == "ROW" and _plain(found.children) == _plain(fields)


def _plain(fields: Fields) -> tuple[object, ...]:
    """Fields to compare: children of other types than rows have no names of their own."""
    return tuple((name, _comparable(type_)) for name, type_ in fields)


def _comparable(type_: DataType) -> object:
    children = _plain(type_.children)
    if type_.root != "ROW":
        children = tuple(_comparable(child) for _, child in type_.children)
    return type_.root, type_.precision, type_.scale, type_.nullable, children


def _type(schema: Any, named: dict[str, DataType]) -> DataType:
    """The type of a parsed schema, NOT NULL unless it is a union with null."""
    if isinstance(schema, list):
        branches = [branch for branch in schema if branch != "null"]
        if len(branches) != 1:
            raise ValueError("a union of more than one type")
        return _type(branches[0], named).as_nullable(len(branches) < len(schema))
    if isinstance(schema, str):
        found = _PLAIN.get(schema) or named[schema]
        return found.as_nullable(False)
    found = _of_object(schema, named).as_nullable(False)
    if "name" in schema:
        space = schema.get("namespace")
        named[f"{space}.{schema['name']}" if space else schema["name"]] = found
        named[schema["name"]] = found
    return found


def _of_object(schema: dict[str, Any], named: dict[str, DataType]) -> DataType:
    kind = schema["type"]
    logical = schema.get("logicalType", "")
    if kind == "record":
        fields = tuple((field["name"], _type(field["type"], named)) for field in schema["fields"])
        return DataType("ROW", children=fields)
    if kind == "array":
        return DataType("ARRAY", children=(("", _type(schema["items"], named)),))
    if kind == "map":
        key, value = STRING.as_nullable(False), _type(schema["values"], named)
        return DataType("MAP", children=(("", key), ("", value)))
    if kind in ("bytes", "fixed") and logical == "decimal":
        return DataType("DECIMAL", schema["precision"], schema.get("scale", 0))
    if kind == "fixed":
        return DataType("VARBINARY", schema.get("size", MAX_LENGTH))
    return _LOGICAL.get((kind, logical)) or _type(kind, named)
