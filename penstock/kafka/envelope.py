"""A message as a line of JSON: an object with key, value, headers, partition, timestamp, offset.

`write` shows text as a string and other bytes as {"$base64": "…"}; `read` takes these back, and
takes any other JSON as its own compact text. What `write` gives, `read` turns into the same bytes.
Called by `lines.py` and by `penstock consume`.
"""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, cast

from penstock.kafka.record import Headers, Record

if TYPE_CHECKING:
    from collections.abc import Iterator

_BASE64 = "$base64"

# `topic` and `offset` say where a message was read; where it goes is said elsewhere.
_MEMBERS = ("key", "value", "headers", "partition", "timestamp", "topic", "offset")

_BLANK = re.compile(r"\s*")
_STRING_OR_BLANK = re.compile(r'("(?:[^"\\]|\\.)*")|\s+')

_decoder = json.JSONDecoder()


def write(record: Record) -> str:
    """The envelope of a message that was read."""
    envelope = {
        "key": shown(record.key),
        "value": shown(record.value),
        "headers": shown_headers(record.headers),
        "partition": record.partition,
        "offset": record.offset,
        "timestamp": record.timestamp,
    }
    return json.dumps(envelope, ensure_ascii=False)


def write_key_and_value(record: Record) -> str:
    """The envelope reduced to what most people look for."""
    return json.dumps({"key": shown(record.key), "value": shown(record.value)}, ensure_ascii=False)


def read(text: str) -> Record:
    """The message of an envelope; ValueError says what is wrong with it."""
    found = members(text)
    for name in found:
        if name not in _MEMBERS:
            raise ValueError(f"the envelope has the unknown member '{name}'")
    if "value" not in found:
        raise ValueError("the envelope has no member 'value' (null is a tombstone)")
    return Record(
        value=payload(found["value"]),
        key=payload(found.get("key", "null")),
        headers=tuple(_read_headers(found.get("headers", "null"))),
        partition=_whole_number(found, "partition"),
        timestamp=_whole_number(found, "timestamp"),
    )


def payload(text: str) -> bytes | None:
    """The bytes a piece of JSON stands for; numbers keep every digit."""
    value = json.loads(text)
    if value is None:
        return None
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, dict) and value.keys() == {_BASE64}:
        return base64.b64decode(str(value[_BASE64]), validate=True)
    return _STRING_OR_BLANK.sub(r"\1", text).encode()


def members(text: str) -> dict[str, str]:
    """The members of a JSON object, each with the text of its value as it is written."""
    if not isinstance(_loads(text), dict):
        raise ValueError("it is not a JSON object")
    return dict(_split(text))


def _loads(text: str) -> object:
    try:
        return cast("object", json.loads(text))
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON ({error.msg} at column {error.colno})") from error


def _split(text: str) -> Iterator[tuple[str, str]]:
    """The members of what is known to be an object."""
    at = text.index("{") + 1
    while text[at := _after_blank(text, at)] != "}":
        name, at = _decoder.raw_decode(text, at)
        start = _after_blank(text, text.index(":", at) + 1)
        _, at = _decoder.raw_decode(text, start)
        yield name, text[start:at]
        at = _after_blank(text, at)
        at += text[at] == ","


def _after_blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _read_headers(text: str) -> Iterator[tuple[str, bytes | None]]:
    """From an object, or from pairs where a name occurs twice."""
    headers = json.loads(text)
    if isinstance(headers, dict):
        for name, value in members(text).items():
            yield name, payload(value)
    elif isinstance(headers, list) and all(map(_is_pair, headers)):
        for name, value in headers:
            yield name, payload(json.dumps(value))
    elif headers is not None:
        raise ValueError("'headers' is neither an object nor a list of pairs")


def _is_pair(header: object) -> bool:
    return isinstance(header, list) and len(header) == 2 and isinstance(header[0], str)


def _whole_number(found: dict[str, str], name: str) -> int | None:
    value: object = json.loads(found.get(name, "null"))
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise ValueError(f"'{name}' is not a whole number")


def shown(data: bytes | None) -> str | dict[str, str] | None:
    """Bytes as `write` shows them."""
    if data is None:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {_BASE64: base64.b64encode(data).decode()}


def shown_headers(headers: Headers) -> object:
    """An object, or pairs where a name occurs twice."""
    pairs = [(name, shown(value)) for name, value in headers]
    names = {name for name, _ in pairs}
    return dict(pairs) if len(names) == len(pairs) else pairs
