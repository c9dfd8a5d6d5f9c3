"""How a cluster is spoken to, told from Kafka's Java client properties. No I/O."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# A Java system property; as a client property it says which file is meant, and Kafka ignores it.
KRB5_CONF = "java.security.krb5.conf"

_OF_CONNECTIONS = ("bootstrap.", "client.", "config.providers", "sasl.", "security.", "ssl.")

_NATIVE_MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
_NATIVE_LOGINS = re.compile(
    r"\s*(?:org\.apache\.kafka\.common\.security\.(?:plain\.PlainLoginModule"
    r"|scram\.ScramLoginModule)\s|$)"
)
# Properties that name Java classes, or places that only Java looks at.
_OF_JAVA = re.compile(r"(?:sasl|ssl|security)\..*(?:\.class|\.providers)|config\.providers")


def of_connection(properties: Mapping[str, str]) -> dict[str, str]:
    """The properties by which a cluster is reached, without those of readers and writers."""
    return {
        key: value
        for key, value in properties.items()
        if key.startswith(_OF_CONNECTIONS) or key == KRB5_CONF
    }


def needs_java(properties: Mapping[str, str]) -> bool:
    """Whether only Kafka's Java client gives the answer that Spark will get.

    That is so for TLS: whom it trusts, and from which stores, differs between the two clients.
    """
    protocol = properties.get("security.protocol", "PLAINTEXT").upper()
    if protocol.endswith("SSL") or any(map(_OF_JAVA.fullmatch, properties)):
        return True
    # Java's own default mechanism is GSSAPI.
    mechanism = properties.get("sasl.mechanism", "GSSAPI").upper()
    login = _NATIVE_LOGINS.match(properties.get("sasl.jaas.config", ""))
    return protocol.startswith("SASL") and (mechanism not in _NATIVE_MECHANISMS or not login)
