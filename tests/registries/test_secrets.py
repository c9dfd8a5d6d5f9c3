"""Logins of a registry: whose they are, and where they may not be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from penstock import Session
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.registries.messages import written
from tests.registries.numbers import LOGIN, SCHEMA, basic, options, send
from tests.registries.proxy import door

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus
    from tests.kafka_table.tables import Tables
    from tests.registries.apicurio import Registry

pytestmark = pytest.mark.kafka

_WAIT_S = 120
_OTHER = "bob:sesame"


def _login(login: str) -> str:
    return f"'avro-confluent.basic-auth.user-info' = '{login}'"


def test_each_reading_of_a_table_has_its_own_login(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    numbers = topic("numbers")
    send(tables, registry, numbers, range(2))
    with door(registry, basic(LOGIN)) as first, door(registry, basic(_OTHER)) as second:
        tables.create("numbers", "n INT", options(numbers, first.url, _login(LOGIN)))
        other = f"'avro-confluent.url' = '{second.url}', {_login(_OTHER)}"
        select = f"SELECT n FROM numbers UNION ALL SELECT n FROM numbers /*+ OPTIONS({other}) */"
        found = tables.rows(select, "n INT")
    assert sorted(row["n"] for row in found) == [0, 0, 1, 1]


def test_tables_of_one_name_have_their_own_logins(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    numbers = topic("numbers")
    send(tables, registry, numbers, range(2))
    tables.statement("CREATE DATABASE other;")
    with door(registry, basic(LOGIN)) as first, door(registry, basic(_OTHER)) as second:
        tables.create("numbers", "n INT", options(numbers, first.url, _login(LOGIN)))
        tables.create("other.numbers", "n INT", options(numbers, second.url, _login(_OTHER)))
        select = "SELECT n FROM other.numbers UNION ALL SELECT n FROM numbers"
        found = tables.rows(select, "n INT")
    assert sorted(row["n"] for row in found) == [0, 0, 1, 1]


def test_no_secret_is_in_any_text(
    spark: SparkSession,
    broker: BrokerStatus,
    registry: Registry,
    topic: Callable[..., str],
    tmp_path: Path,
) -> None:
    numbers, copies = topic("numbers"), topic("copies")
    properties = {"bootstrap.servers": broker.address}
    known = registry.register(f"{numbers}-value", SCHEMA)
    produce(properties, numbers, [Record(written(SCHEMA, known, {"n": 1}))])
    with door(registry, basic(LOGIN)) as guarded:
        login = f"'avro-confluent.basic-auth.user-info' = '{LOGIN}'"
        with_login = f"'avro-confluent.properties' = 'basic.auth.user.info:{LOGIN}'"
        script = f"""
        CREATE TABLE numbers (n INT) WITH ('connector' = 'kafka',
          'properties.bootstrap.servers' = 'x:1', {options(numbers, guarded.url, login)});
        CREATE TABLE copies (n INT) WITH ('connector' = 'kafka',
          'properties.bootstrap.servers' = 'x:1', {options(copies, guarded.url, with_login)});
        INSERT INTO copies SELECT n FROM numbers;
        """
        session = Session(spark, bootstrap=broker.address, state_dir=tmp_path)
        for _ in range(2):
            job = session.execute(script, name="secretive", drain=True)
            assert job.wait(_WAIT_S)
    assert len(list(consume(properties, copies, from_beginning=True, until_end=True))) == 2
    kept = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert kept
    assert not any(b"hunter2" in content for content in kept)
    plans = _plans(spark)
    assert "${secret:numbers/avro-confluent.basic-auth.user-info}" in plans
    assert "hunter2" not in plans


def _plans(spark: SparkSession) -> str:
    """Every plan that Spark has kept for its own pages (of some executions it keeps none)."""
    java: Any = spark._jsparkSession
    executions = java.sharedState().statusStore().executionsList()
    kept = [executions.apply(i).physicalPlanDescription() for i in range(executions.size())]
    return "\n".join(filter(None, kept))
