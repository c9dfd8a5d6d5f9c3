"""A broker that can be spoken to in every way, and its users: what the security tests share."""

from __future__ import annotations

import os
import socket
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from penstock.kafka import admin, records
from penstock.kafka import broker as embedded
from penstock.kafka.record import Record
from tests.security.certificates import PASSWORD, Certificates
from tests.security.kerberos import REALM, Realm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

# Written so that quotes, backslashes and semicolons must survive every layer.
LOGIN_PASSWORD = r'p"a\s;s=hunter2'
USER, DENIED_USER = "alice", "mallory"

_PACKAGE = "org.apache.kafka.common.security"
_PLAIN = f"{_PACKAGE}.plain.PlainLoginModule"
_SCRAM = f"{_PACKAGE}.scram.ScramLoginModule"
_QUOTED = LOGIN_PASSWORD.replace("\\", r"\\").replace('"', r"\"")
_PROTOCOLS = {
    "TLS": "SSL",
    "MUTUAL": "SSL",
    "EXPIRED": "SSL",
    "FOREIGN": "SSL",
    "LOGIN": "SASL_PLAINTEXT",
    "SECURE": "SASL_SSL",
    "KERBEROS": "SASL_PLAINTEXT",
}
_TIMEOUT_S = 30
_PASSWORD_MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")


@dataclass(frozen=True, slots=True)
class Cluster:
    """Its listeners by name; `address` is the open one, by which tests fill and read topics."""

    address: str
    listeners: dict[str, str]
    certificates: Certificates
    realm: Realm
    # Kept while the cluster is: one that is let go right after an answer may crash the process.
    client: AdminClient

    @property
    def properties(self) -> dict[str, str]:
        return {"bootstrap.servers": self.address}

    def topic(self, name: str, values: Iterable[bytes] = ()) -> str:
        unique = f"{name}_{uuid.uuid4().hex[:8]}"
        admin.create_topic(self.properties, unique)
        self.fill(unique, values)
        return unique

    def fill(self, topic: str, values: Iterable[bytes]) -> None:
        records.produce(self.properties, topic, [Record(value) for value in values])

    def read(self, topic: str) -> list[bytes]:
        found = records.consume(self.properties, topic, from_beginning=True, until_end=True)
        return sorted(record.value or b"" for record in found)


def running_cluster(folder: Path, certificates: Certificates, realm: Realm) -> Iterator[Cluster]:
    """Start it, add its users, end it."""
    listeners = dict(zip(_PROTOCOLS, _addresses(len(_PROTOCOLS)), strict=True))
    extras = embedded.Extras(
        tuple(_settings(listeners, certificates, realm).items()),
        (f"-Djava.security.krb5.conf={realm.config}",),
    )
    running = embedded.start(folder, owner_pid=os.getpid(), extras=extras)
    client = AdminClient({"bootstrap.servers": running.address})
    cluster = Cluster(running.address, listeners, certificates, realm, client)
    _add_users(cluster)
    yield cluster
    embedded.stop(folder)


def deny(cluster: Cluster, *, topic: str = "", group: str = "", operation: str) -> None:
    """Take a right away from the denied user; every other right it keeps."""
    for done in cluster.client.create_acls(_bindings(topic, group, operation)).values():
        done.result(_TIMEOUT_S)


def allow_again(cluster: Cluster, *, topic: str, operation: str) -> None:
    """Give a right back."""
    filters = [
        AclBindingFilter(
            *(one.restype, one.name, one.resource_pattern_type, one.principal),
            *(one.host, one.operation, one.permission_type),
        )
        for one in _bindings(topic, "", operation)
    ]
    for done in cluster.client.delete_acls(filters).values():
        done.result(_TIMEOUT_S)


def _bindings(topic: str, group: str, operation: str) -> list[AclBinding]:
    kind = ResourceType.TOPIC if topic else ResourceType.GROUP
    pattern = (kind, topic or group, ResourcePatternType.LITERAL)
    everyone, denied = "User:*", f"User:{DENIED_USER}"
    return [
        AclBinding(*pattern, everyone, "*", AclOperation.ALL, AclPermissionType.ALLOW),
        AclBinding(*pattern, denied, "*", AclOperation[operation], AclPermissionType.DENY),
    ]


def _addresses(count: int) -> list[str]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return [f"localhost:{port}" for port in ports]


def _settings(
    listeners: dict[str, str], certificates: Certificates, realm: Realm
) -> dict[str, str]:
    places = ",".join(f"{name}://{address}" for name, address in listeners.items())
    settings = {
        "listeners": places,
        "advertised.listeners": places,
        "listener.security.protocol.map": ",".join(f"{n}:{p}" for n, p in _PROTOCOLS.items()),
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS",
        "allow.everyone.if.no.acl.found": "true",
        "sasl.kerberos.service.name": "kafka",
        "ssl.truststore.location": str(certificates.trust("p12")),
        "ssl.truststore.password": PASSWORD,
        **_certificate("", certificates, "server"),
        **_certificate("listener.name.expired.", certificates, "expired"),
        **_certificate("listener.name.foreign.", certificates, "foreign"),
        "listener.name.mutual.ssl.client.auth": "required",
    }
    users = "".join(f' user_{user}="{_QUOTED}"' for user in (USER, DENIED_USER))
    ticket = (
        "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true "
        f'keyTab="{realm.keytab("kafka")}" principal="kafka/localhost@{REALM}";'
    )
    logins = {
        "plain": f"{_PLAIN} required{users};",
        "scram-sha-256": f"{_SCRAM} required;",
        "scram-sha-512": f"{_SCRAM} required;",
        "gssapi": ticket,
    }
    for name, mechanisms in {
        "login": _PASSWORD_MECHANISMS,
        "secure": (*_PASSWORD_MECHANISMS, "GSSAPI"),
        "kerberos": ("GSSAPI",),
    }.items():
        settings[f"listener.name.{name}.sasl.enabled.mechanisms"] = ",".join(mechanisms)
        for mechanism in mechanisms:
            key = f"listener.name.{name}.{mechanism.lower()}.sasl.jaas.config"
            settings[key] = logins[mechanism.lower()]
    return settings


def _certificate(prefix: str, certificates: Certificates, name: str) -> dict[str, str]:
    return {
        f"{prefix}ssl.keystore.location": str(certificates.store(name)),
        f"{prefix}ssl.keystore.password": PASSWORD,
    }


def _add_users(cluster: Cluster) -> None:
    asked = [
        UserScramCredentialUpsertion(
            user, ScramCredentialInfo(mechanism, 4096), LOGIN_PASSWORD.encode()
        )
        for user in (USER, DENIED_USER)
        for mechanism in (ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512)
    ]
    for one in asked:
        for done in cluster.client.alter_user_scram_credentials([one]).values():
            done.result(_TIMEOUT_S)
