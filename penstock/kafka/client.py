"""Kafka's Java client properties → what librdkafka, under confluent-kafka, calls them.

Called by `librdkafka.py`, `sender.py` and `receiver.py`. Flink scripts write Java's names; what
only a Java client knows is left out here, because Spark's own client gets all of them.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from penstock.errors import KafkaError

if TYPE_CHECKING:
    from collections.abc import Mapping

ClientConfig = dict[str, "str | int | float | bool"]

_SAME_NAME = (
    "bootstrap.servers",
    "client.dns.lookup",
    "client.id",
    "sasl.kerberos.service.name",
    "sasl.mechanism",
    "security.protocol",
    "ssl.cipher.suites",
    "ssl.key.password",
    "ssl.keystore.password",
)

_PEM_TEXT = {
    "ssl.truststore.certificates": "ssl.ca.pem",
    "ssl.keystore.certificate.chain": "ssl.certificate.pem",
    "ssl.keystore.key": "ssl.key.pem",
}

# The options of a JAAS login module that librdkafka takes as properties of their own.
_JAAS_OPTIONS = {"username": "sasl.username", "password": "sasl.password"}

_JAAS_OPTION = re.compile(r'(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|\'((?:[^\'\\]|\\.)*)\'|([^\s;]+))')

# Java's clients come back within a second; librdkafka's default lets a restart cost ten.
_RECONNECT_MAX_MS = 500

_log = logging.getLogger("penstock.kafka")
# Without a handler Python prints warnings to stderr; whoever wants them adds a handler.
_log.addHandler(logging.NullHandler())


def client_config(properties: Mapping[str, str]) -> ClientConfig:
    """The configuration of a confluent-kafka client that says nothing on stderr."""
    config: ClientConfig = {
        "reconnect.backoff.max.ms": _RECONNECT_MAX_MS,
        "log.connection.close": False,
    }
    if properties.get("sasl.mechanism", "").upper() == "GSSAPI":
        raise KafkaError("NEEDS_JAVA_CLIENT", what="the mechanism GSSAPI")
    config.update({key: properties[key] for key in _SAME_NAME if key in properties})
    config.update(login(properties.get("sasl.jaas.config", "")))
    config.update({new: properties[old] for old, new in _PEM_TEXT.items() if old in properties})
    config.update(_truststore(properties))
    config.update(_keystore(properties))
    if "ssl.endpoint.identification.algorithm" in properties:
        # Java turns the check of the host name off with an empty text.
        algorithm = properties["ssl.endpoint.identification.algorithm"] or "none"
        config["ssl.endpoint.identification.algorithm"] = algorithm
    return config


def client_logger() -> logging.Logger:
    """Where clients log to; silent unless the user configures `penstock.kafka`."""
    return _log


def login(text: str) -> dict[str, str]:
    """The user and the password of a JAAS line, as librdkafka names them."""
    options: dict[str, str] = {}
    for name, double, single, bare in _JAAS_OPTION.findall(text):
        if name in _JAAS_OPTIONS:
            quoted = re.sub(r"\\(.)", r"\1", double or single)
            options[_JAAS_OPTIONS[name]] = quoted or bare
    return options


def _truststore(properties: Mapping[str, str]) -> dict[str, str]:
    location = properties.get("ssl.truststore.location")
    if location is None:
        return {}
    if _type(properties, "truststore") != "PEM":
        raise _refused("ssl.truststore.location", _type(properties, "truststore"))
    return {"ssl.ca.location": location}


def _keystore(properties: Mapping[str, str]) -> dict[str, str]:
    location = properties.get("ssl.keystore.location")
    if location is None:
        return {}
    kind = _type(properties, "keystore")
    if kind == "PEM":
        return {"ssl.certificate.location": location, "ssl.key.location": location}
    if kind == "PKCS12":
        return {"ssl.keystore.location": location}
    raise _refused("ssl.keystore.location", kind)


def _type(properties: Mapping[str, str], store: str) -> str:
    return properties.get(f"ssl.{store}.type", "JKS").upper()


def _refused(option: str, kind: str) -> KafkaError:
    return KafkaError("NEEDS_JAVA_CLIENT", what=f"the {kind} file of '{option}'")
