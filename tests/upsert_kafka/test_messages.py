"""What `upsert-kafka` makes of messages: partitions, order, deletions, and what cannot be read."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING

import pytest
from confluent_kafka import Producer

from penstock.errors import PenstockError
from penstock.kafka import admin
from tests.helpers import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.upsert_kafka.upserts import Upserts

pytestmark = pytest.mark.kafka

PARTITIONS = 4
KEYS = 23
# The cleaner of the broker looks every 15 s for what it may remove, in segments that are closed.
COMPACTED = {
    "cleanup.policy": "compact",
    "segment.ms": "100",
    "max.compaction.lag.ms": "100",
    "min.cleanable.dirty.ratio": "0.01",
    "delete.retention.ms": "0",
}
ITEMS = "id INT, name STRING NOT NULL, PRIMARY KEY (id) NOT ENFORCED"


def test_rows_of_a_key_stay_in_its_partition_and_in_order(
    upserts: Upserts, topic: Callable[..., str]
) -> None:
    numbers = topic("numbers")
    usual, spread, others = (topic(name, partitions=PARTITIONS) for name in ("a", "b", "c"))
    rows = [{"name": f"key {n % KEYS}", "n": n} for n in range(KEYS * 9)]
    upserts.send(numbers, rows)
    upserts.create(
        "numbers",
        "name STRING, n INT",
        numbers,
        connector="kafka",
        scan__startup__mode="earliest-offset",
        format="json",
    )
    sink = "name STRING, n INT, PRIMARY KEY (name) NOT ENFORCED"
    upserts.create("usual", sink, usual)
    upserts.create("spread", sink, spread, sink__parallelism="3")
    upserts.run(
        "INSERT INTO usual SELECT * FROM numbers; INSERT INTO spread SELECT * FROM numbers;",
        penstock__max_offsets_per_batch="40",
    )
    expected = _partitions_by_murmur2(upserts, others)
    for name in (usual, spread):
        found: dict[bytes | None, list[int]] = {}
        for record in upserts.records(name):
            assert record.partition == expected[record.key]
            found.setdefault(record.key, []).append(json.loads(record.value or b"")["n"])
        assert found == {_key(k): list(range(k, KEYS * 9, KEYS)) for k in range(KEYS)}, (
            "the rows of a key come in their order"
        )


def _key(number: int) -> bytes:
    return json.dumps({"name": f"key {number}"}, separators=(",", ":")).encode()


def _partitions_by_murmur2(upserts: Upserts, topic: str) -> dict[bytes | None, int | None]:
    """Where another client sends the same keys, by the hash of Kafka's own."""
    producer = Producer({**upserts.properties, "partitioner": "murmur2_random"})
    for number in range(KEYS):
        producer.produce(topic, key=_key(number), value=b"")
    producer.flush()
    return {record.key: record.partition for record in upserts.records(topic)}


def test_only_a_message_without_a_value_deletes(
    upserts: Upserts, topic: Callable[..., str]
) -> None:
    items, letters, notes = topic("items"), topic("letters"), topic("notes")
    upserts.send(
        items,
        [
            {"key": {"id": 1}, "value": {"id": 1, "name": "saw"}},
            {"key": {"id": 2}, "value": {"id": 2, "name": "nail"}},
            {"key": {"id": 3}, "value": {"id": 3, "name": "bolt"}},
            {"key": {"id": 1}, "value": "{broken"},
            {"key": None, "value": {"id": 9, "name": "without a key"}},
            {"key": {"id": 2}, "value": None},
            {"key": "{broken", "value": None},
            {"key": {"id": 4}, "value": {"id": 4, "name": "drill"}},
        ],
    )
    handled = {
        "logged": {"scan__deser__failure_handler": "log"},
        "lettered": {
            "scan__deser__failure_handler": "kafka",
            "scan__deser__failure_topic": letters,
        },
        "ignored": {
            "key__json__ignore_parse_errors": "true",
            "value__json__ignore_parse_errors": "true",
        },
    }
    results = {name: topic(name) for name in handled}
    statements = ""
    for name, options in handled.items():
        upserts.create(name, ITEMS, items, **options)
        upserts.create(f"of_{name}", ITEMS, results[name])
        # The one passes messages on, the others must know the row that goes.
        where = "" if name == "logged" else "WHERE name <> 'bolt'"
        statements += f"INSERT INTO of_{name} SELECT * FROM {name} {where};"
    upserts.create(
        "notes",
        "id INT, note STRING, PRIMARY KEY (id) NOT ENFORCED",
        notes,
        value__format="raw",
        value__fields_include="EXCEPT_KEY",
    )
    statements += "INSERT INTO notes SELECT id, NULLIF(name, 'bolt') FROM logged;"
    upserts.run(statements)
    kept = {(1,): {"id": 1, "name": "saw"}, (4,): {"id": 4, "name": "drill"}}
    bolt = {(3,): {"id": 3, "name": "bolt"}}
    assert upserts.table(results["logged"]) == kept | bolt
    assert upserts.table(results["lettered"]) == kept
    assert upserts.table(results["ignored"]) == kept
    assert len(upserts.records(letters)) == 2
    # A column of raw bytes that is NULL is a message without a value.
    assert {record.key: record.value for record in upserts.records(notes)} == {
        b'{"id":1}': b"saw",
        b'{"id":2}': None,
        b'{"id":3}': None,
        b'{"id":4}': b"drill",
    }


