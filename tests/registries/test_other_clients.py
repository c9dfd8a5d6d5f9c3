"""Confluent's own client and fastavro's resolution against ours, on schemas of a real registry."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from pyspark.sql.types import StructType

from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from penstock.model.types import literal
from tests.kafka_table.tables import TO_LATEST
from tests.registries.messages import read, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from tests.kafka_table.tables import Tables
    from tests.registries.apicurio import Registry

pytestmark = pytest.mark.kafka

_PAIRS = 60


def test_what_confluents_client_writes_is_read(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    events = topic("events")
    schema = {
        "type": "record",
        "name": "Event",
        "fields": [
            {"name": "id", "type": "long"},
            {"name": "tags", "type": {"type": "map", "values": "string"}},
            {"name": "note", "type": ["null", "string"], "default": None},
        ],
    }
    rows = [
        {"id": 1, "tags": {"a": "x"}, "note": "first"},
        {"id": -(2**62), "tags": {}, "note": None},
    ]
    context = SerializationContext(events, MessageField.VALUE)
    with SchemaRegistryClient({"url": registry.url}) as client:
        serialize = AvroSerializer(client, json.dumps(schema))
        produce(tables.properties, events, [Record(serialize(row, context)) for row in rows])
    columns = "id BIGINT, tags MAP<STRING, STRING>, note STRING"
    tables.create("events", columns, _options(registry, events))
    assert tables.rows("SELECT * FROM events", columns) == rows


def test_what_is_written_confluents_client_reads(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    events = topic("events")
    columns = "id BIGINT NOT NULL, tags MAP<STRING, STRING>, place ROW<x INT, y INT>"
    tables.create("events", columns, _options(registry, events))
    tables.run(
        "INSERT INTO events VALUES (1, MAP['a', 'x'], ROW(1, 2)), "
        "(2, CAST(NULL AS MAP<STRING, STRING>), CAST(NULL AS ROW<x INT, y INT>));"
    )
    context = SerializationContext(events, MessageField.VALUE)
    found = consume(tables.properties, events, from_beginning=True, until_end=True)
    with SchemaRegistryClient({"url": registry.url}) as client:
        deserialize = AvroDeserializer(client)
        rows = [deserialize(record.value, context) for record in found]
    assert rows == [
        {"id": 1, "tags": {"a": "x"}, "place": {"x": 1, "y": 2}},
        {"id": 2, "tags": None, "place": None},
    ]


def _options(registry: Registry, topic: str) -> str:
    url = f"'avro-confluent.url' = '{registry.url}'"
    return f"'topic' = '{topic}', 'format' = 'avro-confluent', {url}, {TO_LATEST}"


# What a reader's type may have been written as, and a value of it.
_WIDENED: dict[str, tuple[str, dict[str, Any]]] = {
    "BIGINT": ("long", {"int": -5, "long": 2**40}),
    "FLOAT": ("float", {"int": 3, "long": -7, "float": 0.25}),
    "DOUBLE": ("double", {"int": 3, "long": -7, "float": 0.25, "double": 0.1}),
    "STRING": ("string", {"string": "wörld", "bytes": b"plain"}),
    "BINARY": ("bytes", {"bytes": b"\0\xff", "string": "text"}),
    "BOOLEAN": ("boolean", {"boolean": True}),
}


def test_schemas_are_resolved_as_fastavro_does(spark: SparkSession, registry: Registry) -> None:
    """Fields added, removed, moved, widened, made nullable: each pair of schemas at random."""
    chance = random.Random(7)
    readers = []
    columns = []
    for number in range(_PAIRS):
        types = {name: chance.choice(list(_WIDENED)) for name in chance.sample("abcdef", 4)}
        reader = _record([(name, ["null", _WIDENED[t][0]]) for name, t in types.items()])
        for field in reader["fields"]:
            field["default"] = None
        writer, row = _earlier(types, chance)
        known = registry.register(f"pair-{number}", writer)
        message = written(writer, known, row)
        expected = read(writer, message, reader)
        ddl = ", ".join(f"{name} {type_}" for name, type_ in types.items())
        options = {"url": registry.url, "schema": json.dumps(reader)}
        columns.append(
            f"penstock_avro_confluent_decode(X'{message.hex()}', "
            f"{literal(StructType.fromDDL(ddl).json())}, {literal(json.dumps(options))}) c{number}"
        )
        readers.append((expected, writer, row))
    found = spark.range(1).selectExpr(*columns).first()
    assert found is not None
    for rows, (expected, *context) in zip(found, readers, strict=True):
        plain = {
            name: bytes(value) if isinstance(value, bytearray) else value
            for name, value in rows[0].asDict().items()
        }
        assert plain == expected, context


def _record(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    return {
        "type": "record",
        "name": "pair",
        "fields": [{"name": name, "type": type_} for name, type_ in fields],
    }


def _earlier(types: dict[str, str], chance: random.Random) -> tuple[Any, dict[str, Any]]:
    """A schema that the reader's may have grown out of, and a row of it."""
    fields: list[tuple[str, Any]] = []
    row: dict[str, Any] = {}
    for name in chance.sample(list(types), chance.randint(1, len(types))):
        kind, value = chance.choice(list(_WIDENED[types[name]][1].items()))
        nullable = chance.random() < 0.5
        fields.append((name, [kind, "null"] if nullable else kind))
        row[name] = None if nullable and chance.random() < 0.3 else value
    if chance.random() < 0.7:
        gone = {"type": "array", "items": ["null", {"type": "map", "values": "double"}]}
        fields.insert(chance.randint(0, len(fields)), ("gone", gone))
        row["gone"] = [None, {"x": 1.5}, {}]
    return _record(fields), row
