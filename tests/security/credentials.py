"""A file of named credentials, and a script with a table that names some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.catalog.catalog import Overrides
from penstock.connectors.kafka_specs import KafkaSource, KafkaTarget
from penstock.plan.script import plan_script
from penstock.plan.walk import scans
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from pathlib import Path

    from penstock.plan.query import ScriptPlan

FILE = """
# of this machine only
[scram]
sasl.mechanism = SCRAM-SHA-512
username = alice
password = p"a\\s;s=hunter2
ssl.truststore.location = trust.jks
ssl.truststore.password = ${env:TRUST_PASSWORD}

[tls]
ssl.keystore.location = ~/keys.jks
ssl.keystore.password = ${file:secret}

[ticket]
principal = reader@REALM
keytab = reader.keytab
service.name = bus
krb5.conf = /etc/krb5.conf

[login]
security.protocol = SASL_PLAINTEXT
username = alice
password = hunter2
"""


def written(file: Path, text: str) -> Path:
    file.write_text(text)
    file.chmod(0o600)
    return file


def plan_of(options: str, file: Path | None, *, script: str = "") -> ScriptPlan:
    text = f"""
    CREATE TABLE t (n INT) WITH ('connector' = 'kafka', 'topic' = 't', 'format' = 'json',
      'properties.bootstrap.servers' = 'x:1', 'scan.startup.mode' = 'earliest-offset'{options});
    INSERT INTO t SELECT n FROM t;
    """
    overrides = Overrides(credentials_file=str(file) if file else None)
    return plan_script(parse(script + text), name="test", overrides=overrides)


def properties_of(plan: ScriptPlan) -> dict[str, str]:
    """Of the security of the table, as source and as sink alike."""
    query = plan.queries[0]
    source, target = next(iter(scans(query.input))).spec.source, query.spec.target
    assert isinstance(source, KafkaSource)
    assert isinstance(target, KafkaTarget)
    read, written = (
        {k: v for k, v in spec.properties if k.startswith(("sasl", "ssl", "security", "java"))}
        for spec in (source, target)
    )
    assert read == written
    return read


def named(name: str, key: str = "penstock.credentials") -> str:
    return f", '{key}' = '{name}'"