def test_an_update_of_a_database_is_one_message(
    upserts: Upserts, topic: Callable[..., str]
) -> None:
    changes, copy = topic("changes"), topic("copy")
    saw, axe = {"id": 1, "name": "saw"}, {"id": 1, "name": "axe"}
    upserts.send(
        changes,
        [
            {"before": None, "after": saw, "op": "c"},
            {"before": saw, "after": axe, "op": "u"},
            {"before": axe, "after": {"id": 2, "name": "axe"}, "op": "u"},
            {"before": {"id": 2, "name": "axe"}, "after": None, "op": "d"},
        ],
    )
    upserts.create(
        "changes",
        ITEMS,
        changes,
        connector="kafka",
        scan__startup__mode="earliest-offset",
        format="debezium-json",
    )
    upserts.create("copy", ITEMS, copy)
    upserts.run("INSERT INTO copy SELECT id, UPPER(name) FROM changes;")
    found = [(record.key, record.value) for record in upserts.records(copy)]
    one, two = b'{"id":1}', b'{"id":2}'
    assert found == [
        (one, b'{"id":1,"name":"SAW"}'),
        (one, b'{"id":1,"name":"AXE"}'),
        # The old row goes only where the new one has another key.
        (one, None),
        (two, b'{"id":2,"name":"AXE"}'),
        (two, None),
    ]


def test_a_value_that_cannot_be_read_stops_the_job(
    upserts: Upserts, topic: Callable[..., str]
) -> None:
    items, copy = topic("items"), topic("copy")
    upserts.send(items, [{"key": {"id": 1}, "value": "{broken"}])
    upserts.create("items", ITEMS, items)
    upserts.create("copy", ITEMS, copy)
    with pytest.raises(PenstockError, match="items"):
        upserts.run("INSERT INTO copy SELECT * FROM items;")
    assert upserts.records(copy) == []


@pytest.mark.slow
def test_a_compacted_topic_is_the_same_table(upserts: Upserts, topic: Callable[..., str]) -> None:
    items, copy = f"compacted_{uuid.uuid4().hex[:8]}", topic("copy")
    admin.create_topic(upserts.properties, items, config=COMPACTED)
    versions = [
        {"key": {"id": n % 5}, "value": {"id": n % 5, "name": f"version {n}"}} for n in range(50)
    ]
    upserts.send(items, [*versions, {"key": {"id": 4}, "value": None}])

    def is_compacted() -> bool:
        upserts.send(items, [{"key": {"id": 0}, "value": {"id": 0, "name": "last"}}])
        return len(upserts.records(items)) < len(versions)

    wait_until(is_compacted, timeout_s=120)
    upserts.create("items", ITEMS, items)
    upserts.create("copy", ITEMS, copy)
    upserts.run("INSERT INTO copy SELECT * FROM items WHERE id <> 3;")
    expected = {n: f"version {45 + n}" for n in (1, 2)} | {0: "last"}
    assert upserts.table(copy) == {(n,): {"id": n, "name": v} for n, v in expected.items()}
