"""A message type and ClickHouse's columns in, what Java must know of the fields out.

Names match in any letter case, `.` as `_`: the column `a.b` is the field `a_b`, or the field `b` of
the message `a`.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import SqlError
from penstock.formats.protobuf_fields import base, fallback, is_map, labels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.descriptor import Descriptor, FieldDescriptor

    from penstock.formats.protobuf_fields import Spec
    from penstock.model.types import DataType, Fields

_TEXT = ("STRING", "BYTES")
_REAL = ("FLOAT", "DOUBLE")
_NUMBERS = ("TINYINT", "SMALLINT", "INT", "BIGINT", "UINT8", "UINT16", "UINT32", "UINT64")
# Types of columns → kinds of fields that they do not go with; texts go with all.
_REFUSED = {
    "FLOAT": ("ENUM",),
    "DOUBLE": ("ENUM",),
    "DECIMAL": ("ENUM",),
    "ENUM8": (*_REAL, "BOOL"),
    "ENUM16": (*_REAL, "BOOL"),
    "DATE": (*_REAL, "BOOL", "ENUM"),
    "DATE32": (*_REAL, "BOOL", "ENUM"),
    "TIMESTAMP_LTZ": ("BOOL", "ENUM"),
    "IPV4": (*_REAL, "BOOL", "ENUM"),
}
_PLAIN = (*_NUMBERS, *_REFUSED, "BOOLEAN", "VARCHAR", "FIXEDSTRING", "UUID", "IPV6")
_TEXT_ONLY = ("UUID", "IPV6")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A column, its place in the table, and what is left of its name inside of a message."""

    place: int
    name: str
    type: DataType


def describe(message: Descriptor, fields: Fields) -> tuple[Spec, list[object]]:
    """The fields that are columns; for each its column's place, or those of the fields in it."""
    wanted = [_Wanted(place, name, type_) for place, (name, type_) in enumerate(fields)]
    spec, places = _message(message, wanted)
    if not places:
        known = ", ".join(field.name for field in message.fields)
        raise SqlError(
            "PROTOBUF_MISMATCH",
            problem="Not found matches between the names of the columns "
            f"({', '.join(name for name, _ in fields)}) and the fields ({known}) of the message "
            f"'{message.full_name}' in the protobuf schema.",
            instead="Name the columns as the fields.",
        )
    return spec, places


def missing_field(message: Descriptor, fields: Fields) -> str:
    """The full name of a field that is required and no column, empty if there is none."""
    named = {_plain(name) for name, _ in fields}
    required = (f for f in message.fields if f.is_required and _plain(f.name) not in named)
    return next((field.full_name for field in required), "")


def _plain(name: str) -> str:
    return name.lower().replace(".", "_")


def _message(message: Descriptor, wanted: Iterable[_Wanted]) -> tuple[Spec, list[object]]:
    found: dict[int, tuple[FieldDescriptor, list[_Wanted]]] = {}
    whole: dict[int, _Wanted] = {}
    for column in wanted:
        field, rest = _find(message, column.name)
        if field is None:
            continue
        found.setdefault(field.number, (field, []))[1].append(
            _Wanted(column.place, rest, column.type)
        )
        if not rest:
            whole[field.number] = column
    specs: list[Spec] = []
    places: list[object] = []
    for number, (field, columns) in found.items():
        if number in whole:
            if len(columns) > 1:
                raise _several(field)
            specs.append(_field(field, whole[number].type))
            places.append(whole[number].place)
        else:
            spec, inner = _within(field, columns)
            specs.append(spec)
            places.append(inner)
    return {"fields": specs}, places


def _find(message: Descriptor, name: str) -> tuple[FieldDescriptor | None, str]:
    """The field of a column, and what is left of its name for one inside of that field."""
    plain = _plain(name)
    for field in message.fields:
        if _plain(field.name) == plain:
            return field, ""
    for field in message.fields:
        inner = field.message_type
        rest = name[len(field.name) + 1 :]
        if inner is not None and not is_map(field) and plain.startswith(f"{_plain(field.name)}_"):
            found, _ = _find(inner, rest)
            if found is not None:
                return field, rest
    return None, ""


