"""Messages with a schema's id before the record, made and read by fastavro."""

from __future__ import annotations

import io
import struct
from typing import Any

import fastavro

_HEADER = struct.Struct(">bI")


def written(schema: Any, schema_id: int, value: dict[str, Any]) -> bytes:
    """A zero, the id, the record."""
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), value)
    return _HEADER.pack(0, schema_id) + out.getvalue()


def schema_id(message: bytes) -> int:
    """The id in a message."""
    magic, number = _HEADER.unpack_from(message)
    assert magic == 0
    return int(number)


def read(schema: Any, message: bytes, reader: Any = None) -> Any:
    """The record of a message, for a reader's schema if there is one."""
    content = io.BytesIO(message[_HEADER.size :])
    wanted = reader and fastavro.parse_schema(reader)
    found = fastavro.schemaless_reader(content, fastavro.parse_schema(schema), wanted)
    assert not content.read(), "bytes behind the record"
    return found
