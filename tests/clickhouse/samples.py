"""Messages of every format that ClickHouse's Kafka tables read here, made without our own code."""

from __future__ import annotations

import io
import json
import struct
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import fastavro

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Written = Callable[[Sequence[int]], bytes]

BROKEN = (b"qwertyuiop", b"asdfghjkl", b"zxcvbnm")
_NAMES = ("id", "blockNo", "val1", "val2", "val3")
# Three messages, as in ClickHouse's own test; where a message is a row they have one row each.
_BLOCKS = ((10,), tuple(range(11, 26)), (26,))
_SINGLE = ((10,), (11,), (26,))
_AVRO = fastavro.parse_schema(
    {
        "type": "record",
        "name": "row",
        "fields": [
            {"name": name, "type": type_}
            for name, type_ in zip(_NAMES, ("long", "int", "string", "float", "int"), strict=True)
        ],
    }
)
_MESSAGE = """message Row {
  int64 id = 1;
  uint32 blockNo = 2;
  string val1 = 3;
  float val2 = 4;
  uint32 val3 = 5;
}
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a topic holds: empty messages, three good ones, those that cannot be read."""

    format: str
    written: Written
    broken: tuple[bytes, ...] = BROKEN
    empty: int = 0
    blocks: tuple[tuple[int, ...], ...] = _BLOCKS
    columns: str = "id Int64, blockNo UInt16, val1 String, val2 Float32, val3 UInt8"
    settings: tuple[tuple[str, object], ...] = ()

    @property
    def messages(self) -> list[bytes]:
        """In their order."""
        return [*[b""] * self.empty, *map(self.written, self.blocks), *self.broken]

    @property
    def select(self) -> str:
        """The columns of `row` from those of the table."""
        if self.columns.startswith("id"):
            return ", ".join(_NAMES)
        # Two digits behind `{"id": `; a broken row has none.
        zeros = "0 AS blockNo, '' AS val1, 0 AS val2, 0 AS val3"
        return f"toInt64OrZero(substring(line, 8, 2)) AS id, {zeros}"

    def row(self, number: int) -> tuple[object, ...]:
        """What such a row gives."""
        return _row(number) if self.columns.startswith("id") else (number, 0, "", 0, 0)


def _row(number: int) -> tuple[int, int, str, float, int]:
    return (number, number % 3, "AM", 0.5, 1)


def _named(number: int) -> dict[str, object]:
    return dict(zip(_NAMES, _row(number), strict=True))


def _lines(of_row: Callable[[int], str], numbers: Sequence[int], head: str = "") -> bytes:
    return (head + "".join(f"{of_row(n)}\n" for n in numbers)).encode()


def _json(number: int) -> str:
    return json.dumps(_named(number))


def _strings(number: int) -> str:
    return json.dumps({name: str(value) for name, value in _named(number).items()})


def _compact(number: int) -> str:
    return json.dumps(_row(number))


def _document(number: int) -> str:
    return json.dumps({"id": number})


def _tskv(number: int) -> str:
    return "\t".join(f"{name}={value}" for name, value in _named(number).items())


def _separated(by: str, number: int) -> str:
    return by.join(map(str, _row(number)))


def _avro(numbers: Sequence[int]) -> bytes:
    out = io.BytesIO()
    fastavro.writer(out, _AVRO, [_named(n) for n in numbers])
    return out.getvalue()


def _behind_length(content: bytes, mark: bytes = b"") -> bytes:
    """Protobuf's length, of one byte or two."""
    size = len(content)
    length = bytes((size,)) if size < 0x80 else bytes((size & 0x7F | 0x80, size >> 7))
    return mark + length + content


def _fields(number: int) -> bytes:
    """A row in Protobuf; its numbers are below 128."""
    id_, block, text, float_, last = _row(number)
    head = bytes((0x08, id_, 0x10, block)) + _behind_length(text.encode(), b"\x1a")
    return head + struct.pack("<Bf", 0x25, float_) + bytes((0x28, last))


def _delimited(numbers: Sequence[int]) -> bytes:
    return b"".join(_behind_length(_fields(n)) for n in numbers)


def _listed(numbers: Sequence[int]) -> bytes:
    return _behind_length(b"".join(_behind_length(_fields(n), b"\x0a") for n in numbers))


def _with_names(name: str, by: str) -> Sample:
    """To such a format any line is names of no rows: a broken one is behind them."""
    head = by.join(_NAMES) + "\n"
    written = partial(_lines, partial(_separated, by), head=head)
    return Sample(name, written, tuple(head.encode() + one for one in BROKEN))


def _skipping(count: int) -> Sample:
    """So many bytes before each message are left out."""
    written = partial(_lines, _json, head="\0" * count)
    setting = ("kafka_schema_registry_skip_bytes", count)
    broken = tuple(bytes(count) + one for one in BROKEN)
    return Sample("JSONEachRow", written, broken, settings=(setting,))


def samples(folder: Path) -> dict[str, Sample]:
    """By the names of tables; the schemas of Protobuf are written into the folder."""
    (folder / "one.proto").write_text(f'syntax = "proto3";\n{_MESSAGE}')
    envelope = f"message Envelope {{\n{_MESSAGE}repeated Row rows = 1;\n}}\n"
    (folder / "many.proto").write_text(f'syntax = "proto3";\n{envelope}')
    one = (("kafka_schema", f"{folder}/one:Row"),)
    many = (("kafka_schema", f"{folder}/many:Row"),)
    line, document = "line String", partial(_lines, _document)
    comma, tab = (partial(_lines, partial(_separated, by)) for by in (",", "\t"))
    found = (
        Sample("JSONEachRow", partial(_lines, _json), empty=1),
        Sample("JSONStringsEachRow", partial(_lines, _strings), empty=1),
        Sample("JSONCompactEachRow", partial(_lines, _compact), empty=1),
        Sample("JSONAsString", document, empty=1, columns=line),
        Sample("LineAsString", document, (), columns=line),
        Sample("RawBLOB", document, (), blocks=_SINGLE, columns=line),
        Sample("CSV", comma, empty=1),
        Sample("TSV", tab, empty=1),
        _with_names("CSVWithNames", ","),
        _with_names("TSVWithNames", "\t"),
        Sample("TSKV", partial(_lines, _tskv), empty=1),
        Sample("Avro", _avro),
        Sample("Protobuf", _delimited, settings=one),
        # The second one happens to be a message of a field that the schema lacks.
        Sample(
            "ProtobufSingle",
            lambda numbers: _fields(numbers[0]),
            (BROKEN[0], BROKEN[2]),
            blocks=_SINGLE,
            settings=one,
        ),
        Sample("ProtobufList", _listed, settings=many),
    )
    return {one.format: one for one in found} | {f"skip{n}": _skipping(n) for n in (0, 19, 255)}
