"""Tables of the format `avro-confluent` on a real registry: what is read, written, registered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from penstock import PenstockError
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.kafka_table.tables import TO_LATEST
from tests.registries.messages import read, schema_id, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.kafka_table.tables import Tables
    from tests.registries.apicurio import Registry

pytestmark = pytest.mark.kafka

NAMESPACE = "org.apache.flink.avro.generated"


def record(*fields: tuple[str, Any], name: str = "Order") -> dict[str, Any]:
    """A schema as another producer would write it."""
    return {
        "type": "record",
        "name": name,
        "namespace": "shop",
        "fields": [{"name": field, "type": type_} for field, type_ in fields],
    }


def options(registry: Registry, topic: str, *more: str) -> str:
    """The options of a table that is read to its end."""
    url = f"'avro-confluent.url' = '{registry.url}'"
    return ", ".join((f"'topic' = '{topic}', 'format' = 'avro-confluent', {url}", *more, TO_LATEST))


def test_each_message_is_read_with_the_schema_it_was_written_with(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    orders = topic("orders")
    versions = [
        record(("id", "int"), ("name", "string")),
        record(("id", "long"), ("name", ["null", "string"]), ("price", "float")),
        record(("price", ["null", "double"]), ("gone", {"type": "array", "items": "string"})),
    ]
    versions[2]["fields"].append({"name": "id", "type": "long"})
    ids = [registry.register(f"{orders}-value", schema) for schema in versions]
    assert len(set(ids)) == 3
    rows: list[dict[str, Any]] = [
        {"id": 1, "name": "first"},
        {"id": 2, "name": None, "price": 0.5},
        {"price": 2.25, "gone": ["a", "b"], "id": 3},
        {"id": 4, "name": "fourth"},
    ]
    chosen = [0, 1, 2, 0]
    messages = [
        Record(written(versions[v], ids[v], row)) for v, row in zip(chosen, rows, strict=True)
    ]
    messages.insert(2, Record(None))
    produce(tables.properties, orders, messages)
    columns = "id BIGINT NOT NULL, name STRING, price DOUBLE, added STRING"
    tables.create("orders", columns, options(registry, orders))
    assert tables.rows("SELECT * FROM orders", columns.replace(" NOT NULL", "")) == [
        {"id": 1, "name": "first", "price": None, "added": None},
        {"id": 2, "name": None, "price": 0.5, "added": None},
        {"id": 3, "name": None, "price": 2.25, "added": None},
        {"id": 4, "name": "fourth", "price": None, "added": None},
    ]


def test_keys_and_values_are_registered_once(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    sums = topic("sums")
    tables.create(
        "sums",
        "user_id BIGINT, total DECIMAL(10, 2) NOT NULL, seen TIMESTAMP(3)",
        f"'topic' = '{sums}', 'key.format' = 'avro-confluent', 'key.fields' = 'user_id', "
        f"'key.avro-confluent.url' = '{registry.url}', 'value.format' = 'avro-confluent', "
        f"'value.avro-confluent.schema-registry.url' = '{registry.url}', "
        f"'value.fields-include' = 'EXCEPT_KEY', {TO_LATEST}",
    )
    insert = (
        "INSERT INTO sums VALUES (7, 12.5, TIMESTAMP '1970-01-01 00:20:34.000'), (8, -0.01, NULL);"
    )
    tables.run(insert)
    tables.run(insert)
    assert registry.versions(f"{sums}-value") == [1]
    assert registry.versions(f"{sums}-key") == [1]
    decimal = {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2}
    seen = ["null", {"type": "long", "logicalType": "timestamp-millis"}]
    value = registry.latest(f"{sums}-value")
    assert value == {
        "type": "record",
        "name": "record",
        "namespace": NAMESPACE,
        "fields": [
            {"name": "total", "type": decimal},
            {"name": "seen", "type": seen, "default": None},
        ],
    }
    key = registry.latest(f"{sums}-key")
    assert key["fields"] == [{"name": "user_id", "type": ["null", "long"], "default": None}]
    found = list(consume(tables.properties, sums, from_beginning=True, until_end=True))
    rows = [(read(key, r.key or b""), read(value, r.value or b"")) for r in found]
    assert [k["user_id"] for k, _ in rows] == [7, 8, 7, 8]
    assert [str(v["total"]) for _, v in rows] == ["12.50", "-0.01"] * 2
    assert rows[0][1]["seen"].timestamp() == 1234
    assert rows[1][1]["seen"] is None
    select = "SELECT user_id, CAST(total AS STRING) FROM sums"
    read_back = tables.rows(select, "user_id BIGINT, total STRING")
    assert read_back == 2 * [{"user_id": 7, "total": "12.50"}, {"user_id": 8, "total": "-0.01"}]


def test_a_registered_schema_is_written_where_none_is_to_be_registered(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    orders = topic("orders")
    schema = record(("name", ["string", "null"]), ("id", "long"))
    schema["fields"].insert(1, {"name": "source", "type": "string", "default": "sql"})
    known = registry.register(f"{orders}-value", schema)
    off = "'avro-confluent.properties' = 'auto.register.schemas:false'"
    tables.create("orders", "id INT, name STRING", options(registry, orders, off))
    tables.run("INSERT INTO orders VALUES (1, 'x'), (2, CAST(NULL AS STRING));")
    assert registry.versions(f"{orders}-value") == [1]
    found = list(consume(tables.properties, orders, from_beginning=True, until_end=True))
    assert [schema_id(r.value or b"") for r in found] == [known, known]
    assert [read(schema, r.value or b"") for r in found] == [
        {"name": "x", "source": "sql", "id": 1},
        {"name": None, "source": "sql", "id": 2},
    ]


def test_a_registered_schema_must_be_for_the_table(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    orders = topic("orders")
    registry.register(f"{orders}-value", record(("other", "long")))
    off = "'avro-confluent.properties.auto.register.schemas' = 'false'"
    tables.create("orders", "id INT", options(registry, orders, off))
    with pytest.raises(PenstockError) as caught:
        tables.run("INSERT INTO orders VALUES (1);")
    assert caught.value.code == "REGISTRY_REFUSED"
    assert "'other' of the Avro schema has no default" in str(caught.value)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (b"\x01\0\0\0\1\2", "Unknown data format. Magic number does not match"),
        (b"\0\x7f\xff\xff\xff\2", "Could not find schema with id 2147483647 in registry"),
        (b"\0\0", "The message ends within the id of its schema"),
        (b"", "The message has no bytes"),
    ],
)
def test_messages_that_cannot_be_read(
    tables: Tables,
    registry: Registry,
    topic: Callable[..., str],
    message: bytes,
    reason: str,
) -> None:
    orders = topic("orders")
    produce(tables.properties, orders, [Record(message)])
    tables.create("orders", "id INT", options(registry, orders))
    with pytest.raises(PenstockError) as caught:
        tables.rows("SELECT * FROM orders", "id INT")
    assert caught.value.code == "BAD_MESSAGE"
    assert f"Failed to deserialize Avro record. {reason}" in str(caught.value)


def test_a_field_that_must_be_there(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    orders = topic("orders")
    schema = record(("id", "int"))
    known = registry.register(f"{orders}-value", schema)
    produce(tables.properties, orders, [Record(written(schema, known, {"id": 1}))])
    tables.create("orders", "id INT, price DOUBLE NOT NULL", options(registry, orders))
    with pytest.raises(PenstockError, match="missing required field price"):
        tables.rows("SELECT * FROM orders", "id INT, price DOUBLE")
