"""Random messages against Python's own library: ours reads what it writes, and the other way round.

One example is some hundred messages, for a Spark job costs more than reading them.
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import functions as F
from pyspark.sql import types as T

from tests.formats.protobuf_schemas import message_class, told

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
    from google.protobuf.message import Message
    from pyspark.sql import Column, DataFrame, SparkSession

pytestmark = pytest.mark.spark

_MESSAGES = ("two.Everything", "three.Everything")
_PER_EXAMPLE = 150
_examples = settings(
    max_examples=5,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    # A failure is shown as it is: making it smaller would take a Spark job for each attempt.
    phases=(Phase.generate,),
)
_FIELD = T.StructField
_KINDS: dict[str, tuple[T.DataType, st.SearchStrategy[Any]]] = {
    "INT32": (T.IntegerType(), st.integers(-(2**31), 2**31 - 1)),
    "INT64": (T.LongType(), st.integers(-(2**63), 2**63 - 1)),
    "UINT32": (T.IntegerType(), st.integers(0, 2**32 - 1)),
    "UINT64": (T.LongType(), st.integers(0, 2**64 - 1)),
    "FLOAT": (T.FloatType(), st.floats(width=32)),
    "DOUBLE": (T.DoubleType(), st.floats()),
    "BOOL": (T.BooleanType(), st.booleans()),
    "STRING": (T.StringType(), st.text(max_size=200)),
    "BYTES": (T.BinaryType(), st.binary(max_size=200)),
}
_SAME_AS = {
    **dict.fromkeys(("SINT32", "SFIXED32"), "INT32"),
    **dict.fromkeys(("SINT64", "SFIXED64"), "INT64"),
    "FIXED32": "UINT32",
    "FIXED64": "UINT64",
}


def _kind(field: FieldDescriptor) -> str:
    names = {getattr(field, name): name[5:] for name in dir(field) if name.startswith("TYPE_")}
    return _SAME_AS.get(names[field.type], names[field.type])


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _entry(field: FieldDescriptor) -> tuple[FieldDescriptor, FieldDescriptor]:
    names = field.message_type.fields_by_name
    return names["key"], names["value"]


# The columns of a message


def _columns(message: Descriptor) -> T.StructType:
    return T.StructType([_FIELD(field.name, _type(field)) for field in message.fields])


def _type(field: FieldDescriptor) -> T.DataType:
    if _is_map(field):
        return T.MapType(*map(_type, _entry(field)))
    if field.message_type is not None:
        single: T.DataType = _columns(field.message_type)
    else:
        single = T.StringType() if field.enum_type else _KINDS[_kind(field)][0]
    return T.ArrayType(single) if field.is_repeated else single


# Random messages


@st.composite
def _filled(draw: st.DrawFn, message: type[Message], most: int = 5) -> Message:
    """A message with some of its fields set, a few more than once."""
    made = message()
    for field in draw(st.lists(st.sampled_from(list(made.DESCRIPTOR.fields)), max_size=most)):
        for _ in range(draw(st.integers(0, 3)) if field.is_repeated else 1):
            _set(draw, made, field)
    return made


def _set(draw: st.DrawFn, made: Message, field: FieldDescriptor) -> None:
    if _is_map(field):
        key, value = _entry(field)
        place = getattr(made, field.name)
        name = draw(_scalars(key))
        if value.message_type is not None:
            place[name].MergeFrom(draw(_filled(type(place[name]), 2)))
        else:
            place[name] = draw(_scalars(value))
    elif field.message_type is not None:
        place = getattr(made, field.name)
        part = place.add() if field.is_repeated else place
        part.SetInParent()
        part.MergeFrom(draw(_filled(type(part), 2)))
    elif field.is_repeated:
        getattr(made, field.name).append(draw(_scalars(field)))
    else:
        setattr(made, field.name, draw(_scalars(field)))


def _scalars(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.enum_type:
        return st.sampled_from([value.number for value in field.enum_type.values])
    return _KINDS[_kind(field)][1]


# What a row must be


def _row(made: Message, *, proto3: bool) -> list[Any]:
    return [_value(made, field, proto3=proto3) for field in made.DESCRIPTOR.fields]


def _value(made: Message, field: FieldDescriptor, *, proto3: bool) -> Any:
    value = getattr(made, field.name)
    if _is_map(field):
        key, item = _entry(field)
        pairs = [(_single(key, k, proto3), _single(item, value[k], proto3)) for k in value]
        return sorted(pairs, key=repr) or None
    if field.is_repeated:
        return [_single(field, item, proto3) for item in value] or None
    filled = proto3 and field.message_type is None
    if not filled and field.has_presence and not made.HasField(field.name):
        return None
    return _single(field, value, proto3)


def _single(field: FieldDescriptor, value: Any, proto3: bool) -> Any:
    if field.message_type is not None:
        return _row(value, proto3=proto3)
    if field.enum_type:
        return _label(field.enum_type, value)
    if _kind(field) in ("UINT32", "UINT64"):
        size = 2 ** (32 if _kind(field) == "UINT32" else 64)
        return value - size if value >= size // 2 else value
    if _kind(field) == "STRING" and isinstance(value, bytes):
        return value.decode(errors="replace")
    return _comparable(value)


def _label(enum: EnumDescriptor, number: int) -> str:
    return next((v.name for v in enum.values if v.number == number), "UNRECOGNIZED")


def _comparable(value: Any) -> Any:
    """Rows as lists, maps as sorted pairs, floats by their bits."""
    if isinstance(value, T.Row | list):
        return [_comparable(item) for item in value]
    if isinstance(value, dict):
        pairs = [(_comparable(key), _comparable(item)) for key, item in value.items()]
        return sorted(pairs, key=repr)
    if isinstance(value, float):
        return "NaN" if value != value else struct.pack(">d", value)
    return bytes(value) if isinstance(value, bytearray) else value


# Ours


def _frame(spark: SparkSession, messages: list[bytes]) -> DataFrame:
    rows = list(enumerate(messages))
    return spark.createDataFrame(rows, "id INT, value BINARY").coalesce(1)


def _options(name: str, **options: str) -> Column:
    columns = _columns(message_class(name).DESCRIPTOR)
    return F.lit(json.dumps(told(name, columns, options)))


def _decoded(name: str, **options: str) -> Column:
    schema = F.lit(_columns(message_class(name).DESCRIPTOR).json())
    value = F.col("value")
    return F.call_function("penstock_protobuf_decode", value, schema, _options(name, **options))


@pytest.mark.parametrize("name", _MESSAGES)
def test_ours_reads_what_the_library_writes(spark: SparkSession, name: str) -> None:
    @_examples
    @given(st.lists(_filled(message_class(name)), min_size=_PER_EXAMPLE, max_size=_PER_EXAMPLE))
    def check(messages: list[Message]) -> None:
        frame = _frame(spark, [message.SerializeToString() for message in messages])
        rows = frame.select(_decoded(name)[0]).collect()
        for message, row in zip(messages, rows, strict=True):
            assert _comparable(row[0]) == _row(message, proto3=name.startswith("three"))

    check()


@pytest.mark.parametrize("name", _MESSAGES)
def test_the_library_reads_what_ours_writes(spark: SparkSession, name: str) -> None:
    @_examples
    @given(st.lists(_filled(message_class(name)), min_size=_PER_EXAMPLE, max_size=_PER_EXAMPLE))
    def check(messages: list[Message]) -> None:
        for message in messages:
            _without_presence(message)
        frame = _frame(spark, [message.SerializeToString() for message in messages])
        again = F.call_function("penstock_protobuf_encode", _decoded(name)[0], _options(name))
        for message, row in zip(messages, frame.select(again).collect(), strict=True):
            read = message_class(name).FromString(bytes(row[0]))
            for part in (read, message):
                _without_presence(part)
            assert _bytes(read) == _bytes(message)

    check()


def _without_presence(message: Message) -> None:
    """Proto3 reads what is not there as zero: whether it was there is lost, as in Flink."""
    if "three" not in message.DESCRIPTOR.full_name:
        return
    for field, value in message.ListFields():
        if _is_map(field):
            parts = [value[key] for key in value if _entry(field)[1].message_type]
        elif field.message_type is not None:
            parts = list(value) if field.is_repeated else [value]
        else:
            parts = []
        for part in parts:
            _without_presence(part)
    for field in message.DESCRIPTOR.fields:
        if field.containing_oneof is not None:
            message.ClearField(field.name)


def _bytes(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


@st.composite
def _damaged(draw: st.DrawFn, message: type[Message]) -> bytes:
    """A message some of whose bytes are others, or are not there."""
    content = bytearray(draw(_filled(message)).SerializeToString())
    for _ in range(draw(st.integers(0, 3)) if content else 0):
        content[draw(st.integers(0, len(content) - 1))] = draw(st.integers(0, 255))
    return bytes(content[: draw(st.integers(0, len(content)))])


@pytest.mark.parametrize("name", _MESSAGES)
def test_ours_refuses_what_the_library_refuses(spark: SparkSession, name: str) -> None:
    @_examples
    @given(st.lists(_damaged(message_class(name)), min_size=_PER_EXAMPLE, max_size=_PER_EXAMPLE))
    def check(messages: list[bytes]) -> None:
        rows = _decoded(name, **{"ignore-parse-errors": "true"})
        found = _frame(spark, messages).select(rows).collect()
        for content, row in zip(messages, found, strict=True):
            try:
                expected = _judged(name, _read(name, content))
            except UnicodeDecodeError:
                continue  # the library cannot show keys of maps that are no UTF-8
            assert _judged(name, row[0] and _comparable(row[0][0])) == expected, content.hex()

    check()


def _judged(name: str, row: list[Any] | None) -> list[Any] | None:
    """Without maps.

    An unknown field in an entry makes this library leave it out; Google's Java classes do not.
    """
    fields = message_class(name).DESCRIPTOR.fields
    return row and [v for v, field in zip(row, fields, strict=True) if not _is_map(field)]


def _read(name: str, content: bytes) -> list[Any] | None:
    try:
        made = message_class(name).FromString(content)
    except DecodeError:
        return None
    return _row(made, proto3=name.startswith("three"))
