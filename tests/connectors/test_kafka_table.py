"""Options of Kafka tables → what is read and written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from penstock.connectors.kafka_specs import Bound, Partitioner, Reading, Startup
from penstock.model.option_list import separated
from penstock.plan.explain import explain
from penstock.plan.walk import scans
from tests.connectors.kafka_scripts import (
    BOUNDS,
    CREATED,
    WRITTEN,
    planned,
    script,
    source,
    target,
)

if TYPE_CHECKING:
    from pathlib import Path

LISTS = {
    "a;b": ("a", "b"),
    " a ; b;": ("a", "b"),
    "[a, b]": ("a", "b"),
    "['a,b', \"c\"]": ("a,b", "c"),
    "'a;b';\"c\"": ("a;b", "c"),
    "'it''s'": ("it's",),
}


@pytest.mark.parametrize(("text", "parts"), LISTS.items())
def test_lists(text: str, parts: tuple[str, ...]) -> None:
    assert separated(text) == parts


def test_topics_are_a_list() -> None:
    assert source({"topic": "['a.1', \"b-2\"]"}).topics == ("a.1", "b-2")


STARTUPS: dict[str, tuple[dict[str, str | None], Startup]] = {
    "group": (
        {
            "scan.startup.mode": None,
            "properties.group.id": "g",
            "properties.auto.offset.reset": "LATEST",
        },
        Startup("group-offsets", group_id="g", reset="latest"),
    ),
    "mode in any case": ({"scan.startup.mode": "Latest-Offset"}, Startup("latest-offset")),
    "reset in every mode": (
        {"properties.auto.offset.reset": "none"},
        Startup("earliest-offset", reset="none"),
    ),
    "time": (
        {"scan.startup.mode": "timestamp", "scan.startup.timestamp-millis": "1655395200000"},
        Startup("timestamp", timestamp_ms=1655395200000),
    ),
    "offsets": (
        {
            "scan.startup.mode": "specific-offsets",
            "scan.startup.specific-offsets": "partition:0,offset:100;partition:1,offset:9;"
            "partition:1,offset:-2;",
        },
        Startup("specific-offsets", offsets=((0, 100), (1, -2))),
    ),
}


@pytest.mark.parametrize(("options", "expected"), STARTUPS.values(), ids=STARTUPS)
def test_startup(options: dict[str, str | None], expected: Startup) -> None:
    assert source(options).startup == expected


UNBOUNDED: dict[str, str | None] = {"scan.bounded.mode": "UNBOUNDED"}
ENDS: dict[str, tuple[dict[str, str | None], Bound | None]] = {
    "unbounded": (UNBOUNDED, None),
    **BOUNDS,
}


@pytest.mark.parametrize(("options", "expected"), ENDS.values(), ids=ENDS)
def test_bound(options: dict[str, str | None], expected: Bound | None) -> None:
    found = source(options)
    assert found.bound == expected
    assert found.reading.discovery_ms == (0 if expected else 300_000)


def test_reading() -> None:
    assert source({}).reading == Reading()
    columns = "id BIGINT, e INT METADATA FROM 'leader-epoch', `header-list` " + (
        "ARRAY<ROW<k STRING, v BYTES>> METADATA"
    )
    options: dict[str, str | None] = {
        "scan.topic-partition-discovery.interval": "100 ms",
        "scan.watermark.idle-timeout": "5 s",
        "scan.parallelism": "7",
        "penstock.on-data-loss": "continue",
        "penstock.max-offsets-per-batch": "1000",
    }
    expected = Reading(
        headers=True,
        leader_epoch=True,
        discovery_ms=100,
        idle_timeout_ms=5000,
        parallelism=7,
        keep_going=True,
        max_offsets_per_batch=1000,
    )
    assert source(options, columns=columns).reading == expected
    never = {**options, "scan.topic-partition-discovery.interval": "0"}
    assert source(never, columns=columns).reading == replace(expected, discovery_ms=0)


def test_target() -> None:
    found = target({})
    assert (found.topics, found.pattern, found.guarantee) == (("t",), None, "at-least-once")
    assert (found.partitioner, found.parallelism) == (Partitioner(), None)
    found = target(
        {
            "sink.delivery-guarantee": "exactly-once",
            "sink.transactional-id-prefix": "p",
            "sink.parallelism": "3",
        }
    )
    assert (found.guarantee, found.transactional_id_prefix) == ("exactly-once", "p")
    assert found.parallelism == 3
    assert "topic 't', transactional ids 'p…'" in found.describe()


@pytest.mark.parametrize("semantic", ["none", "AT_LEAST_ONCE", "exactly-once"])
def test_the_older_name_of_the_guarantee_wins(semantic: str) -> None:
    found = target({"sink.semantic": semantic, "sink.transactional-id-prefix": "p"})
    assert found.guarantee == semantic.lower().replace("_", "-")


PARTITIONERS = {
    "default": Partitioner(),
    "round-robin": Partitioner(),
    "fixed": Partitioner("fixed"),
    "org.apache.flink.streaming.connectors.kafka.partitioner.FlinkFixedPartitioner": Partitioner(
        "fixed"
    ),
}


@pytest.mark.parametrize(("name", "expected"), PARTITIONERS.items())
def test_partitioners_by_name(name: str, expected: Partitioner) -> None:
    assert target({"sink.partitioner": name}).partitioner == expected


def test_partitioners_by_class(tmp_path: Path) -> None:
    (tmp_path / "ours.py").write_text("class ByCity: ...\n")
    folders = (str(tmp_path),)
    for name, kind in (
        ("ours.ByCity", "python"),
        ("json.JSONEncoder", "python"),
        ("com.example.ByCity", "java"),
        ("com.example.nested.Outer$ByCity", "java"),
    ):
        found = target({"sink.partitioner": name}, folders).partitioner
        assert (found.kind, found.name, found.folders) == (kind, name, folders)


def columns_of(options: dict[str, str | None], columns: str, values: str) -> dict[str, str]:
    text = script(options, columns=columns, use=f"INSERT INTO t SELECT {values};")
    return dict(planned(text).queries[0].spec.columns)


def test_written_metadata_in_the_order_of_the_columns() -> None:
    columns = """p INT METADATA FROM 'partition' VIRTUAL, at TIMESTAMP(3) METADATA FROM 'timestamp',
      id BIGINT, twice AS id * 2, topic STRING METADATA, headers MAP<STRING, BYTES> METADATA"""
    values = "TIMESTAMP '2020-03-08 13:12:11.123', 1, 'a', CAST(NULL AS MAP<STRING, BYTES>)"
    found = columns_of({"topic": "a;b"}, columns, values)
    assert list(found) == ["value", "timestamp", "topic", "headers"]
    assert found["timestamp"] == "CAST(`at` AS TIMESTAMP)"
    assert (found["topic"], found["headers"]) == ("`topic`", "map_entries(`headers`)")
    assert "'id', `id`" in found["value"]
    pattern = {"topic": None, "topic-pattern": "a.*"}
    assert columns_of(pattern, columns, values)["topic"] == "`topic`"


def test_a_list_of_headers_leaves_out_those_without_a_name() -> None:
    columns = "id BIGINT, l ARRAY<ROW<name STRING, content BYTES>> METADATA FROM 'header-list'"
    values = "1, ARRAY[ROW('k1', CAST('x' AS BYTES))]"
    found = columns_of({}, columns, values)["headers"]
    assert found.startswith("filter(CAST(`l` AS ARRAY<STRUCT<`key`: STRING, `value`: BINARY>>)")
    assert found.endswith("h -> h.key IS NOT NULL)")


READ_METADATA = {
    "topic STRING METADATA": "topic",
    "p BIGINT METADATA FROM 'partition'": "CAST(partition AS BIGINT)",
    "p STRING METADATA FROM 'partition'": "CAST(partition AS STRING)",
    "`leader-epoch` INT METADATA": "leaderEpoch",
    "`offset` BIGINT METADATA VIRTUAL": "offset",
    "`timestamp` TIMESTAMP(3) METADATA": "CAST(timestamp AS TIMESTAMP_NTZ)",
    "`timestamp` TIMESTAMP_LTZ(3) METADATA": "timestamp",
}


@pytest.mark.parametrize(("column", "sql"), READ_METADATA.items())
def test_read_metadata_in_the_declared_type(column: str, sql: str) -> None:
    (query,) = planned(script({}, columns=f"id BIGINT, {column}")).queries
    assert scans(query.input)[0].spec.columns[1][1] == sql


def test_key_in_its_own_order_and_value_without_it() -> None:
    columns = "k_user BIGINT, name STRING, k_event BIGINT, `user` INT"
    options: dict[str, str | None] = {
        "key.format": "csv",
        "key.csv.field-delimiter": "|",
        "key.fields": "k_event; k_user",
        "key.fields-prefix": "k_",
        "value.fields-include": "except_key",
        "value.format": "csv",
        "json.ignore-parse-errors": "true",
    }
    text = script(options, columns=columns, use="INSERT INTO t SELECT 1, 'a', 2, 3;")
    (query,) = planned(text).queries
    found = dict(query.spec.columns)
    assert "named_struct('event', `k_event`, 'user', `k_user`)" in found["key"]
    assert "named_struct('name', `name`, 'user', `user`)" in found["value"]
    # `format` wins over `value.format`.
    assert ("csv_encode" in found["key"], "json_encode" in found["value"]) == (True, True)


def test_in_both_key_and_value_the_value_is_read() -> None:
    options: dict[str, str | None] = {"key.format": "json", "key.fields": "id"}
    (query,) = planned(script(options)).queries
    spec = scans(query.input)[0].spec
    assert [name for name, _ in spec.decoded] == ["__key", "__value"]
    assert [sql for _, sql, _ in spec.columns] == ["__value.`id`", "__value.`name`"]


NOTED: dict[str, str | None] = {
    "properties.enable.auto.commit": "false",
    "properties.key.serializer": "org.apache.kafka.common.serialization.StringSerializer",
    "properties.value.serializer": "org.apache.kafka.common.serialization.ByteArraySerializer",
    "properties.key.deserializer": "org.apache.flink.kafka.shaded.org.apache.kafka.common."
    "serialization.ByteArrayDeserializer",
    "properties.partition.discovery.interval.ms": "1",
    "scan.watermark.emit.strategy": "on-event",
    "scan.watermark.alignment.group": "g",
    "scan.watermark.alignment.max-drift": "1 s",
    "sink.semantic": "none",
    "sink.transaction-naming-strategy": "pooling",
}


def test_notes_of_what_has_no_effect() -> None:
    found = planned(script(NOTED))
    passed_on = {"properties.value.serializer", "properties.key.deserializer"}
    assert [note.split("'")[1] for note in found.notes] == [k for k in NOTED if k not in passed_on]
    properties = dict(source(NOTED).properties)
    assert not {key.removeprefix("properties.") for key in NOTED} & properties.keys()


@pytest.mark.parametrize(
    ("options", "noted"),
    [
        ({"properties.acks": "0"}, "rows can be lost"),
        (
            {"sink.semantic": "at-least-once", "sink.delivery-guarantee": "none"},
            "'sink.delivery-guarantee' has no effect here: the older 'sink.semantic' counts",
        ),
    ],
)
def test_notes_of_weaker_guarantees(options: dict[str, str | None], noted: str) -> None:
    assert any(noted in note for note in planned(script(options)).notes)


def test_explain_says_what_is_not_the_default() -> None:
    columns = (
        "id BIGINT, ts TIMESTAMP(3), e INT METADATA FROM 'leader-epoch', WATERMARK FOR ts AS ts"
    )
    options: dict[str, str | None] = {
        "scan.topic-partition-discovery.interval": "0",
        "scan.watermark.idle-timeout": "1500 ms",
    }
    found = explain(planned(script(options, columns=columns)))
    assert "from earliest-offset, no new partitions, leader epochs by Penstock's own" in found
    assert "watermark: ts - 0 s, per partition, idle after 1.5 s" in found
    fixed = explain(planned(script({"sink.partitioner": "fixed"}, use=WRITTEN)))
    assert "topic 't', partitioner fixed (" in fixed
    assert "  guarantee: at-least-once" in fixed


def test_a_table_that_is_only_written_needs_no_group() -> None:
    for use in (CREATED, WRITTEN):
        planned(script({"scan.startup.mode": None}, use=use))
