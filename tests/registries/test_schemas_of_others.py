"""Schemas that no table of ours would derive: other units, named types, names of their own."""

from __future__ import annotations

import datetime
import decimal
import json
from typing import TYPE_CHECKING

import pytest

from penstock.errors import PenstockError
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.kafka_table.tables import TO_LATEST
from tests.registries.messages import read, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.kafka_table.tables import Tables
    from tests.registries.apicurio import Registry

pytestmark = pytest.mark.kafka


def _options(registry: Registry, topic: str, *more: str) -> str:
    url = f"'avro-confluent.url' = '{registry.url}'"
    return ", ".join((f"'topic' = '{topic}', 'format' = 'avro-confluent', {url}", *more, TO_LATEST))


def test_units_and_scales_are_those_of_the_writer(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    sums = topic("sums")
    schema = {
        "type": "record",
        "name": "Sum",
        "fields": [
            {"name": "at_time", "type": {"type": "long", "logicalType": "timestamp-micros"}},
            {
                "name": "total",
                "type": {"type": "bytes", "logicalType": "decimal", "precision": 12, "scale": 4},
            },
        ],
    }
    known = registry.register(f"{sums}-value", schema)
    moment = datetime.datetime(2024, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc)
    rows = [
        {"at_time": moment, "total": decimal.Decimal("12.3450")},
        {"at_time": moment, "total": decimal.Decimal("99999999.9999")},
    ]
    produce(tables.properties, sums, [Record(written(schema, known, row)) for row in rows])
    tables.create("sums", "at_time TIMESTAMP(3), total DECIMAL(6, 2)", _options(registry, sums))
    select = "SELECT EXTRACT(SECOND FROM at_time), CAST(total AS STRING) FROM sums"
    assert tables.rows(select, "seconds BIGINT, total STRING") == [
        {"seconds": 5, "total": "12.35"},
        {"seconds": 5, "total": None},
    ]


def test_decimals_have_the_scale_of_the_schema_they_are_written_with(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    sums = topic("sums")
    total = {"type": "bytes", "logicalType": "decimal", "precision": 6, "scale": 4}
    schema = {"type": "record", "name": "Sum", "fields": [{"name": "total", "type": total}]}
    registry.register(f"{sums}-value", schema)
    off = "'avro-confluent.properties' = 'auto.register.schemas:false'"
    tables.create("sums", "total DECIMAL(10, 2)", _options(registry, sums, off))
    tables.run("INSERT INTO sums VALUES (12.34);")
    (found,) = consume(tables.properties, sums, from_beginning=True, until_end=True)
    assert read(schema, found.value or b"") == {"total": decimal.Decimal("12.34")}
    with pytest.raises(PenstockError, match=r"123.45 does not fit decimal\(6, 4\)"):
        tables.run("INSERT INTO sums VALUES (123.45);")


def test_a_default_that_does_not_fit_makes_no_message_unreadable(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    names = topic("names")
    field = {"name": "name", "type": ["null", "string"], "default": ""}
    schema = {"type": "record", "name": "Named", "fields": [field]}
    known = registry.register(f"{names}-value", schema)
    sound = {**schema, "fields": [{"name": "name", "type": ["null", "string"]}]}
    produce(tables.properties, names, [Record(written(sound, known, {"name": "x"}))])
    tables.create("names", "name STRING", _options(registry, names))
    assert tables.rows("SELECT name FROM names", "name STRING") == [{"name": "x"}]


def test_types_of_other_subjects(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    orders = topic("orders")
    money = {"type": "record", "name": "Money", "fields": [{"name": "cents", "type": "long"}]}
    registry.register(f"{orders}-money", money)
    order = {"type": "record", "name": "Order", "fields": [{"name": "price", "type": "Money"}]}
    answer = registry.ask(
        f"/subjects/{orders}-value/versions",
        {
            "schema": json.dumps(order),
            "references": [{"name": "Money", "subject": f"{orders}-money", "version": 1}],
        },
    )
    whole = {**order, "fields": [{"name": "price", "type": money}]}
    message = written(whole, answer["id"], {"price": {"cents": 250}})
    produce(tables.properties, orders, [Record(message)])
    tables.create("orders", "price ROW<cents BIGINT>", _options(registry, orders))
    assert tables.rows("SELECT orders.price.cents FROM orders", "cents BIGINT") == [{"cents": 250}]


def test_a_schema_of_the_tables_own(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    cars = topic("cars")
    schema = {
        "type": "record",
        "name": "Car",
        "namespace": "shop",
        "fields": [
            {
                "name": "color",
                "type": {"type": "enum", "name": "Color", "symbols": ["RED", "BLUE"]},
            },
            {"name": "doors", "type": ["int", "null"]},
        ],
    }
    given = f"'avro-confluent.schema' = '{json.dumps(schema)}', 'avro-confluent.subject' = '{cars}'"
    tables.create("cars", "color STRING NOT NULL, doors INT", _options(registry, cars, given))
    tables.run("INSERT INTO cars VALUES ('BLUE', 3), ('RED', CAST(NULL AS INT));")
    assert registry.latest(cars)["name"] == "Car"
    found = consume(tables.properties, cars, from_beginning=True, until_end=True)
    assert [read(schema, record.value or b"") for record in found] == [
        {"color": "BLUE", "doors": 3},
        {"color": "RED", "doors": None},
    ]
    assert tables.rows("SELECT * FROM cars", "color STRING, doors INT") == [
        {"color": "BLUE", "doors": 3},
        {"color": "RED", "doors": None},
    ]
