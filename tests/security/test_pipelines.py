"""Kafka to Kafka through Spark, in every way a cluster can be secured; no secret is left behind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError, Session
from penstock.cli.status import status_text
from penstock.kafka import records
from penstock.kafka.record import Record
from penstock.plan.explain import explain
from penstock.plan.explain_graph import explain_json
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.security.cluster import LOGIN_PASSWORD, USER
from tests.security.scripts import left_behind, script_of, with_letters
from tests.security.ways import NAMED, WAYS, Way, options_of, write_credentials

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.security.cluster import Cluster

pytestmark = [pytest.mark.kafka, pytest.mark.spark]

_WAIT_S = 150
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
    assert job.wait(_WAIT_S)
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


_UPSERTS = """
CREATE TABLE items (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = '{items}', 'key.format' = 'json',
  'value.format' = 'json'{options}
);
CREATE TABLE copies (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = '{copies}', 'key.format' = 'json',
  'value.format' = 'json'{options}
);
INSERT INTO copies SELECT id, UPPER(name) FROM items WHERE name <> 'nail';
"""
# The first three come in one batch.
_CHANGES = [(1, "saw"), (2, "nail"), (3, "bolt"), (1, "nail"), (2, "axe"), (3, None)]
_COPIED = {1: [b'{"id":1,"name":"SAW"}', None], 2: [b'{"id":2,"name":"AXE"}']}
_COPIED[3] = [b'{"id":3,"name":"BOLT"}', None]


def test_upserts_and_deletions_pass_with_a_login(
    cluster: Cluster, spark: SparkSession, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    items, copies = cluster.topic("items"), cluster.topic("copies")
    changes = [
        Record(
            None if name is None else json.dumps({"id": key, "name": name}).encode(),
            key=json.dumps({"id": key}).encode(),
        )
        for key, name in _CHANGES
    ]
    records.produce(cluster.properties, items, changes)
    (way,) = (way for way in WAYS if way.name == "plain")
    options = "".join(f", '{k}' = '{v}'" for k, v in options_of(cluster, way).items())
    script = _UPSERTS.format(items=items, copies=copies, options=options)
    session = Session(spark, state_dir=tmp_path / "state")
    settings = {"penstock.max-offsets-per-batch": "3"}
    assert session.execute(script, name="upserts", settings=settings, drain=True).wait(_WAIT_S)
    found: dict[int, list[bytes | None]] = {key: [] for key in _COPIED}
    for record in records.consume(cluster.properties, copies, from_beginning=True, until_end=True):
        found[json.loads(record.key or b"")["id"]].append(record.value)
    assert found == _COPIED
    plan = plan_script(parse(script), name="upserts")
    shown = explain(plan) + explain_json(plan)
    shown += status_text("upserts", tmp_path / "state", as_json=True)
    assert "hunter2" not in shown
    assert left_behind(tmp_path / "state", spark, capfd) == []
