"""How a Kafka client logs in: JAAS lines as documents write them, and lines made from a password.

Used by every connector that hands properties to a Kafka client, and by `catalog.credentials`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.model.secret import Secret

if TYPE_CHECKING:
    from penstock.model.option import OptionValue

# Flink's SQL jar carries Kafka's client under names of its own; Spark's class path does not.
_FLINK_SHADED = "org.apache.flink.kafka.shaded."
_JAAS = "sasl.jaas.config"

# A quoted text, or what documents make of one: `\"text\"`, as if it stood in Java's source.
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\\"(?P<inside>.*?)\\"(?=[\s;]|$)')

_MODULES = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
}
PASSWORD_MECHANISMS = tuple(_MODULES)
_KERBEROS = "com.sun.security.auth.module.Krb5LoginModule"

_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t"})


def unshaded(text: str) -> str:
    """Class names as Kafka's own client knows them."""
    return text.replace(_FLINK_SHADED, "")


def client_value(option: OptionValue) -> str:
    """The value of a client property as Kafka's own client reads it."""
    value = unshaded(option.value)
    if option.key.endswith(_JAAS):
        value = _terminated(_QUOTED.sub(_requoted, value))
    return Secret(value, option.value.of) if isinstance(option.value, Secret) else value


def password_login(mechanism: str, username: str, password: str) -> str:
    """The JAAS line of a user with a password; the mechanism is one of `PASSWORD_MECHANISMS`."""
    module = _MODULES[mechanism.upper()]
    return f"{module} required username={_text(username)} password={_text(password)};"


def kerberos_login(principal: str, keytab: str | None) -> str:
    """The JAAS line of a principal: by its keytab, else by the tickets of `kinit`."""
    source = (
        f"useKeyTab=true storeKey=true keyTab={_text(keytab)}" if keytab else "useTicketCache=true"
    )
    return f"{_KERBEROS} required {source} principal={_text(principal)};"


def _requoted(match: re.Match[str]) -> str:
    return match[0] if match["inside"] is None else f'"{match["inside"]}"'


def _terminated(line: str) -> str:
    """A line that was split out of a list has lost its semicolon."""
    return line if line.rstrip().endswith(";") else f"{line};"


def _text(value: str) -> str:
    return f'"{value.translate(_ESCAPED)}"'
