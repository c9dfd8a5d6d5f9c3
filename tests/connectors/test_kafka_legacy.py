"""Tables of Flink 1.10 and before, by the options of today."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.connectors.kafka_specs import KafkaTarget, Partitioner, Startup
from penstock.errors import PenstockError
from penstock.plan.walk import scans
from tests.connectors.kafka_scripts import READ, planned

if TYPE_CHECKING:
    from penstock.plan.query import Query

OLD = {
    "connector.type": "kafka",
    "connector.version": "0.11",
    "connector.topic": "t",
    "connector.properties.bootstrap.servers": "x:1",
    "connector.properties.zookeeper.connect": "z:2181",
    "connector.properties.group.id": "g",
    "connector.startup-mode": "earliest-offset",
    "update-mode": "append",
    "format.type": "json",
    "format.derive-schema": "true",
    "format.fail-on-missing-field": "true",
}


def script(options: dict[str, str], use: str = READ) -> str:
    lines = ",\n".join(f"'{key}' = '{value}'" for key, value in options.items())
    return f"CREATE TABLE t (id BIGINT) WITH (\n{lines}\n);\n{use}"


def query(options: dict[str, str], use: str = READ) -> Query:
    (found,) = planned(script(options, use)).queries
    return found


def test_old_options_by_their_names_of_today() -> None:
    found = planned(script(OLD))
    spec = scans(found.queries[0].input)[0].spec
    assert spec.source.topics == ("t",)  # type: ignore[attr-defined]
    assert spec.source.startup == Startup("earliest-offset", group_id="g")  # type: ignore[attr-defined]
    assert dict(spec.source.properties)["bootstrap.servers"] == "x:1"  # type: ignore[attr-defined]
    assert '"fail-on-missing-field": true' in spec.decoded[0][1]
    assert "options of Flink 1.10 are read as 'connector', 'topic'" in found.notes[0]
    quiet = [note.split("'")[1] for note in found.notes[1:]]
    assert quiet == [
        *("connector.version", "update-mode", "format.derive-schema"),
        "properties.zookeeper.connect",
    ]


def test_lists_by_number() -> None:
    options = {
        "connector.type": "kafka",
        "connector.topic": "t",
        "connector.properties.0.key": "bootstrap.servers",
        "connector.properties.0.value": "x:1",
        "connector.startup-mode": "specific-offsets",
        "connector.specific-offsets.0.partition": "0",
        "connector.specific-offsets.0.offset": "42",
        "connector.specific-offsets.1.partition": "1",
        "connector.specific-offsets.1.offset": "300",
        "format.type": "csv",
        "format.field-delimiter": "|",
        "format.fields.0.name": "id",
    }
    source = scans(query(options).input)[0].spec.source
    assert dict(source.properties)["bootstrap.servers"] == "x:1"  # type: ignore[attr-defined]
    assert source.startup.offsets == ((0, 42), (1, 300))  # type: ignore[attr-defined]


PARTITIONERS = {
    "": Partitioner("fixed"),
    "round-robin": Partitioner(),
    "custom": Partitioner("java", "com.example.Mine"),
}


@pytest.mark.parametrize(("name", "expected"), PARTITIONERS.items())
def test_partitioners(name: str, expected: Partitioner) -> None:
    options = {**OLD, "connector.sink-partitioner": name} if name else OLD
    if name == "custom":
        options = {**options, "connector.sink-partitioner-class": "com.example.Mine"}
    found = query(options, "INSERT INTO t SELECT 1;").spec.target
    assert isinstance(found, KafkaTarget)
    assert found.partitioner == expected


def test_connectors_with_a_version() -> None:
    options = {
        "connector": "kafka-0.11",
        "topic": "t",
        "properties.bootstrap.servers": "x:1",
        "scan.startup.mode": "earliest-offset",
        "format": "json",
    }
    found = planned(script(options))
    assert "'kafka-0.11' is read as 'kafka'" in found.notes[0]


REFUSED = {
    "UNKNOWN_OPTION": {"connector.color": "red"},
    "REFUSED_OPTION": {"update-mode": "retract"},
    "UNKNOWN_FORMAT": {"format.type": "xml"},
    "UNKNOWN_CONNECTOR": {"connector.type": "elasticsearch"},
}


@pytest.mark.parametrize(("code", "options"), REFUSED.items())
def test_refused(code: str, options: dict[str, str]) -> None:
    with pytest.raises(PenstockError) as caught:
        planned(script({**OLD, **options}))
    assert caught.value.code == code, str(caught.value)
