"""The schemas of `protobuf/`: what Java is told about columns, and Python's own classes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from google.protobuf.message_factory import GetMessageClass
from pyspark.sql import types as T

from penstock.formats.protobuf import Protobuf
from penstock.formats.protobuf_files import find_message
from penstock.model.types import MAX_LENGTH, DataType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.message import Message

_FOLDER = Path(__file__).parent / "protobuf"
_ROOTS = {
    T.BooleanType: "BOOLEAN",
    T.ByteType: "TINYINT",
    T.ShortType: "SMALLINT",
    T.IntegerType: "INT",
    T.LongType: "BIGINT",
    T.FloatType: "FLOAT",
    T.DoubleType: "DOUBLE",
}


def schema_of(message: str) -> Path:
    """The file of a message: `two.Everything` is in `two.proto`."""
    return _FOLDER / f"{message.partition('.')[0]}.proto"


def message_class(message: str) -> type[Message]:
    """Python's own class of a message."""
    return GetMessageClass(find_message(str(schema_of(message)), f"penstock.{message}"))


def told(message: str, columns: T.StructType, options: Mapping[str, Any]) -> Mapping[str, object]:
    """The options of a function that reads or writes these columns of a message."""
    given = {
        **options,
        "message-name": f"penstock.{message}",
        "descriptor-file": str(schema_of(message)),
    }
    return Protobuf(tuple(given.items())).told(_type(columns).children)


def _type(type_: T.DataType) -> DataType:
    if isinstance(type_, T.StructType):
        fields = tuple((field.name, _type(field.dataType)) for field in type_.fields)
        return DataType("ROW", children=fields)
    if isinstance(type_, T.ArrayType):
        return DataType("ARRAY", children=(("", _type(type_.elementType)),))
    if isinstance(type_, T.MapType):
        return DataType("MAP", children=(("", _type(type_.keyType)), ("", _type(type_.valueType))))
    if isinstance(type_, T.StringType):
        return DataType("VARCHAR", MAX_LENGTH)
    if isinstance(type_, T.BinaryType):
        return DataType("VARBINARY", MAX_LENGTH)
    return DataType(_ROOTS[type(type_)])
