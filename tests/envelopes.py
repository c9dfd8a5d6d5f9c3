"""Lines of input files → Kafka records."""

from __future__ import annotations

import base64
import json

from penstock.kafka.record import Record


def record_of(line: object) -> Record:
    """A line as `penstock produce --envelope` takes it; a line without "value" is the value."""
    if not (isinstance(line, dict) and "value" in line):
        return Record(_bytes(line))
    headers = tuple((k, _bytes(v)) for k, v in (line.get("headers") or {}).items())
    return Record(
        _bytes(line["value"]),
        key=_bytes(line.get("key")),
        headers=headers,
        partition=line.get("partition"),
        timestamp=line.get("timestamp"),
    )


def _bytes(value: object) -> bytes | None:
    if value is None:
        return None
    if isinstance(value, dict) and value.keys() == {"$base64"}:
        return base64.b64decode(value["$base64"])
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return text.encode()
