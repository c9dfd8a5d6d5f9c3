"""Kafka to Kafka through Spark, in every way a cluster can be secured; no secret is left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError, Session
from tests.security.cluster import LOGIN_PASSWORD, USER
from tests.security.scripts import left_behind, script_of, with_letters
from tests.security.ways import NAMED, WAYS, Way, write_credentials

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.security.cluster import Cluster

pytestmark = [pytest.mark.kafka, pytest.mark.spark]

_BAD = b'{"n":'
_ROWS = [b'{"n":1}', b'{"n":2}', b'{"n":3}']
_LOGIN = "kafka_sasl_username = '{user}', kafka_sasl_password = '{password}'"


@pytest.mark.parametrize("way", [*WAYS, *NAMED], ids=lambda way: way.name)
def test_rows_pass_and_secrets_do_not(
    cluster: Cluster,
    spark: SparkSession,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    way: Way,
) -> None:
    source, sink = cluster.topic("source", [_BAD, *_ROWS]), cluster.topic("sink")
    letters = cluster.topic("letters")
    extra = with_letters(letters)
    script = script_of(cluster, way, source=source, sink=sink, extra=extra)
    credentials = write_credentials(tmp_path / "credentials.ini", cluster)
    session = Session(spark, state_dir=tmp_path / "state", credentials=credentials)
    settings = {"penstock.credentials": way.default} if way.default else {}
    job = session.execute(script, name=way.name, settings=settings, drain=True)
    assert job.wait(60)
    assert cluster.read(sink) == _ROWS
    assert cluster.read(letters) == [_BAD]
    assert left_behind(tmp_path / "state", spark, capfd) == []


@pytest.mark.parametrize(
    ("listener", "settings"),
    [
        ("LOGIN", f"kafka_sasl_mechanism = 'PLAIN', {_LOGIN}"),
        ("SECURE", f"kafka_sasl_mechanism = 'SCRAM-SHA-512', {_LOGIN}"),
    ],
    ids=["plain", "scram-tls"],
)
def test_settings_of_clickhouse_log_in(
    cluster: Cluster,
    spark: SparkSession,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    listener: str,
    settings: str,
) -> None:
    """What signs the broker stands in ClickHouse's own configuration: here it has a name."""
    source, sink = cluster.topic("source", _ROWS), cluster.topic("sink")
    protocol = {"LOGIN": "sasl_plaintext", "SECURE": "sasl_ssl"}[listener]
    trust = "" if listener == "LOGIN" else ", penstock_credentials = 'certificates'"

    def script(password: str) -> str:
        login = settings.format(user=USER, password=password.replace("\\", r"\\"))
        tables = (
            f"CREATE TABLE {name} (n Int64) ENGINE = Kafka SETTINGS kafka_topic_list = '{topic}', "
            f"kafka_broker_list = '{cluster.listeners[listener]}', kafka_group_name = '{source}', "
            f"kafka_format = 'JSONEachRow', kafka_security_protocol = '{protocol}', {login}{trust};"
            for name, topic in (("source", source), ("sink", sink))
        )
        view = "CREATE MATERIALIZED VIEW v TO sink AS SELECT n FROM source;"
        return f"-- dialect: clickhouse\n{''.join(tables)}{view}"

    credentials = write_credentials(tmp_path / "credentials.ini", cluster)
    session = Session(spark, state_dir=tmp_path / "state", credentials=credentials)
    with pytest.raises(PenstockError) as caught:
        session.execute(script("another-hunter2"), name=listener, drain=True).wait(60)
    assert caught.value.code == "KAFKA_REFUSED"
    job = session.execute(script(LOGIN_PASSWORD), name=listener, drain=True)
    assert job.wait(60)
    assert [value.strip() for value in cluster.read(sink)] == _ROWS
    assert left_behind(tmp_path / "state", spark, capfd) == []
