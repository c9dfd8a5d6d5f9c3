"""Tables of the format `debezium-avro-confluent`: changes in, changes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from penstock import PenstockError
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.kafka_table.tables import TO_LATEST
from tests.registries.messages import read, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.kafka_table.tables import Tables
    from tests.registries.apicurio import Registry

pytestmark = pytest.mark.kafka

COLUMNS = "id INT NOT NULL, name STRING, weight DOUBLE"
# As Debezium registers it for a table, with what no column asks for.
ENVELOPE: dict[str, Any] = {
    "type": "record",
    "name": "Envelope",
    "namespace": "shop.inventory.products",
    "fields": [
        {
            "name": "before",
            "type": [
                "null",
                {
                    "type": "record",
                    "name": "Value",
                    "fields": [
                        {"name": "id", "type": "int"},
                        {"name": "name", "type": "string"},
                        {"name": "weight", "type": ["null", "float"], "default": None},
                        {"name": "unused", "type": ["null", "string"], "default": None},
                    ],
                },
            ],
            "default": None,
        },
        {"name": "after", "type": ["null", "Value"], "default": None},
        {
            "name": "source",
            "type": {
                "type": "record",
                "name": "Source",
                "fields": [{"name": "db", "type": "string"}, {"name": "pos", "type": "long"}],
            },
        },
        {"name": "op", "type": "string"},
        {"name": "ts_ms", "type": ["null", "long"], "default": None},
    ],
}


def _row(id_: int, name: str, weight: float | None) -> dict[str, Any]:
    return {"id": id_, "name": name, "weight": weight}


def _change(op: str, before: Any, after: Any) -> dict[str, Any]:
    source = {"db": "shop", "pos": 7}
    return {"before": before, "after": after, "source": source, "op": op, "ts_ms": 1}


def _options(registry: Registry, topic: str) -> str:
    return (
        f"'topic' = '{topic}', 'format' = 'debezium-avro-confluent', "
        f"'debezium-avro-confluent.url' = '{registry.url}', {TO_LATEST}"
    )


def _send(tables: Tables, registry: Registry, topic: str, *changes: dict[str, Any]) -> None:
    known = registry.register(f"{topic}-value", ENVELOPE)
    messages = [Record(written(ENVELOPE, known, change)) for change in changes]
    produce(tables.properties, topic, [*messages, Record(None), Record(b"")])


def test_changes_are_read_and_written(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    products, heavy = topic("products"), topic("heavy")
    car, rock = _row(1, "car", 900.5), _row(2, "rock", None)
    _send(
        tables,
        registry,
        products,
        _change("r", None, car),
        _change("c", None, rock),
        _change("u", rock, {**rock, "weight": 5.25}),
        _change("u", car, {**car, "name": "truck"}),
        _change("d", {**car, "name": "truck"}, None),
    )
    tables.create("products", COLUMNS, _options(registry, products))
    tables.create("heavy", COLUMNS, _options(registry, heavy))
    tables.run("INSERT INTO heavy SELECT * FROM products WHERE weight > 1;")
    schema = registry.latest(f"{heavy}-value")
    assert registry.versions(f"{heavy}-value") == [1]
    assert schema[0] == "null"
    assert [field["name"] for field in schema[1]["fields"]] == ["before", "after", "op"]
    found = consume(tables.properties, heavy, from_beginning=True, until_end=True)
    truck = {**car, "name": "truck"}
    assert [read(schema, record.value or b"") for record in found] == [
        {"before": None, "after": car, "op": "c"},
        {"before": None, "after": {**rock, "weight": 5.25}, "op": "c"},
        {"before": car, "after": None, "op": "d"},
        {"before": None, "after": truck, "op": "c"},
        {"before": truck, "after": None, "op": "d"},
    ]


_FULL = "please check the Postgres table has been set REPLICA IDENTITY to FULL level."


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_change("t", None, None), 'Unknown "op" value "t".'),
        (
            _change("u", None, _row(1, "car", None)),
            f'The "before" field of UPDATE message is null, if you are using Debezium Postgres '
            f"Connector, {_FULL}",
        ),
        (_change("d", None, None), 'The "before" field of DELETE message is null'),
        (_change("c", None, None), 'The "after" field of INSERT message is null.'),
    ],
)
def test_changes_that_cannot_be_read(
    tables: Tables,
    registry: Registry,
    topic: Callable[..., str],
    change: dict[str, Any],
    reason: str,
) -> None:
    products, copies = topic("products"), topic("copies")
    _send(tables, registry, products, change)
    tables.create("products", COLUMNS, _options(registry, products))
    tables.create("copies", COLUMNS, _options(registry, copies))
    with pytest.raises(PenstockError) as caught:
        tables.run("INSERT INTO copies SELECT * FROM products;")
    assert caught.value.code == "BAD_MESSAGE"
    assert f"Can't deserialize Debezium Avro message. {reason}" in str(caught.value)
