"""Messages as lines of JSON, and lines as messages."""

from __future__ import annotations

import json

import pytest

from penstock.errors import DataError
from penstock.kafka import lines
from penstock.kafka.envelope import read, write
from penstock.kafka.record import Record

RECORDS = [
    Record(b'{"id": 1}', b"k", (("h", b"1"),), partition=0, timestamp=1),
    Record(None, b"k"),
    Record(b"", b""),
    Record(b"\xff\x00", b"\xfe", (("a", b"\xff"), ("b", None))),
    Record('“ü” \u2028 \\ "'.encode(), None, (("twice", b"1"), ("twice", b"2"))),
    Record(b'{"$base64": "AA=="}'),
    Record(b"null"),
]


@pytest.mark.parametrize("record", RECORDS)
def test_an_envelope_gives_the_same_bytes_back(record: Record) -> None:
    line = write(record)
    assert "\n" not in line
    assert read(line) == record


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1.10, "b": [1, 2 ], "c": "x  \\" y"}', b'{"a":1.10,"b":[1,2],"c":"x  \\" y"}'),
        ("[ ]", b"[]"),
        ("12345678901234567890.1234567890", b"12345678901234567890.1234567890"),
        ("true", b"true"),
        ('"text"', b"text"),
        ('"\\u00fc"', "ü".encode()),
        ("null", None),
        ('{"$base64": "/wA="}', b"\xff\x00"),
    ],
)
def test_a_value_is_sent_as_its_text_or_as_compact_json(text: str, value: bytes | None) -> None:
    assert read(f' {{ "key" : {text} , "value":{text}}} ') == Record(value, key=value)


def test_headers_are_an_object_or_pairs() -> None:
    line = '{"value": "v", "headers": [["a", "1"], ["a", null], ["b", {"$base64": "/w=="}]]}'
    assert read(line).headers == (("a", b"1"), ("a", None), ("b", b"\xff"))
    assert read('{"value": "v", "headers": {"n": 1.50}}').headers == (("n", b"1.50"),)


def test_an_envelope_as_consume_prints_it_shows_where_it_was() -> None:
    record = Record(b"v", b"k", (), 2, 1700000000000, topic="t", offset=5)
    shown = {
        "key": "k",
        "value": "v",
        "headers": {},
        "partition": 2,
        "offset": 5,
        "timestamp": 1700000000000,
    }
    assert json.loads(write(record)) == shown


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "is not JSON .*column 2"),
        ("[]", "not a JSON object"),
        ('{"key": "k"}', "no member 'value'"),
        ('{"value": 1, "values": 2}', "unknown member 'values'"),
        ('{"value": 1, "partition": "0"}', "'partition' is not a whole number"),
        ('{"value": 1, "timestamp": true}', "'timestamp' is not a whole number"),
        ('{"value": 1, "headers": [1]}', "'headers' is neither"),
        ('{"value": 1, "headers": 1}', "'headers' is neither"),
        ('{"value": {"$base64": "?"}}', "cannot be sent"),
    ],
)
def test_a_line_that_is_no_envelope_is_named(line: str, problem: str) -> None:
    given = [b'{"value": 1}\n', b"\n", line.encode()]
    with pytest.raises(DataError, match=f"Line 3 of input.txt .*{problem}") as caught:
        list(lines.records(given, lines.envelope, source="input.txt"))
    assert caught.value.code == "INVALID_INPUT_LINE"


def test_lines_are_values_byte_by_byte() -> None:
    given = [b' {"a": 1} \n', b"\n", b"  \r\n", b"\xff\r\n", b"last"]
    values = [record.value for record in lines.records(given, lines.value_only)]
    assert values == [b' {"a": 1} ', b"\xff", b"last"]


def test_a_key_is_a_field_or_stands_before_a_separator() -> None:
    field = lines.with_key_field("id")
    given = [b'{"id": "a", "n": 1}', b'{"n": 1, "id": 2.50}', b'{"id": null}', b'{"id": {"x": 1}}']
    keys = [record.key for record in lines.records(given, field)]
    assert keys == [b"a", b"2.50", None, b'{"x":1}']
    with pytest.raises(DataError, match="no field 'id'"):
        list(lines.records([b'{"n": 1}'], field))
    (record,) = lines.records([b"a|b|c\n"], lines.with_key_separator("|"))
    assert record == Record(b"b|c", key=b"a")
    with pytest.raises(DataError, match=r"separator '\|'"):
        list(lines.records([b"abc"], lines.with_key_separator("|")))
