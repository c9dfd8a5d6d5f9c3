"""How a registry is reached, and what becomes of a job whose registry does not answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError, Session
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from tests.helpers import wait_until
from tests.kafka_table.tables import EARLIEST
from tests.registries.apicurio import Registry, free_port
from tests.registries.functions import decoded
from tests.registries.messages import written
from tests.registries.numbers import LOGIN, QUICK, SCHEMA, basic, options, send
from tests.registries.proxy import door
from tests.security.certificates import PASSWORD, Certificates, make_certificates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus
    from tests.kafka_table.tables import Tables

pytestmark = pytest.mark.kafka

_WAIT_S = 120


@pytest.mark.parametrize("way", ["user-info", "url", "token", "properties"])
def test_logins(tables: Tables, registry: Registry, topic: Callable[..., str], way: str) -> None:
    numbers = topic("numbers")
    send(tables, registry, numbers, range(3))
    with door(registry, "Bearer hunter2" if way == "token" else basic(LOGIN)) as guarded:
        given = {
            "user-info": f"'avro-confluent.basic-auth.user-info' = '{LOGIN}', "
            "'avro-confluent.basic-auth.credentials-source' = 'USER_INFO'",
            "url": "'avro-confluent.basic-auth.credentials-source' = 'URL'",
            "token": "'avro-confluent.bearer-auth.token' = 'hunter2', "
            "'avro-confluent.bearer-auth.credentials-source' = 'STATIC_TOKEN'",
            "properties": f"'avro-confluent.properties' = 'basic.auth.user.info:{LOGIN}'",
        }[way]
        url = guarded.url.replace("//", f"//{LOGIN}@") if way == "url" else guarded.url
        tables.create("numbers", "n INT", options(numbers, url, given))
        found = tables.rows("SELECT n FROM numbers", "n INT")
        assert [row["n"] for row in found] == [0, 1, 2]
        # One schema is asked for once.
        assert len(guarded.requests) == 1


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def secured(
    program: Path, certificates: Certificates, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Registry, str]]:
    """A registry that demands a client's certificate at its secure port."""
    port = free_port()
    settings = {
        "quarkus.http.ssl-port": str(port),
        "quarkus.http.ssl.certificate.key-store-file": str(certificates.store("server")),
        "quarkus.http.ssl.certificate.key-store-password": PASSWORD,
        "quarkus.http.ssl.certificate.trust-store-file": str(certificates.trust("p12")),
        "quarkus.http.ssl.certificate.trust-store-password": PASSWORD,
        "quarkus.http.ssl.client-auth": "required",
    }
    running = Registry(program, tmp_path_factory.mktemp("secured"), settings)
    running.start()
    yield running, f"https://localhost:{port}/apis/ccompat/v7"
    running.stop()


@pytest.mark.parametrize("kind", ["p12", "jks", "pem"])
def test_secure_connections(
    tables: Tables,
    secured: tuple[Registry, str],
    certificates: Certificates,
    topic: Callable[..., str],
    kind: str,
) -> None:
    registry, url = secured
    numbers = topic("numbers")
    send(tables, registry, numbers, range(2))
    password = "" if kind == "pem" else PASSWORD
    stores = [
        f"'avro-confluent.ssl.truststore.location' = '{certificates.trust(kind)}'",
        f"'avro-confluent.ssl.keystore.location' = '{certificates.store('client', kind)}'",
    ]
    if password:
        stores += [
            f"'avro-confluent.ssl.truststore.password' = '{password}'",
            f"'avro-confluent.ssl.keystore.password' = '{password}'",
        ]
    tables.create("numbers", "n INT", options(numbers, url, *stores))
    assert len(tables.rows("SELECT n FROM numbers", "n INT")) == 2


def test_a_registry_that_is_not_trusted(
    tables: Tables, secured: tuple[Registry, str], topic: Callable[..., str]
) -> None:
    registry, url = secured
    numbers = topic("numbers")
    send(tables, registry, numbers, range(2))
    tables.create("numbers", "n INT", options(numbers, url, QUICK))
    with pytest.raises(PenstockError) as caught:
        tables.rows("SELECT n FROM numbers", "n INT")
    assert caught.value.code == "REGISTRY_REFUSED"
    assert "no secure connection: PKIX path building failed" in caught.value.text


def test_a_registry_that_cannot_answer_now_is_asked_again(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    numbers = topic("numbers")
    send(tables, registry, numbers, range(2))
    with door(registry) as slow:
        slow.answers = [(503, b"out of order")] * 2
        tables.create("numbers", "n INT", options(numbers, slow.url, QUICK))
        assert len(tables.rows("SELECT n FROM numbers", "n INT")) == 2
        assert len(slow.requests) == 3


@pytest.mark.parametrize("handler", ["fail", "log", "skip"])
def test_no_message_is_left_out_because_of_a_registry(spark: SparkSession, handler: str) -> None:
    row = decoded(f"http://localhost:{free_port()}", handler=handler)
    with pytest.raises(Exception, match="PENSTOCK_REGISTRY_LOST table=numbers option=avro-conf"):
        spark.range(1).selectExpr(row).collect()


def test_any_address_of_a_registry_will_do(
    tables: Tables, registry: Registry, topic: Callable[..., str]
) -> None:
    numbers = topic("numbers")
    send(tables, registry, numbers, range(2))
    url = f"http://localhost:{free_port()}, {registry.url}/"
    tables.create("numbers", "n INT", options(numbers, url))
    assert len(tables.rows("SELECT n FROM numbers", "n INT")) == 2


def test_nothing_is_lost_while_a_registry_is_down(
    tables: Tables,
    spark: SparkSession,
    broker: BrokerStatus,
    program: Path,
    topic: Callable[..., str],
    tmp_path: Path,
) -> None:
    registry = Registry(program, tmp_path)
    registry.start()
    numbers, copies = topic("numbers"), topic("copies")
    common = "'connector' = 'kafka', 'properties.bootstrap.servers' = 'x:1'"
    script = f"""
    CREATE TABLE numbers (n INT) WITH ({common}, 'topic' = '{numbers}',
      'format' = 'avro-confluent', 'avro-confluent.url' = '{registry.url}', {QUICK}, {EARLIEST});
    CREATE TABLE copies (n INT) WITH ({common}, 'topic' = '{copies}', 'format' = 'json');
    INSERT INTO copies SELECT n FROM numbers;
    """
    session = Session(spark, bootstrap=broker.address, state_dir=tmp_path / "state")
    try:
        send(tables, registry, numbers, range(5))
        assert session.execute(script, name="copying", drain=True).wait(_WAIT_S)
        newer = {**SCHEMA, "fields": [*SCHEMA["fields"], {"name": "more", "type": "int"}]}
        known = registry.register(f"{numbers}-value", newer)
        produce(
            tables.properties,
            numbers,
            [Record(written(newer, known, {"n": n, "more": 0})) for n in range(5, 8)],
        )
        registry.stop()
        job = session.execute(script, name="copying")
        wait_until(lambda: not job.is_active, timeout_s=_WAIT_S)
        with pytest.raises(PenstockError) as caught:
            job.wait(_WAIT_S)
        assert caught.value.code == "REGISTRY_LOST"
        assert registry.url in caught.value.text and "ConnectException" in caught.value.text
        registry.start()
        assert session.execute(script, name="copying", drain=True).wait(_WAIT_S)
    finally:
        registry.stop()
    found = consume(tables.properties, copies, from_beginning=True, until_end=True)
    assert [json.loads(record.value or b"")["n"] for record in found] == list(range(8))
