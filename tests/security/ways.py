"""The ways a table can be secured, as documents write them: options of its WITH clause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.connectors.kafka_login import client_value
from penstock.model.option import OptionValue
from tests.security.certificates import PASSWORD
from tests.security.cluster import _QUOTED, LOGIN_PASSWORD, USER
from tests.security.kerberos import REALM

if TYPE_CHECKING:
    from pathlib import Path

    from tests.security.cluster import Cluster

_PACKAGE = "org.apache.kafka.common.security"
_SHADED = f"org.apache.flink.kafka.shaded.{_PACKAGE}"
# As Flink's page has it, with the backslashes of a Java string.
_PLAIN_LINE = (
    f'{_PACKAGE}.plain.PlainLoginModule required username=\\"{USER}\\" password=\\"{_QUOTED}\\";'
)
_SHADED_LINE = f'{_SHADED}.scram.ScramLoginModule required username="{USER}" password="{_QUOTED}";'


@dataclass(frozen=True, slots=True)
class Way:
    """A listener and the options of a table that uses it; `{…}` is filled in by `options_of`."""

    name: str
    listener: str
    options: tuple[tuple[str, str], ...]
    default: str = ""


def _properties(**values: str) -> tuple[tuple[str, str], ...]:
    return tuple((f"properties.{key.replace('__', '.')}", value) for key, value in values.items())


def _trust(kind: str) -> tuple[tuple[str, str], ...]:
    types = {"jks": "JKS", "p12": "PKCS12", "pem": "PEM"}
    given = _properties(
        ssl__truststore__location=f"{{folder}}/trust.{kind}", ssl__truststore__type=types[kind]
    )
    return given if kind == "pem" else (*given, ("properties.ssl.truststore.password", PASSWORD))


_KEYS = _properties(
    ssl__keystore__location="{folder}/client.jks",
    ssl__keystore__password=PASSWORD,
    ssl__key__password=PASSWORD,
)
_PEM_KEYS = _properties(ssl__keystore__location="{folder}/client.pem", ssl__keystore__type="PEM")
_TLS = _properties(security__protocol="SSL")
_KEYTAB_LINE = (
    "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true "
    f'keyTab="{{realm}}/reader.keytab" principal="reader@{REALM}";'
)

WAYS = (
    Way("tls-jks", "TLS", (*_TLS, *_trust("jks"))),
    Way("tls-pkcs12", "TLS", (*_TLS, *_trust("p12"))),
    Way("tls-pem", "TLS", (*_TLS, *_trust("pem"))),
    Way("mutual-jks", "MUTUAL", (*_TLS, *_trust("jks"), *_KEYS)),
    Way("mutual-pem", "MUTUAL", (*_TLS, *_trust("pem"), *_PEM_KEYS)),
    Way(
        "plain",
        "LOGIN",
        _properties(
            security__protocol="SASL_PLAINTEXT",
            sasl__mechanism="PLAIN",
            sasl__jaas__config=_PLAIN_LINE,
        ),
    ),
    Way(
        "scram-tls",
        "SECURE",
        (
            *_properties(security__protocol="SASL_SSL", sasl__mechanism="SCRAM-SHA-256"),
            *_properties(sasl__jaas__config=_SHADED_LINE),
            *_trust("jks"),
            *_KEYS,
        ),
    ),
    Way(
        "kerberos",
        "KERBEROS",
        _properties(
            security__protocol="SASL_PLAINTEXT",
            sasl__kerberos__service__name="kafka",
            java__security__krb5__conf="{realm}/krb5.conf",
            sasl__jaas__config=_KEYTAB_LINE,
        ),
    ),
)
NAMED = (
    Way("named", "SECURE", (("penstock.credentials", "scram"),)),
    Way("named-by-set", "LOGIN", (), default="login"),
    Way(
        "named-by-huawei",
        "SECURE",
        (
            ("properties.security.protocol", "SASL_SSL"),
            ("ssl_auth_name", "certificates"),
            ("krb_auth_name", "ticket"),
        ),
    ),
)


def options_of(cluster: Cluster, way: Way) -> dict[str, str]:
    """The options of a table, with the places of this run."""
    folder, realm = cluster.certificates.folder, cluster.realm.folder
    places = {"{folder}": str(folder), "{realm}": str(realm)}
    found = {"properties.bootstrap.servers": cluster.listeners[way.listener]}
    for key, value in way.options:
        for name, place in places.items():
            value = value.replace(name, place)
        found[key] = value
    return found


def properties_of(cluster: Cluster, way: Way) -> dict[str, str]:
    """The same as a connector hands it to Kafka's clients."""
    return {
        key.removeprefix("properties."): client_value(OptionValue(key, value))
        for key, value in options_of(cluster, way).items()
    }


def write_credentials(file: Path, cluster: Cluster) -> Path:
    """The credentials that `NAMED` name, for their user only."""
    (file.parent / "password").write_text(f"{LOGIN_PASSWORD}\n")
    trust = f"ssl.truststore.location = {cluster.certificates.trust()}\n"
    trust += f"ssl.truststore.password = {PASSWORD}\n"
    user = f"username = {USER}\npassword = ${{file:password}}\n"
    realm = cluster.realm
    file.write_text(
        f"[scram]\nsasl.mechanism = SCRAM-SHA-512\n{user}{trust}\n"
        f"[login]\nsecurity.protocol = SASL_PLAINTEXT\nsasl.mechanism = PLAIN\n{user}\n"
        f"[certificates]\n{trust}\n"
        f"[ticket]\nprincipal = reader@{REALM}\nkeytab = {realm.keytab('reader')}\n"
        f"krb5.conf = {realm.config}\n"
    )
    file.chmod(0o600)
    return file