def _within(field: FieldDescriptor, columns: list[_Wanted]) -> tuple[Spec, list[object]]:
    """A message whose fields are columns; if it is repeated, they are arrays."""
    inner = columns
    if field.is_repeated:
        for column in columns:
            _expect(field, column.type, "ARRAY", "Array")
        inner = [_Wanted(c.place, c.name, c.type.children[0][1]) for c in columns]
    spec, places = _message(field.message_type, inner)
    return {**_inner(field, spec), "repeated": field.is_repeated, "fallback": ""}, places


def _inner(field: FieldDescriptor, spec: Spec) -> Spec:
    """A message in which nothing is set is not written, but where it must be there."""
    return {**_base(field), "message": spec, "presence": field.is_required}


def _base(field: FieldDescriptor) -> Spec:
    """As ClickHouse: any bytes are a text, nothing must be there, a `oneof` may have several."""
    spec = {**base(field), "required": False}
    spec.pop("oneof", None)
    return {**spec, "kind": "BYTES"} if spec["kind"] == "STRING" else spec


def _field(field: FieldDescriptor, type_: DataType) -> Spec:
    if is_map(field):
        _expect(field, type_, "MAP", "Map")
        parts = [
            {**_value(part, part_type), **_fallback(part)}
            for part, part_type in zip(
                (field.message_type.fields_by_name[name] for name in ("key", "value")),
                type_.entry,
                strict=True,
            )
        ]
        return {**_base(field), "kind": "MAP", "message": {"fields": parts}, "fallback": ""}
    if field.is_repeated:
        _expect(field, type_, "ARRAY", "Array")
        element = type_.children[0][1]
        return {**_value(field, element), "repeated": True, "fallback": ""}
    spec = _value(field, type_)
    return spec if type_.nullable else {**spec, **_fallback(field)}


def _value(field: FieldDescriptor, type_: DataType) -> Spec:
    if field.message_type is not None:
        _expect(field, type_, "ROW", "Tuple")
        return _inner(field, _tuple(field, type_))
    spec = _base(field)
    kind = spec["kind"]
    fits = type_.root in _PLAIN and kind not in _REFUSED.get(type_.root, ())
    if not fits or (type_.root in _TEXT_ONLY and kind not in _TEXT):
        raise _mismatch(field, type_, "Give the column another type.")
    if kind != "ENUM":
        return spec
    # A number that is none of the enumeration's is an error, and not nothing.
    return {**spec, "labels": {**labels(field.enum_type), "open": True}}


def _tuple(field: FieldDescriptor, type_: DataType) -> Spec:
    """The fields of a message in the order of a Tuple's."""
    message = field.message_type
    known = {_plain(inner.name): inner for inner in message.fields}
    lacking = [name for name, _ in type_.children if _plain(name) not in known]
    if lacking:
        raise _mismatch(field, type_, f"The message has no field '{lacking[0]}'.")
    return {"fields": [_field(known[_plain(name)], child) for name, child in type_.children]}


def _fallback(field: FieldDescriptor) -> Spec:
    """What is read where a message has nothing; an empty text is the default of the column."""
    if field.message_type is not None:
        return {"fallback": ""}
    value = field.default_value
    if isinstance(value, str):
        encoded = base64.b64encode(value.encode()).decode()
        return {"fallback": encoded} if field.has_default_value else {}
    return {"fallback": fallback(field)}


def _expect(field: FieldDescriptor, type_: DataType, root: str, name: str) -> None:
    if type_.root != root:
        raise _mismatch(field, type_, f"Declare the column as {name}(…).")


def _mismatch(field: FieldDescriptor, type_: DataType, instead: str) -> SqlError:
    return SqlError(
        "PROTOBUF_MISMATCH",
        problem=f"The column of type {type_} cannot be serialized to the field "
        f"'{field.full_name}' due to their types are not compatible.",
        instead=instead,
    )


def _several(field: FieldDescriptor) -> SqlError:
    return SqlError(
        "PROTOBUF_MISMATCH",
        problem=f"Multiple columns cannot be serialized to a single protobuf field "
        f"'{field.full_name}'.",
        instead="Leave one of them out.",
    )
