"""confluent-kafka's errors → Penstock's, so that none of them crosses the folder's edge.

Called by `admin.py` and `records.py`: `raise translate(error, doing=…) from error`.
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

_MISSING = {"UNKNOWN_TOPIC_OR_PART", "_UNKNOWN_TOPIC"}

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

# A leader or coordinator is being chosen, or reads its log: the next try will find it.
_PASSING = {
    "COORDINATOR_LOAD_IN_PROGRESS",
    "COORDINATOR_NOT_AVAILABLE",
    "LEADER_NOT_AVAILABLE",
    "NOT_COORDINATOR",
    "NOT_LEADER_FOR_PARTITION",
}

# Which connection it was, for how long, and whose list the error is from.
_NOISE = re.compile(r"^\S+/(?:bootstrap|\d+): |\b(?:Broker|Local): | \(after \d+ms.*\)$")


@dataclass(frozen=True, slots=True)
class Doing:
    """What was asked of whom: the facts every error of one request shares."""

    address: str
    action: str
    timeout_s: float
    topic: str = ""
    table_note: str = ""


def translate(error: confluent_kafka.KafkaError, doing: Doing) -> KafkaError:
    """The Penstock error that says the same."""
    name = error.name()
    if name in _UNREACHABLE:
        return unreachable(doing)
    if name in _MISSING and doing.topic:
        return missing(doing)
    if name == "TOPIC_ALREADY_EXISTS":
        return KafkaError("TOPIC_EXISTS", topic=doing.topic, address=doing.address)
    code = "KAFKA_REFUSED" if name in _REFUSED else "KAFKA_REQUEST_FAILED"
    reason = f"{words(error).rstrip('.')}."
    return KafkaError(code, address=doing.address, action=doing.action, reason=reason)


def words(error: confluent_kafka.KafkaError) -> str:
    """What librdkafka says, without what only its developers need."""
    return _NOISE.sub("", error.str())


def is_refusal(error: confluent_kafka.KafkaError) -> bool:
    """Whether to wait longer is pointless, because the broker has said no."""
    return error.name() in _REFUSED


def is_loss(error: confluent_kafka.KafkaError) -> bool:
    """Whether no broker of the cluster was left."""
    return error.name() == "_ALL_BROKERS_DOWN"


def is_passing(error: confluent_kafka.KafkaError) -> bool:
    """Whether the same request will succeed in a moment."""
    return error.name() in _PASSING


def unreachable(doing: Doing, reason: str | None = None) -> KafkaError:
    """Nobody answered in time."""
    return KafkaError(
        "BROKER_UNREACHABLE",
        address=doing.address,
        seconds=f"{doing.timeout_s:g}",
        table_note=doing.table_note + (f" ({reason})" if reason else ""),
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
