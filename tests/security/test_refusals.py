"""What a cluster refuses is said within seconds: which table, why, what to do; nothing is lost."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from penstock import KafkaError, Session
from tests.helpers import wait_until
from tests.security.cluster import DENIED_USER, USER, allow_again, deny
from tests.security.scripts import left_behind, script_of, with_letters
from tests.security.ways import WAYS, Way

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.security.cluster import Cluster

pytestmark = [pytest.mark.kafka, pytest.mark.spark]

_TIMEOUT_S = 30
_ROWS = [b'{"n":1}', b'{"n":2}']
_BY_NAME = {way.name: way for way in WAYS}


def _changed(way: str, listener: str = "", **options: str | None) -> Way:
    """A way with other options; None leaves one out."""
    known = _BY_NAME[way]
    changed = {f"properties.{key.replace('__', '.')}": value for key, value in options.items()}
    kept = {**dict(known.options), **changed}
    pairs = tuple((key, value) for key, value in kept.items() if value is not None)
    return replace(known, options=pairs, listener=listener or known.listener)


def _as_user(way: str, user: str, password: str | None = None) -> Way:
    line = dict(_BY_NAME[way].options)["properties.sasl.jaas.config"].replace(USER, user)
    if password:
        line = line[: line.index("password")] + f'password="{password}";'
    return _changed(way, sasl__jaas__config=line)


MISTAKES = {
    "password": (
        _as_user("plain", USER, "wrong-hunter2"),
        "KAFKA_REFUSED",
        "Authentication failed: Invalid username or password.",
    ),
    "password-over-tls": (
        _as_user("scram-tls", USER, "wrong-hunter2"),
        "KAFKA_REFUSED",
        "Authentication failed during authentication due to invalid credentials",
    ),
    "mechanism": (
        _changed("plain", sasl__mechanism="GSSAPI"),
        "KAFKA_CLIENT_UNUSABLE",
        "No serviceName defined",
    ),
    "expired": (
        _changed("tls-jks", "EXPIRED"),
        "KAFKA_REFUSED",
        "the certificate of the broker expired on ",
    ),
    "untrusted": (
        _changed("tls-pem", "FOREIGN"),
        "KAFKA_REFUSED",
        "the truststore does not trust the certificate of the broker.",
    ),
    "no-truststore": (
        _changed(
            "tls-jks",
            ssl__truststore__location=None,
            ssl__truststore__password=None,
            ssl__truststore__type=None,
        ),
        "KAFKA_REFUSED",
        "the truststore does not trust the certificate of the broker.",
    ),
    "no-certificate": (_changed("tls-jks", "MUTUAL"), "KAFKA_REFUSED", "asks for a certificate"),
    "store-password": (
        _changed("tls-jks", ssl__truststore__password="wrong-hunter2"),
        "KAFKA_CLIENT_UNUSABLE",
        "trust.jks of type JKS",
    ),
    "no-such-store": (
        _changed("tls-jks", ssl__truststore__location="{folder}/nowhere.jks"),
        "KAFKA_CLIENT_UNUSABLE",
        "there is no file ",
    ),
    "jaas": (
        _changed("scram-tls", sasl__jaas__config="x.ScramLoginModule required password=hunter2"),
        "KAFKA_CLIENT_UNUSABLE",
        "No LoginModule found for x.ScramLoginModule.",
    ),
    "keytab": (
        _changed(
            "kerberos",
            sasl__jaas__config=dict(_BY_NAME["kerberos"].options)[
                "properties.sasl.jaas.config"
            ].replace("reader.keytab", "nowhere.keytab"),
        ),
        "KAFKA_CLIENT_UNUSABLE",
        "the keytab cannot be read, or has no key of the principal.",
    ),
    "plaintext-to-tls": (
        Way("none", "TLS", ()),
        "BROKER_UNREACHABLE",
        "answered at localhost:",
    ),
    "tls-to-plaintext": (
        _changed("tls-jks", "LOGIN"),
        "BROKER_UNREACHABLE",
        "does not answer as 'properties.security.protocol' lets expect",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_before_anything_starts(
    cluster: Cluster,
    spark: SparkSession,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    mistake: str,
) -> None:
    way, code, reason = MISTAKES[mistake]
    source, sink = cluster.topic("source", _ROWS), cluster.topic("sink")
    session = Session(spark, state_dir=tmp_path / "state")
    began = time.monotonic()
    with pytest.raises(KafkaError) as caught:
        session.execute(script_of(cluster, way, source=source, sink=sink), drain=True)
    assert time.monotonic() - began < _TIMEOUT_S
    assert caught.value.code == code
    assert reason in caught.value.text
    assert "table `s" in caught.value.text
    assert caught.value.advice
    assert "hunter2" not in str(caught.value)
    assert left_behind(tmp_path / "state", spark, capfd) == []


DENIALS = {
    "to-read": ({"topic": "source"}, "READ", "let the user read the topic 'source"),
    "to-see": ({"topic": "source"}, "DESCRIBE", "show the topic 'source"),
    "to-write": ({"topic": "sink"}, "WRITE", "let the user write the topic 'sink"),
    "the-group": ({"group": "group"}, "DESCRIBE", "tell the offsets of the group 'group"),
}


@pytest.mark.parametrize("way", ["plain", "scram-tls"])
@pytest.mark.parametrize("denial", DENIALS)
def test_a_denied_right_is_told_before_anything_starts(
    cluster: Cluster, spark: SparkSession, tmp_path: Path, denial: str, way: str
) -> None:
    what, operation, action = DENIALS[denial]
    names = {name: cluster.topic(name) for name in ("source", "sink", "group")}
    deny(cluster, **{kind: names[name] for kind, name in what.items()}, operation=operation)
    extra = f"""'properties.group.id' = '{names["group"]}'"""
    script = script_of(
        cluster,
        _as_user(way, DENIED_USER),
        source=names["source"],
        sink=names["sink"],
        extra=extra,
    )
    began = time.monotonic()
    with pytest.raises(KafkaError) as caught:
        Session(spark, state_dir=tmp_path).execute(script, drain=True)
    assert time.monotonic() - began < _TIMEOUT_S
    assert caught.value.code == "KAFKA_REFUSED"
    assert action in caught.value.text
    table = "sink" if denial == "to-write" else "source"
    assert f"table `{table}`" in caught.value.text
    assert "rights of the user" in caught.value.advice


def test_a_right_that_is_taken_away_stops_the_job_and_loses_nothing(
    cluster: Cluster, spark: SparkSession, tmp_path: Path
) -> None:
    source, sink = cluster.topic("source", _ROWS[:1]), cluster.topic("sink")
    script = script_of(cluster, _as_user("plain", DENIED_USER), source=source, sink=sink)
    session = Session(spark, state_dir=tmp_path)
    job = session.execute(script)
    wait_until(lambda: cluster.read(sink) == _ROWS[:1], timeout_s=60)
    deny(cluster, topic=source, operation="READ")
    cluster.fill(source, _ROWS[1:])
    began = time.monotonic()
    with pytest.raises(KafkaError) as caught:
        job.wait(60)
    assert caught.value.code == "ACCESS_LOST"
    assert time.monotonic() - began < _TIMEOUT_S
    allow_again(cluster, topic=source, operation="READ")
    assert session.execute(script, drain=True).wait(60)
    assert cluster.read(sink) == _ROWS


def test_a_topic_whose_settings_are_denied_may_keep_dead_letters(
    cluster: Cluster, spark: SparkSession, tmp_path: Path
) -> None:
    source, sink = cluster.topic("source", [b"{", *_ROWS]), cluster.topic("sink")
    letters = cluster.topic("letters")
    way, extra = _as_user("plain", DENIED_USER), with_letters(letters)
    deny(cluster, topic=letters, operation="DESCRIBE_CONFIGS")
    script = script_of(cluster, way, source=source, sink=sink, extra=extra)
    assert Session(spark, state_dir=tmp_path).execute(script, drain=True).wait(60)
    assert cluster.read(letters) == [b"{"]


@pytest.mark.parametrize("operation", ["WRITE", "READ"])
def test_a_topic_of_dead_letters_that_is_denied_loses_nothing(
    cluster: Cluster, spark: SparkSession, tmp_path: Path, operation: str
) -> None:
    source, sink = cluster.topic("source", [b"{", *_ROWS]), cluster.topic("sink")
    letters = cluster.topic("letters")
    way, extra = _as_user("plain", DENIED_USER), with_letters(letters)
    script = script_of(cluster, way, source=source, sink=sink, extra=extra)
    session = Session(spark, state_dir=tmp_path)
    deny(cluster, topic=letters, operation=operation)
    with pytest.raises(KafkaError) as caught:
        session.execute(script, drain=True)
    assert caught.value.code == "KAFKA_REFUSED"
    action = f"let the user {operation.lower()} the topic '{letters}' of table `source`"
    assert action in caught.value.text
    allow_again(cluster, topic=letters, operation=operation)
    assert session.execute(script, drain=True).wait(60)
    assert (cluster.read(letters), set(cluster.read(sink))) == ([b"{"], set(_ROWS))
