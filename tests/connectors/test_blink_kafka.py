"""Blink's Kafka tables: options → what is read and written, what is refused, what is noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.catalog.connect import Overrides
from penstock.connectors.kafka_specs import KafkaSource, KafkaTarget
from penstock.errors import PenstockError
from penstock.plan.script import plan_script
from penstock.plan.walk import scans
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from penstock.plan.query import Query, ScriptPlan

SOURCE = (
    "messageKey VARBINARY, `message` VARBINARY, topic VARCHAR, `partition` INT, `offset` BIGINT"
)
SINK = "messageKey VARBINARY, `message` VARBINARY, PRIMARY KEY (messageKey)"
BASE = "type = 'KAFKA010', topic = 't', bootstrap.servers = 'x:1'"


def plan(options: str = "", *, source: str = SOURCE, sink: str = SINK) -> ScriptPlan:
    script = f"""create table src ({source}) with ({BASE}{options});
    create table dst ({sink}) with (type = 'kafka011', topic = 'u', bootstrap.servers = 'x:1');
    INSERT INTO dst SELECT messageKey, `message` FROM src;"""
    return plan_script(parse(script), name="blink")


def source_of(query: Query) -> KafkaSource:
    source = scans(query.input)[0].spec.source
    assert isinstance(source, KafkaSource)
    return source


def test_a_message_is_its_bytes() -> None:
    (query,) = plan().queries
    target = query.spec.target
    assert isinstance(target, KafkaTarget)
    assert (target.topics[0], dict(target.properties)["bootstrap.servers"]) == ("u", "x:1")
    assert query.spec.columns == (("key", "`messageKey`"), ("value", "`message`"))
    spec = scans(query.input)[0].spec
    assert [(name, sql) for name, sql, _ in spec.columns] == [
        ("messageKey", "key"),
        ("message", "value"),
        ("topic", "topic"),
        ("partition", "partition"),
        ("offset", "offset"),
    ]


STARTUPS = {
    "": ("group-offsets", None),
    ", startupMode = 'earliest'": ("earliest-offset", None),
    ", STARTUPMODE = 'LATEST'": ("latest-offset", None),
    ", startupMode = 'TIMESTAMP', startTimeMs = '1000'": ("timestamp", 1000),
    ", startupMode = 'TIMESTAMP', startTime = '1970-01-01 08:00:01', timeZone = 'Asia/Shanghai'": (
        "timestamp",
        1000,
    ),
}


@pytest.mark.parametrize(("options", "expected"), STARTUPS.items())
def test_startup_modes(options: str, expected: tuple[str, int | None]) -> None:
    startup = source_of(plan(options).queries[0]).startup
    assert (startup.mode, startup.timestamp_ms) == expected


def test_client_parameters_by_their_names_of_today() -> None:
    options = """, group.id = 'g', auto.offset.reset = 'smallest', fetch.message.max.bytes = '1',
    fetch.wait.max.ms = '2', socket.receive.buffer.bytes = '3', fetch.min.bytes = '4',
    extraConfig = 'client.id=c; isolation.level=read_committed', consumer.id = 'x',
    zookeeper.session.timeout.ms = '5', offsets.storage = 'zookeeper'"""
    found = plan(options)
    source = source_of(found.queries[0])
    assert (source.startup.group_id, source.startup.reset) == ("g", "earliest")
    properties = dict(source.properties)
    assert [properties[key] for key in ("max.partition.fetch.bytes", "fetch.max.wait.ms")] == [
        "1",
        "2",
    ]
    assert properties["receive.buffer.bytes"] == "3"
    assert properties["isolation.level"] == "read_committed"
    assert [note.split("'")[1] for note in found.notes] == [
        "consumer.id",
        "zookeeper.session.timeout.ms",
        "offsets.storage",
    ]


def test_old_kafka_needs_its_brokers_named() -> None:
    script = f"""create table src ({SOURCE}) with (
      type = 'kafka08', topic = 't', zookeeper.connect = 'z:2181');"""
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(script), name="blink")
    assert (caught.value.code, str(caught.value.span)) == ("MISSING_OPTION", "2:38")
    assert "--bootstrap HOST:PORT" in str(caught.value)


@pytest.mark.parametrize("version", ["kafka08", "kafka09", "Kafka010", "KAFKA011"])
def test_every_version_is_written_alike(version: str) -> None:
    script = f"""create table dst ({SINK}) with (
      type = '{version}', topic = 'u', zookeeper.connect = 'z:2181', client.id = 'c');
    INSERT INTO dst SELECT CAST('k' AS VARBINARY), CAST('v' AS VARBINARY);"""
    overrides = Overrides(bootstrap="x:1")
    (query,) = plan_script(parse(script), name="blink", overrides=overrides).queries
    target = query.spec.target
    assert isinstance(target, KafkaTarget)
    properties = dict(target.properties)
    assert (properties["bootstrap.servers"], properties["client.id"]) == ("x:1", "c")
    assert [sql for _, sql in query.spec.columns] == ["`messageKey`", "`message`"]


def test_topics_by_a_pattern() -> None:
    script = f"""create table src ({SOURCE}) with (
      type = 'kafka010', topicPattern = 'log-.*', bootstrap.servers = 'x:1',
      partitionDiscoveryIntervalMS = '60000');
    create table dst ({SINK}) with (type = 'kafka011', topic = 'u', bootstrap.servers = 'x:1');
    INSERT INTO dst SELECT messageKey, `message` FROM src;"""
    source = source_of(plan_script(parse(script), name="blink").queries[0])
    assert (source.topics, source.pattern) == ((), "log-.*")
    assert source.reading.discovery_ms == 60_000


REFUSED = {
    "INVALID_OPTION_VALUE": {"options": ", auto.offset.reset = 'sometimes'"},
    "UNKNOWN_OPTION": {"options": ", startupMoed = 'EARLIEST'"},
    "CONFLICTING_OPTIONS": {"options": ", startupMode = 'TIMESTAMP'"},
    "INVALID_QUERY": {"source": "messageKey VARBINARY, `message` VARBINARY, id BIGINT"},
    "UNCASTABLE": {"source": "messageKey VARBINARY, `message` ARRAY<INT>"},
}


@pytest.mark.parametrize(("code", "arguments"), REFUSED.items())
def test_refused(code: str, arguments: dict[str, str]) -> None:
    with pytest.raises(PenstockError) as caught:
        plan(**arguments)
    assert caught.value.code == code, str(caught.value)


@pytest.mark.parametrize(
    "sink",
    [
        "messageKey VARBINARY, `message` VARBINARY",
        "messageKey VARBINARY, topic VARCHAR, PRIMARY KEY (messageKey)",
    ],
)
def test_a_sink_is_a_key_and_a_message(sink: str) -> None:
    with pytest.raises(PenstockError) as caught:
        plan(sink=sink)
    assert caught.value.code == "INVALID_QUERY"
