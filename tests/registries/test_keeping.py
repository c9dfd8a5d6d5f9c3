"""How long what a registry said is held to be true."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from penstock import Session
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.helpers import wait_until
from tests.kafka_table.tables import EARLIEST
from tests.registries.apicurio import Registry
from tests.registries.messages import written
from tests.registries.numbers import LOGIN, SCHEMA, basic, options, send
from tests.registries.proxy import door

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus
    from tests.kafka_table.tables import Tables

pytestmark = pytest.mark.kafka

_LOG = "'scan.deser.failure-handler' = 'log'"
_UNKNOWN = 2_147_483_647
_NOT_FOUND = (404, b'{"error_code": 40403, "message": "Schema not found"}')
_WAIT_S = 120


@pytest.mark.parametrize(("seconds", "asked"), [(None, 1), (0, 50)])
def test_an_unknown_id_is_asked_for_once_in_a_while(
    tables: Tables,
    registry: Registry,
    topic: Callable[..., str],
    seconds: int | None,
    asked: int,
) -> None:
    numbers = topic("numbers")
    produce(
        tables.properties, numbers, [Record(written(SCHEMA, _UNKNOWN, {"n": 1})) for _ in range(50)]
    )
    send(tables, registry, numbers, range(2))
    more = [_LOG]
    if seconds is not None:
        more.append(f"'avro-confluent.properties.missing.id.cache.ttl.sec' = '{seconds}'")
    with door(registry) as counted:
        tables.create("numbers", "n INT", options(numbers, counted.url, *more))
        found = tables.rows("SELECT n FROM numbers", "n INT")
        assert [row["n"] for row in found] == [0, 1]
        assert counted.requests.count(f"/schemas/ids/{_UNKNOWN}") == asked


def test_a_schema_that_nobody_can_read_is_asked_for_once(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    numbers = topic("numbers")
    answer = registry.ask(
        f"/subjects/{numbers}-value/versions",
        {"schema": 'syntax = "proto3"; message N { int32 n = 1; }', "schemaType": "PROTOBUF"},
    )
    message = Record(written(SCHEMA, answer["id"], {"n": 1}))
    produce(tables.properties, numbers, [message] * 20)
    with door(registry) as counted:
        tables.create("numbers", "n INT", options(numbers, counted.url, _LOG))
        assert tables.rows("SELECT n FROM numbers", "n INT") == []
        assert len(counted.requests) == 1


def test_an_id_that_becomes_known_is_read(
    tables: Tables,
    spark: SparkSession,
    broker: BrokerStatus,
    registry: Registry,
    topic: Callable[..., str],
    tmp_path: Path,
) -> None:
    numbers, copies = topic("numbers"), topic("copies")
    common = "'connector' = 'kafka', 'properties.bootstrap.servers' = 'x:1'"
    with door(registry) as late:
        late.answers = [_NOT_FOUND]
        script = f"""
        CREATE TABLE numbers (n INT) WITH ({common}, 'topic' = '{numbers}', {_LOG}, {EARLIEST},
          'format' = 'avro-confluent', 'avro-confluent.url' = '{late.url}',
          'avro-confluent.properties' = 'missing.id.cache.ttl.sec:1');
        CREATE TABLE copies (n INT) WITH ({common}, 'topic' = '{copies}', 'format' = 'json');
        INSERT INTO copies SELECT n FROM numbers;
        """
        session = Session(spark, bootstrap=broker.address, state_dir=tmp_path)
        send(tables, registry, numbers, range(1))
        job = session.execute(script, name="copying")
        wait_until(lambda: not late.answers, timeout_s=_WAIT_S)
        time.sleep(1.1)
        send(tables, registry, numbers, range(1, 2))
        wait_until(lambda: len(late.requests) == 2, timeout_s=_WAIT_S)
        job.stop()
        assert session.execute(script, name="copying", drain=True).wait(_WAIT_S)
    found = consume(tables.properties, copies, from_beginning=True, until_end=True)
    assert [json.loads(record.value or b"")["n"] for record in found] == [1]


def test_a_later_job_sees_the_registry_as_it_is(
    tables: Tables, program: Path, topic: Callable[..., str], tmp_path: Path
) -> None:
    words, more = topic("words"), topic("more")
    word = {"name": "word", "type": "string"}
    old = {"type": "record", "name": "Word", "fields": [word]}
    new = {**old, "fields": [{"name": "length", "type": "long"}, word]}
    first = Registry(program, _folder(tmp_path, "first"))
    tables.create("words", "word STRING", options(words, first.url))
    try:
        first.start()
        known = first.register("Word", old)
        produce(tables.properties, words, [Record(written(old, known, {"word": "x"}))])
        assert tables.rows("SELECT word FROM words", "word STRING") == [{"word": "x"}]
        tables.run("INSERT INTO words VALUES ('y');")
    finally:
        first.stop()
    second = Registry(program, _folder(tmp_path, "second"), port=first.port)
    try:
        second.start()
        assert second.register("Word", new) == known
        produce(tables.properties, more, [Record(written(new, known, {"length": 1, "word": "z"}))])
        select = f"SELECT word FROM words /*+ OPTIONS('topic' = '{more}') */"
        assert tables.rows(select, "word STRING") == [{"word": "z"}]
        tables.run("INSERT INTO words VALUES ('y');")
        assert second.versions(f"{words}-value") == [1]
    finally:
        second.stop()


def _folder(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    return folder


def test_a_later_job_logs_in_anew(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    numbers = topic("numbers")
    send(tables, registry, numbers, range(1))
    with door(registry, basic(LOGIN)) as guarded:
        login = f"'avro-confluent.basic-auth.user-info' = '{LOGIN}'"
        tables.create("numbers", "n INT", options(numbers, guarded.url, login))
        assert tables.rows("SELECT n FROM numbers", "n INT") == [{"n": 0}]
        guarded.authorization = basic("ann:changed")
        hint = "/*+ OPTIONS('avro-confluent.basic-auth.user-info' = 'ann:changed') */"
        assert tables.rows(f"SELECT n FROM numbers {hint}", "n INT") == [{"n": 0}]
        assert len(guarded.requests) == 2
