"""The schema that columns give, the types that a schema gives, and how a registry is named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from penstock.errors import PenstockError
from penstock.formats import FORMATS
from penstock.formats.avro_confluent import AvroConfluent
from penstock.formats.avro_schema import avro_schema
from penstock.formats.avro_types import says_the_same
from penstock.formats.registry_options import pairs
from penstock.model.option import OptionReader, OptionValue
from penstock.model.types import (
    BIGINT,
    BYTES,
    INT,
    STRING,
    TIMESTAMP_3,
    TIMESTAMP_LTZ_3,
    DataType,
    Fields,
)

if TYPE_CHECKING:
    from penstock.formats.base import Format

_ROW = DataType("ROW", children=(("x", INT), ("y", DataType("DECIMAL", 4, 2, nullable=False))))
_MAP = DataType("MAP", children=(("", STRING), ("", BIGINT.as_nullable(False))))


def _optional(type_: Any) -> list[Any]:
    return ["null", type_]


@pytest.mark.parametrize(
    ("type_", "legacy", "expected"),
    [
        (INT.as_nullable(False), True, "int"),
        (DataType("TINYINT"), True, _optional("int")),
        (DataType("CHAR", 3), True, _optional("string")),
        (BYTES, True, _optional("bytes")),
        (
            DataType("TIME", 0),
            True,
            _optional({"type": "int", "logicalType": "time-millis"}),
        ),
        (TIMESTAMP_3, True, _optional({"type": "long", "logicalType": "timestamp-millis"})),
        (TIMESTAMP_3, False, _optional({"type": "long", "logicalType": "local-timestamp-millis"})),
        (
            DataType("TIMESTAMP", 6),
            False,
            _optional({"type": "long", "logicalType": "local-timestamp-micros"}),
        ),
        (TIMESTAMP_LTZ_3, False, _optional({"type": "long", "logicalType": "timestamp-millis"})),
        (_MAP, True, _optional({"type": "map", "values": "long"})),
        (
            DataType("MULTISET", children=(("", STRING),)),
            True,
            _optional({"type": "map", "values": _optional("int")}),
        ),
        (
            DataType("ARRAY", children=(("", _ROW),)),
            True,
            _optional(
                {
                    "type": "array",
                    "items": _optional(
                        {
                            "type": "record",
                            "name": "record_c",
                            "namespace": "org.apache.flink.avro.generated",
                            "fields": [
                                {"name": "x", "type": _optional("int"), "default": None},
                                {
                                    "name": "y",
                                    "type": {
                                        "type": "bytes",
                                        "logicalType": "decimal",
                                        "precision": 4,
                                        "scale": 2,
                                    },
                                },
                            ],
                        }
                    ),
                }
            ),
        ),
    ],
)
def test_columns_give_flinks_schema(type_: DataType, legacy: bool, expected: Any) -> None:
    schema = avro_schema((("c", type_),), legacy=legacy)
    assert (schema["namespace"], schema["name"]) == ("org.apache.flink.avro.generated", "record")
    (field,) = schema["fields"]
    assert field["type"] == expected
    assert ("default" in field) == type_.nullable


_FIELDS: Fields = (
    ("id", BIGINT.as_nullable(False)),
    ("name", STRING),
    ("at_time", TIMESTAMP_3),
    ("parts", DataType("ARRAY", children=(("", _ROW),))),
    ("counts", DataType("MAP", children=(("", STRING.as_nullable(False)), ("", INT)))),
)


def test_a_derived_schema_says_the_same_as_its_columns() -> None:
    schema = json.dumps(avro_schema(_FIELDS))
    assert says_the_same(schema, _FIELDS)
    assert not says_the_same(schema, _FIELDS[1:])
    assert not says_the_same(schema, (("id", BIGINT), *_FIELDS[1:]))
    assert not says_the_same(schema, _FIELDS, nullable=True)
    assert says_the_same(json.dumps(["null", json.loads(schema)]), _FIELDS, nullable=True)


def test_schemas_that_others_write() -> None:
    schema = {
        "type": "record",
        "name": "Order",
        "fields": [
            {"name": "color", "type": {"type": "enum", "name": "Color", "symbols": ["RED"]}},
            {"name": "other", "type": ["Color", "null"]},
            {"name": "hash", "type": {"type": "fixed", "name": "Hash", "size": 16}},
        ],
    }
    fields: Fields = (
        ("color", STRING.as_nullable(False)),
        ("other", STRING),
        ("hash", DataType("VARBINARY", 16, nullable=False)),
    )
    assert says_the_same(json.dumps(schema), fields)


@pytest.mark.parametrize("schema", ["", "{", '"record"', '{"type": "record"}', '["null", "x"]'])
def test_what_is_no_schema_says_nothing(schema: str) -> None:
    assert not says_the_same(schema, _FIELDS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:1", {"a": "1"}),
        ("a.b: x y , c:d:e", {"a.b": "x y", "c": "d:e"}),
        ("{a: 1, b: 'x,y'}", {"a": "1", "b": "x,y"}),
        ("", {}),
    ],
)
def test_maps(text: str, expected: dict[str, str]) -> None:
    assert pairs(text) == expected


def test_what_is_no_map() -> None:
    with pytest.raises(ValueError, match="pairs such as"):
        pairs("no pair")


def _read(name: str = "avro-confluent", prefix: str = "", **options: str) -> Format:
    values = [
        OptionValue(f"{prefix}{name}.{key.replace('__', '-').replace('_', '.')}", value)
        for key, value in options.items()
    ]
    reader = OptionReader("orders", values)
    found = FORMATS[name].read(reader, prefix)
    reader.finish()
    return found


def test_secrets_have_covers() -> None:
    found = _read(
        prefix="value.",
        url="https://ann:first@registry",
        ssl_keystore_location="/k",
        ssl_keystore_password="second",
        properties="bearer.auth.token:third",
        properties_schema_registry_ssl_truststore_password="fourth",
    )
    assert found.option("url") == "https://registry"
    placeholder = "${{secret:orders/value.avro-confluent.{}}}"
    assert dict(found.secrets) == {
        placeholder.format("basic-auth.user-info"): "ann:first",
        placeholder.format("ssl.keystore.password"): "second",
        placeholder.format("bearer-auth.token"): "third",
        placeholder.format("ssl.truststore.password"): "fourth",
    }
    texts = repr(found), found.decode("value", _FIELDS), found.encode([("id", "id", BIGINT)])
    assert all(word not in text for text in texts for word in ("first", "second", "third", "four"))
    assert all(placeholder in texts[1] for placeholder, _ in found.secrets)


def test_options_win_over_properties_and_older_names() -> None:
    found = _read(
        url="http://new",
        properties="basic.auth.user.info:a:b,max.retries:7",
        schema__registry_url="http://old",
        basic__auth_user__info="c:d",
    )
    assert found.option("url") == "http://new"
    assert found.option("basic-auth.user-info") == "c:d"
    assert found.option("max.retries") == "7"


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8081",
        "https://ann:p@ss@registry.example.com/apis/ccompat/v7/",
        "http://a:1, http://b:2",
        "http://[::1]:8081",
    ],
)
def test_addresses(url: str) -> None:
    _read(url=url)


@pytest.mark.parametrize(
    "url", ["http://schema_registry:8081", "http://[bad", "http://a{b}", "http://a/%zz", "http://"]
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(PenstockError, match="addresses such as http://localhost:8081") as caught:
        _read(url=url)
    assert caught.value.code == "INVALID_OPTION_VALUE"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"properties": "max.retries:few"}, "'max.retries' must be a whole number from 0 on"),
        ({"properties": "http.read.timeout.ms:0"}, "must be a whole number from 1 on, not '0'"),
        ({"properties": "auto.register.schemas:no"}, "must be true or false, not 'no'"),
        (
            {"basic-auth.credentials-source": "USER_INFO"},
            "'avro-confluent.basic-auth.user-info' lacks",
        ),
        ({"basic-auth.credentials-source": "URL"}, "'avro-confluent.url' has no login"),
        (
            {"bearer-auth.credentials-source": "STATIC_TOKEN"},
            "'avro-confluent.bearer-auth.token' lacks",
        ),
    ],
)
def test_properties_and_logins_that_cannot_be(options: dict[str, str], problem: str) -> None:
    with pytest.raises(PenstockError) as caught:
        _read(url="http://registry", **options)
    assert caught.value.code == "REFUSED_OPTION"
    assert problem in caught.value.text


def test_older_names_are_names() -> None:
    found = _read(schema__registry_url="http://old", schema__registry_subject="s")
    assert (found.option("url"), found.option("subject")) == ("http://old", "s")


def test_subjects() -> None:
    found = _read(url="http://registry")
    assert found.written_to("orders", "key").option("subject") == "orders-key"
    given = _read(url="http://registry", subject="mine")
    assert given.written_to(None, "value").option("subject") == "mine"
    with pytest.raises(PenstockError, match=r"avro-confluent\.subject is required for"):
        found.written_to(None, "value")


def test_what_debezium_registers() -> None:
    found = _read("debezium-avro-confluent", url="http://registry")
    assert isinstance(found, AvroConfluent)
    nothing, record = json.loads(str(found.told((("id", INT),))["schema"]))
    assert nothing == "null"
    before, after, op = record["fields"]
    assert before["type"][1]["name"] == "record_before"
    assert after["type"][1]["name"] == "record_after"
    assert op == {"name": "op", "type": ["null", "string"], "default": None}


def test_a_schema_for_debezium_has_rows_before_and_after() -> None:
    schema = json.dumps(avro_schema((("id", INT),)))
    found = _read("debezium-avro-confluent", url="http://registry", schema=schema)
    with pytest.raises(PenstockError, match="must be a nullable record type with fields 'before'"):
        found.check_types((("id", INT),))
