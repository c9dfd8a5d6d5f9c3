"""What Kafka's clients report → Penstock's errors, so that nothing of theirs crosses the edge.

Called by whatever asks a cluster: `raise translate(Fault.of(error), doing) from error`.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import KafkaError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import confluent_kafka

_UNREACHABLE = {
    "_ALL_BROKERS_DOWN",
    "_MSG_TIMED_OUT",
    "_RESOLVE",
    "_TIMED_OUT",
    "_TIMED_OUT_QUEUE",
    "_TRANSPORT",
    "REQUEST_TIMED_OUT",
}

# librdkafka shortens what Java spells out.
_MISSING = {"UNKNOWN_TOPIC_OR_PART", "UNKNOWN_TOPIC_OR_PARTITION", "_UNKNOWN_TOPIC"}

_REFUSED = {
    "CLUSTER_AUTHORIZATION_FAILED",
    "GROUP_AUTHORIZATION_FAILED",
    "ILLEGAL_SASL_STATE",
    "SASL_AUTHENTICATION_FAILED",
    "TOPIC_AUTHORIZATION_FAILED",
    "TRANSACTIONAL_ID_AUTHORIZATION_FAILED",
    "UNSUPPORTED_SASL_MECHANISM",
    "_AUTHENTICATION",
    "_SSL",
}

# The client itself could not be made: a store, a password, a login module.
_UNUSABLE = {"_CLIENT", "_INVALID_ARG"}

# A leader or coordinator is being chosen, or reads its log: the next try will find it.
_PASSING = {
    "COORDINATOR_LOAD_IN_PROGRESS",
    "COORDINATOR_NOT_AVAILABLE",
    "LEADER_NOT_AVAILABLE",
    "NOT_COORDINATOR",
    "NOT_LEADER_FOR_PARTITION",
}

# Which connection or client it was, for how long, and whose list the error is from.
_NOISE = re.compile(
    r"^\S+/(?:bootstrap|\d+): |^Failed to create new \w+: |\b(?:Broker|Local): "
    r"| \(after \d+ms.*\)$"
)

# What Java says of a certificate or of a login → what is wrong with it.
_MEANINGS = (
    (
        re.compile(r"unable to find valid certification path|Path does not chain|trustAnchors"),
        "the truststore does not trust the certificate of the broker",
    ),
    (re.compile(r"NotAfter: (?P<when>.*)"), "the certificate of the broker expired on {when}"),
    (re.compile(r"NotBefore: (?P<when>.*)"), "the certificate of the broker begins on {when}"),
    (
        re.compile(r"No subject alternative|No name matching"),
        "the certificate of the broker is for another host name",
    ),
    (
        re.compile(r"certificate_required|bad_certificate|Empty client certificate"),
        "the broker asks for a certificate ('properties.ssl.keystore.location') and got none that "
        "it trusts",
    ),
    (
        re.compile(r"being asked for a password|Unable to obtain .*password"),
        "the keytab cannot be read, or has no key of the principal",
    ),
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A client's name for an error, and its words."""

    name: str
    text: str

    @classmethod
    def of(cls, error: confluent_kafka.KafkaError) -> Fault:
        """The same as librdkafka has it."""
        return cls(error.name(), error.str())


@dataclass(frozen=True, slots=True)
class Doing:
    """What was asked of whom: the facts every error of one request shares."""

    address: str
    action: str
    timeout_s: float
    topic: str = ""
    table_note: str = ""


def translate(fault: Fault, doing: Doing) -> KafkaError:
    """The Penstock error that says the same."""
    if fault.name in _UNREACHABLE:
        return unreachable(doing)
    if fault.name in _MISSING and doing.topic:
        return missing(doing)
    if fault.name in _UNUSABLE:
        return unusable(doing, words(fault))
    if fault.name == "TOPIC_ALREADY_EXISTS":
        return KafkaError("TOPIC_EXISTS", topic=doing.topic, address=doing.address)
    if fault.name in _REFUSED:
        return refused(doing, words(fault))
    reason = f"{words(fault).rstrip('.')}."
    return KafkaError(
        "KAFKA_REQUEST_FAILED", address=doing.address, action=doing.action, reason=reason
    )


def words(fault: Fault) -> str:
    """What a client says, without what only its developers need."""
    for pattern, meaning in _MEANINGS:
        if match := pattern.search(fault.text):
            return meaning.format(**match.groupdict())
    return _NOISE.sub("", fault.text)


def is_refusal(fault: Fault) -> bool:
    """Whether to wait longer is pointless, because the broker has said no."""
    return fault.name in _REFUSED


def is_loss(fault: Fault) -> bool:
    """Whether no broker of the cluster was left."""
    return fault.name == "_ALL_BROKERS_DOWN"


def is_passing(fault: Fault) -> bool:
    """Whether the same request will succeed in a moment."""
    return fault.name in _PASSING


def unreachable(doing: Doing, reason: str | None = None) -> KafkaError:
    """Nobody answered in time."""
    return KafkaError(
        "BROKER_UNREACHABLE",
        address=doing.address,
        seconds=f"{doing.timeout_s:g}",
        table_note=doing.table_note + (f" ({reason})" if reason else ""),
    )


def refused(doing: Doing, reason: str) -> KafkaError:
    """The broker knows us and says no, or one of the two does not believe the other."""
    return KafkaError(
        "KAFKA_REFUSED",
        address=doing.address,
        action=doing.action,
        table_note=doing.table_note,
        reason=f"{reason.rstrip('.')}.",
    )


def unusable(doing: Doing, reason: str) -> KafkaError:
    """What the properties say cannot be followed here."""
    return KafkaError(
        "KAFKA_CLIENT_UNUSABLE",
        address=doing.address,
        table_note=doing.table_note,
        reason=f"{reason.rstrip('.')}.",
    )


def missing(doing: Doing, existing: Iterable[str] = ()) -> KafkaError:
    """There is no such topic; `existing` is searched for what may have been meant."""
    near = difflib.get_close_matches(doing.topic, list(existing), n=1, cutoff=0.7)
    return KafkaError(
        "TOPIC_MISSING",
        topic=doing.topic,
        table_note=doing.table_note,
        address=doing.address,
        did_you_mean=f" Did you mean '{near[0]}'?" if near else "",
    )
