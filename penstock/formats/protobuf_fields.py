"""A message type and columns in, what Java must know of the fields out, or why they do not fit."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import SqlError

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

    from penstock.model.types import DataType, Fields

# Protobuf's number of a kind → its name, what Flink calls it, the types it fits
_TEXTS = ("VARCHAR", "CHAR")
_INT = ("INT", ("INT",))
_LONG = ("LONG", ("BIGINT",))
_KINDS = {
    1: ("DOUBLE", "DOUBLE", ("DOUBLE",)),
    2: ("FLOAT", "FLOAT", ("FLOAT",)),
    3: ("INT64", *_LONG),
    4: ("UINT64", *_LONG),
    5: ("INT32", *_INT),
    6: ("FIXED64", *_LONG),
    7: ("FIXED32", *_INT),
    8: ("BOOL", "BOOLEAN", ("BOOLEAN",)),
    9: ("STRING", "STRING", _TEXTS),
    10: ("GROUP", "MESSAGE", ("ROW",)),
    11: ("MESSAGE", "MESSAGE", ("ROW",)),
    12: ("BYTES", "BYTE_STRING", ("VARBINARY", "BINARY")),
    13: ("UINT32", *_INT),
    14: ("ENUM", "ENUM", (*_TEXTS, "TINYINT", "SMALLINT", "INT", "BIGINT")),
    15: ("SFIXED32", *_INT),
    16: ("SFIXED64", *_LONG),
    17: ("SINT32", *_INT),
    18: ("SINT64", *_LONG),
}
# of the feature `utf8_validation`
_VERIFY = 2
_SHOWN_AS = {"VARCHAR": "STRING", "VARBINARY": "BYTES"}
# Flink's names of types in its messages, where they are others
_FLINK_ROOTS = {
    "INT": "INTEGER",
    "TIME": "TIME_WITHOUT_TIME_ZONE",
    "TIMESTAMP": "TIMESTAMP_WITHOUT_TIME_ZONE",
    "TIMESTAMP_LTZ": "TIMESTAMP_WITH_LOCAL_TIME_ZONE",
}

Spec = dict[str, object]


@dataclass(frozen=True, slots=True)
class Description:
    """How the fields of one table are described.

    Where a message has no value: `scalars` are read as their default values, `all_kinds` says that
    arrays, maps and rows are too.
    """

    scalars: bool
    all_kinds: bool

    def message(self, message: Descriptor, fields: Fields) -> Spec:
        """The columns' fields, then those that matter without a column."""
        known = message.fields_by_name
        for name, _ in fields:
            if name not in known:
                raise SqlError(
                    "PROTOBUF_MISMATCH",
                    problem=f"Column {name} does not exist in definition of proto class.",
                    instead=f"The message `{message.full_name}` has: {', '.join(known) or 'none'}.",
                )
        specs = [self._field(known[name], type_) for name, type_ in fields]
        asked = {name for name, _ in fields}
        oneofs = {known[name].containing_oneof for name in asked} - {None}
        specs += [
            base(field)
            for field in message.fields
            if field.name not in asked and (field.is_required or field.containing_oneof in oneofs)
        ]
        return {"fields": specs}

    def _field(self, field: FieldDescriptor, type_: DataType) -> Spec:
        if is_map(field):
            return self._map(field, type_)
        if field.is_repeated:
            _expect(field, type_, "ARRAY")
            spec = self._value(field, type_.children[0][1])
            return {**spec, "repeated": True, **self._empty()}
        spec = self._value(field, type_)
        if field.message_type is not None:
            return {**spec, **self._empty()}
        filled = self.scalars or not field.has_presence
        return {**spec, "fallback": fallback(field)} if filled else spec

    def _map(self, field: FieldDescriptor, type_: DataType) -> Spec:
        _expect(field, type_, "MAP")
        parts = [
            {**self._value(part, part_type), "fallback": fallback(part)}
            for part, part_type in zip(
                (field.message_type.fields_by_name[name] for name in ("key", "value")),
                type_.entry,
                strict=True,
            )
        ]
        return {**base(field), "kind": "MAP", "message": {"fields": parts}, **self._empty()}

    def _value(self, field: FieldDescriptor, type_: DataType) -> Spec:
        kind, flink_kind, roots = _KINDS[field.type]
        if field.message_type is not None:
            _expect(field, type_, "ROW")
            return {**base(field), "message": self.message(field.message_type, type_.children)}
        if type_.root not in roots:
            root = _FLINK_ROOTS.get(type_.root, type_.root)
            raise SqlError(
                "PROTOBUF_MISMATCH",
                problem=f"Column {field.name}: Protobuf field type does not match column type, "
                f"{flink_kind}(protobuf) is not compatible with {root}",
                instead=f"Declare it as {_SHOWN_AS.get(roots[0], roots[0])}.",
            )
        named = {"labels": labels(field.enum_type)} if kind == "ENUM" else {}
        return {**base(field), **named}

    def _empty(self) -> Spec:
        return {"fallback": ""} if self.all_kinds else {}


def base(field: FieldDescriptor) -> Spec:
    """What a field is, whatever reads or writes it."""
    oneof = field.containing_oneof
    return {
        "name": field.name,
        "number": field.number,
        "kind": _KINDS[field.type][0],
        "packed": field.is_packed,
        "presence": field.has_presence,
        "required": field.is_required,
        "checked": field._GetFeatures().utf8_validation == _VERIFY,
        **({"oneof": oneof.index} if oneof is not None else {}),
    }


def is_map(field: FieldDescriptor) -> bool:
    """Whether it is written as `map<…>`."""
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def _expect(field: FieldDescriptor, type_: DataType, root: str) -> None:
    if type_.root != root:
        raise SqlError(
            "PROTOBUF_MISMATCH",
            problem=f"Column {field.name}: Unexpected LogicalType: {type_}. "
            f"It should be {root.title()}Type",
            instead=f"Declare it as {root}<…>.",
        )


def labels(enum: EnumDescriptor) -> Spec:
    """The names of an enumeration and their numbers."""
    names: dict[int, str] = {}
    for value in enum.values:
        names.setdefault(value.number, value.name)
    return {
        "open": not enum.is_closed,
        "first": enum.values[0].number,
        "numbers": {value.name: value.number for value in enum.values},
        "names": names,
    }


def fallback(field: FieldDescriptor) -> str:
    """The default value as text; Java knows the kind."""
    value = field.default_value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(value).replace("inf", "Infinity").replace("nan", "NaN")
    return "" if value is None else str(value)
