"""Named credentials: where they are found, what they become, what is refused, what is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from penstock.catalog.catalog import Overrides
from penstock.catalog.credentials import default_file
from penstock.cli.main import app
from penstock.connectors.kafka_specs import KafkaSource, KafkaTarget
from penstock.errors import OptionError, PenstockError
from penstock.plan.explain import explain
from penstock.plan.explain_graph import explain_dot, explain_json, explain_mermaid
from penstock.plan.script import plan_script
from penstock.plan.walk import scans
from penstock.sql.parse import parse

if TYPE_CHECKING:
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
_SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required"
_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"
_TICKET = "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRUST_PASSWORD", "store-hunter2")
    (tmp_path / "secret").write_text("key-hunter2\n")
    return _written(tmp_path / "credentials.ini", FILE)


def _written(file: Path, text: str) -> Path:
    file.write_text(text)
    file.chmod(0o600)
    return file


def _plan(options: str, file: Path | None, *, script: str = "") -> ScriptPlan:
    text = f"""
    CREATE TABLE t (n INT) WITH ('connector' = 'kafka', 'topic' = 't', 'format' = 'json',
      'properties.bootstrap.servers' = 'x:1', 'scan.startup.mode' = 'earliest-offset'{options});
    INSERT INTO t SELECT n FROM t;
    """
    overrides = Overrides(credentials_file=str(file) if file else None)
    return plan_script(parse(script + text), name="test", overrides=overrides)


def _properties(plan: ScriptPlan) -> dict[str, str]:
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


def _name(name: str, key: str = "penstock.credentials") -> str:
    return f", '{key}' = '{name}'"


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
    both = _name("tls", "ssl_auth_name") + _name("ticket", "krb_auth_name")
    return {
        _name("scram"): {
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.jaas.config": f'{_SCRAM} username="alice" password="p\\"a\\\\s;s=hunter2";',
            "ssl.truststore.location": f"{folder}/trust.jks",
            "ssl.truststore.password": "store-hunter2",
        },
        _name("tls"): {"security.protocol": "SSL", **keys},
        _name("tls", "kafka_certificate_name"): {"security.protocol": "SSL", **keys},
        _name("ticket"): {"security.protocol": "SASL_SSL", **ticket},
        both: {"security.protocol": "SASL_SSL", **keys, **ticket},
        _name("login") + ", 'properties.sasl.mechanism' = 'PLAIN'": {
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "PLAIN",
            "sasl.jaas.config": f'{_PLAIN} username="alice" password="hunter2";',
        },
        # What the table says itself wins.
        _name("login")
        + ", 'properties.security.protocol' = 'SASL_SSL', 'properties.sasl.jaas.config' = 'x y;'": {
            "security.protocol": "SASL_SSL",
            "sasl.jaas.config": "x y;",
        },
    }


def test_a_name_becomes_properties_of_source_and_sink(file: Path) -> None:
    for options, expected in _cases(file.parent).items():
        assert _properties(_plan(options, file)) == expected, options


def test_set_names_them_for_tables_that_name_none(file: Path) -> None:
    script = "SET 'penstock.credentials' = 'tls';"
    assert _properties(_plan("", file, script=script))["security.protocol"] == "SSL"
    own = _properties(_plan(_name("scram"), file, script=script))
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
    expected = _cases(file.parent)[_name("scram")]
    assert _properties(blink) == expected
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
    plan = _plan(_name("scram"), file)
    text = shown(plan)
    assert "hunter2" not in text
    assert "trust.jks" not in text
    assert "credentials 'scram'" in text or shown in (repr, str)
    overrides = Overrides(credentials_file=str(file))
    created = plan_script(
        parse(
            "CREATE TABLE t (n INT) WITH ('connector' = 'kafka', 'topic' = 't', 'format' = 'json', "
            f"'properties.bootstrap.servers' = 'x:1'{_name('scram')}); {script}"
        ),
        name="test",
        overrides=overrides,
    )
    answer = str(created.results)
    assert "'penstock.credentials' = 'scram'" in answer
    assert "jaas" not in answer


MISTAKES = {
    "no-section": ("password = hunter2\n", "x", "CREDENTIALS_FILE_INVALID", "in line 1"),
    "no-value": ("[x]\nhunter2\n", "x", "CREDENTIALS_FILE_INVALID", "in line 2"),
    "twice": ("[x]\na = 1\na = hunter2\n", "x", "CREDENTIALS_FILE_INVALID", "in line 3"),
    "unknown": ("[kafka]\n[other]\n", "kafak", "UNKNOWN_CREDENTIALS", "Did you mean 'kafka'?"),
    "key": ("[x]\nusrname = hunter2\n", "x", "INVALID_CREDENTIALS", "did you mean 'username'"),
    "mechanism": (
        "[x]\nusername = u\npassword = hunter2\n",
        "x",
        "INVALID_CREDENTIALS",
        "no 'sasl.mechanism' that takes one",
    ),
    "half": (
        "[x]\nsasl.mechanism = PLAIN\npassword = hunter2\n",
        "x",
        "INVALID_CREDENTIALS",
        "lack the key 'username'",
    ),
    "variable": (
        "[x]\nssl.key.password = ${env:NOT_SET_ANYWHERE}\n",
        "x",
        "INVALID_CREDENTIALS",
        "the environment variable NOT_SET_ANYWHERE",
    ),
    "other-file": (
        "[x]\nssl.key.password = ${file:nowhere}\n",
        "x",
        "INVALID_CREDENTIALS",
        "nowhere",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_has_a_place_and_no_value(tmp_path: Path, mistake: str) -> None:
    text, name, code, words = MISTAKES[mistake]
    file = _written(tmp_path / "credentials.ini", text)
    error = _refused(_name(name), file)
    assert (error.code, error.span is not None) == (code, True)
    assert words in str(error)
    assert "hunter2" not in str(error)
    assert error.__cause__ is None and error.__suppress_context__ is (error.__context__ is not None)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o777])
def test_a_file_that_others_may_read_is_refused(file: Path, mode: int) -> None:
    file.chmod(mode)
    error = _refused(_name("tls"), file)
    assert error.code == "CREDENTIALS_FILE_EXPOSED"
    assert f"chmod 600 {file}" in error.advice
    file.chmod(0o400)
    assert _properties(_plan(_name("tls"), file))


def test_a_file_is_needed_only_where_credentials_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_CREDENTIALS", str(tmp_path / "nowhere.ini"))
    assert _properties(_plan("", None)) == {}
    error = _refused(_name("tls"), None)
    assert error.code == "CREDENTIALS_FILE_MISSING"
    assert "nowhere.ini" in error.text
    assert "--credentials" in error.advice


def test_the_command_line_names_the_file(file: Path, tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text(
        "CREATE TABLE t (n INT) WITH ('connector' = 'kafka', 'topic' = 't', 'format' = 'json',\n"
        "  'properties.bootstrap.servers' = 'x:1', 'penstock.credentials' = 'tls');\n"
        "CREATE TABLE p (n INT) WITH ('connector' = 'print');\n"
        "INSERT INTO t SELECT 1;\n"
    )
    told = ["--credentials", str(file)]
    fine = CliRunner().invoke(app, ["explain", str(script), *told])
    assert "credentials 'tls'" in fine.stdout
    assert "hunter2" not in fine.output
    file.write_text("[other]\nssl.key.password = hunter2\n")
    wrong = CliRunner().invoke(app, ["check", str(script), *told])
    assert wrong.exit_code == 2
    assert "error[UNKNOWN_CREDENTIALS] job.sql:2:" in wrong.stderr
    assert "It has: other." in wrong.stderr
    assert "hunter2" not in wrong.output


def test_where_the_file_is_looked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PENSTOCK_CREDENTIALS", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert default_file() == Path.home() / ".config" / "penstock" / "credentials.ini"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert default_file() == tmp_path / "penstock" / "credentials.ini"
    monkeypatch.setenv("PENSTOCK_CREDENTIALS", "~/mine.ini")
    assert default_file() == Path.home() / "mine.ini"


def _refused(options: str, file: Path | None) -> OptionError:
    with pytest.raises(PenstockError) as caught:
        _plan(options, file)
    assert isinstance(caught.value, OptionError)
    return caught.value
