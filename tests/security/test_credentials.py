"""Named credentials: what they become, and what is shown of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.catalog.catalog import Overrides
from penstock.plan.explain import explain
from penstock.plan.explain_graph import explain_dot, explain_json, explain_mermaid
from penstock.plan.script import plan_script
from penstock.plan.walk import scans
from penstock.sql.parse import parse
from tests.security.credentials import named, plan_of, properties_of

_SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required"
_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"
_TICKET = "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true"


def _cases(folder: Path) -> dict[str, dict[str, str]]:
    keys = {
        "ssl.keystore.location": str(Path.home() / "keys.jks"),
        "ssl.keystore.password": "key-hunter2",
    }
    ticket = {
        "java.security.krb5.conf": "/etc/krb5.conf",
        "sasl.jaas.config": f'{_TICKET} keyTab="{folder}/reader.keytab" principal="reader@REALM";',
        "sasl.kerberos.service.name": "bus",
        "sasl.mechanism": "GSSAPI",
    }
    both = named("tls", "ssl_auth_name") + named("ticket", "krb_auth_name")
    return {
        named("scram"): {
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.jaas.config": f'{_SCRAM} username="alice" password="p\\"a\\\\s;s=hunter2";',
            "ssl.truststore.location": f"{folder}/trust.jks",
            "ssl.truststore.password": "store-hunter2",
        },
        named("tls"): {"security.protocol": "SSL", **keys},
        named("tls", "kafka_certificate_name"): {"security.protocol": "SSL", **keys},
        named("ticket"): {"security.protocol": "SASL_SSL", **ticket},
        both: {"security.protocol": "SASL_SSL", **keys, **ticket},
        named("login") + ", 'properties.sasl.mechanism' = 'PLAIN'": {
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "PLAIN",
            "sasl.jaas.config": f'{_PLAIN} username="alice" password="hunter2";',
        },
        # What the table says itself wins.
        named("login")
        + ", 'properties.security.protocol' = 'SASL_SSL', 'properties.sasl.jaas.config' = 'x y;'": {
            "security.protocol": "SASL_SSL",
            "sasl.jaas.config": "x y;",
        },
    }


def test_a_name_becomes_properties_of_source_and_sink(file: Path) -> None:
    for options, expected in _cases(file.parent).items():
        assert properties_of(plan_of(options, file)) == expected, options


def test_set_names_them_for_tables_that_name_none(file: Path) -> None:
    script = "SET 'penstock.credentials' = 'tls';"
    assert properties_of(plan_of("", file, script=script))["security.protocol"] == "SSL"
    own = properties_of(plan_of(named("scram"), file, script=script))
    assert own["sasl.mechanism"] == "SCRAM-SHA-512"
    assert "ssl.keystore.location" not in own


def test_a_hint_names_others(file: Path) -> None:
    hinted = plan_script(
        parse(
            """CREATE TABLE t (n INT) WITH ('connector' = 'kafka', 'topic' = 't',
            'format' = 'json', 'properties.bootstrap.servers' = 'x:1',
            'penstock.credentials' = 'tls');
            CREATE TABLE p (n INT) WITH ('connector' = 'print');
            INSERT INTO p SELECT n FROM t /*+ OPTIONS('penstock.credentials' = 'scram',
            'scan.startup.mode' = 'earliest-offset') */;"""
        ),
        name="test",
        overrides=Overrides(credentials_file=str(file)),
    )
    source: Any = next(iter(scans(hinted.queries[0].input))).spec.source
    assert dict(source.properties)["sasl.mechanism"] == "SCRAM-SHA-512"
    assert "ssl.keystore.location" not in dict(source.properties)


def test_blink_and_clickhouse_name_them_too(file: Path) -> None:
    overrides = Overrides(credentials_file=str(file))
    blink = plan_script(
        parse(
            """CREATE TABLE t (messageKey VARBINARY, `message` VARBINARY, PRIMARY KEY (messageKey))
            WITH (type = 'kafka010', topic = 't', `bootstrap.servers` = 'x:1',
            startupMode = 'EARLIEST', `penstock.credentials` = 'scram');
            INSERT INTO t SELECT messageKey, `message` FROM t;""",
            "blink",
        ),
        name="test",
        overrides=overrides,
    )
    expected = _cases(file.parent)[named("scram")]
    assert properties_of(blink) == expected
    clickhouse = plan_script(
        parse(
            """CREATE TABLE q (n Int32) ENGINE = Kafka SETTINGS kafka_broker_list = 'x:1',
            kafka_topic_list = 't', kafka_group_name = 'g', kafka_format = 'JSONEachRow',
            kafka_security_protocol = 'sasl_plaintext', penstock_credentials = 'scram';
            CREATE TABLE m (n Int32) ENGINE = MergeTree ORDER BY n;
            CREATE MATERIALIZED VIEW v TO m AS SELECT n FROM q;""",
            "clickhouse",
        ),
        name="test",
        overrides=overrides,
    )
    source: Any = next(iter(scans(clickhouse.queries[0].input))).spec.source
    found = {key: v for key, v in source.properties if key.startswith(("sasl", "ssl", "security"))}
    assert found == {**expected, "security.protocol": "SASL_PLAINTEXT"}


@pytest.mark.parametrize("shown", [explain, explain_json, explain_dot, explain_mermaid, repr, str])
def test_only_the_name_is_shown(file: Path, shown: Any) -> None:
    script = "SHOW CREATE TABLE t;"
    plan = plan_of(named("scram"), file)
    text = shown(plan)
    assert "hunter2" not in text
    assert "trust.jks" not in text
    assert "credentials 'scram'" in text or shown in (repr, str)
    overrides = Overrides(credentials_file=str(file))
    created = plan_script(
        parse(
            "CREATE TABLE t (n INT) WITH ('connector' = 'kafka', 'topic' = 't', 'format' = 'json', "
            f"'properties.bootstrap.servers' = 'x:1'{named('scram')}); {script}"
        ),
        name="test",
        overrides=overrides,
    )
    answer = str(created.results)
    assert "'penstock.credentials' = 'scram'" in answer
    assert "jaas" not in answer
