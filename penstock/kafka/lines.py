"""Lines of a file or of standard input → messages, in the ways `penstock produce` offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import DataError
from penstock.kafka.envelope import members, payload, read
from penstock.kafka.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    LineParser = Callable[[bytes], Record]

_ENVELOPE = 'An envelope is {"key": …, "value": …, "headers": {…}, "partition": …, "timestamp": …}.'


def records(
    lines: Iterable[bytes], parse: LineParser, *, source: str = "the input"
) -> Iterator[Record]:
    """One message per line; blank lines are left out, a line that cannot be sent is an error."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield parse(line.removesuffix(b"\n").removesuffix(b"\r"))
        except ValueError as problem:
            expected = _ENVELOPE if parse is envelope else ""
            raise DataError(
                "INVALID_INPUT_LINE",
                line=number,
                source=source,
                problem=problem,
                expected=expected,
            ) from problem


def value_only(line: bytes) -> Record:
    """The line is the value, byte by byte."""
    return Record(value=line)


def envelope(line: bytes) -> Record:
    """The line is a JSON object with key, value, headers, …"""
    return read(line.decode())


def with_key_field(name: str) -> LineParser:
    """The line is a JSON object and the value; one of its fields is the key as well."""

    def parse(line: bytes) -> Record:
        fields = members(line.decode())
        if name not in fields:
            raise ValueError(f"it has no field '{name}'")
        return Record(value=line, key=payload(fields[name]))

    return parse


def with_key_separator(separator: str) -> LineParser:
    """The line is the key, the separator, and the value."""
    encoded = separator.encode()

    def parse(line: bytes) -> Record:
        key, found, value = line.partition(encoded)
        if not found:
            raise ValueError(f"it does not have the separator '{separator}'")
        return Record(value=value, key=key)

    return parse
