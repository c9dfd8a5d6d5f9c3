"""A topic of numbers, written with a registry, and the options of a table that reads it."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from penstock.kafka.record import Record
from penstock.kafka.records import produce
from tests.kafka_table.tables import TO_LATEST
from tests.registries.messages import written

if TYPE_CHECKING:
    from tests.kafka_table.tables import Tables
    from tests.registries.apicurio import Registry

SCHEMA: dict[str, Any] = {"type": "record", "name": "n", "fields": [{"name": "n", "type": "int"}]}
LOGIN = "ann:hunter2"
QUICK = "'avro-confluent.properties' = 'max.retries:2,retries.wait.ms:50'"


def options(topic: str, url: str, *more: str) -> str:
    """Of a table that is read to its end."""
    format_ = f"'topic' = '{topic}', 'format' = 'avro-confluent', 'avro-confluent.url' = '{url}'"
    return ", ".join((format_, *more, TO_LATEST))


def send(tables: Tables, registry: Registry, topic: str, numbers: range) -> None:
    """Write numbers, with their schema registered."""
    known = registry.register(f"{topic}-value", SCHEMA)
    messages = [Record(written(SCHEMA, known, {"n": n})) for n in numbers]
    produce(tables.properties, topic, messages)


def basic(login: str) -> str:
    """The header by which a login is told."""
    return f"Basic {base64.b64encode(login.encode()).decode()}"
