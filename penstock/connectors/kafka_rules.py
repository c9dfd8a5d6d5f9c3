"""Rules that the options of a Kafka table keep, in Flink's order and words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from penstock.connectors.kafka_options import FAILURE_HANDLER, FAILURE_TOPIC
from penstock.errors import OptionError
from penstock.formats.cdc import MISSING_BEFORE
from penstock.model.changelog import ChangelogMode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.formats.base import Format
    from penstock.model.span import Span
    from penstock.model.table import Table

_MAX_PARALLELISM = 2**31 - 1
# In place of an option's name: a mistake of the key is told where the key stands.
PRIMARY_KEY = "PRIMARY KEY"
# Kafka takes ids of 64 KiB; what is added to the prefix must fit in, too.
_MAX_PREFIX_BYTES = 64_000
# As Kafka names topics: neither `.` nor `..`, which are no names for folders.
_TOPIC = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}")
# What a transaction asks of the producer: property → values it may have, and Kafka's words for it.
_TRANSACTIONAL = {
    "acks": (
        re.compile(r"all|-1"),
        "Must set acks to all in order to use the idempotent producer.",
        "Remove it.",
    ),
    "enable.idempotence": (
        re.compile(r"true", re.IGNORECASE),
        "Cannot set a transactional.id without also enabling idempotence.",
        "Remove it.",
    ),
    "retries": (
        re.compile(r"\+?0*[1-9][0-9]*"),
        "Must set retries to non-zero when using the idempotent producer.",
        "Remove it.",
    ),
    "max.in.flight.requests.per.connection": (
        re.compile(r"0*[1-5]"),
        "Must set max.in.flight.requests.per.connection to at most 5 to use the idempotent "
        "producer.",
        "Remove it.",
    ),
    "transaction.timeout.ms": (
        re.compile(r"\+?0*[1-9][0-9]{0,8}"),
        "The timeout of a transaction must be a number of milliseconds greater than zero.",
        "Write for example '900000'; the broker's 'transaction.max.timeout.ms' is its limit.",
    ),
}
_ALIGNMENT = "scan.watermark.alignment."
_ALIGNMENT_GROUP, _ALIGNMENT_DRIFT = f"{_ALIGNMENT}group", f"{_ALIGNMENT}max-drift"


def conflict(table: Table, key: str, problem: str, instead: str) -> OptionError:
    """The error for options that contradict each other, at one of them."""
    facts = {"table": table.name, "conflict": problem, "instead": instead}
    return OptionError("CONFLICTING_OPTIONS", span=_place(table, key), **facts)


def refusal(table: Table, key: str, problem: str, instead: str) -> OptionError:
    """The error for a value that cannot be, where Flink has words of its own for it."""
    facts = {"table": table.name, "problem": problem, "instead": instead}
    return OptionError("REFUSED_OPTION", span=_place(table, key), **facts)


def _place(table: Table, key: str) -> Span | None:
    found = next((option.span for option in table.options if option.key == key), None)
    return found or (table.key_place if key == PRIMARY_KEY else table.span)


def check_topic_or_pattern(table: Table) -> None:
    """One of the two."""
    topics, pattern = table.option("topic"), table.option("topic-pattern")
    instead = "Set exactly one of them."
    if topics and pattern:
        problem = "Option 'topic' and 'topic-pattern' shouldn't be set together."
        raise conflict(table, "topic-pattern", problem, instead)
    if not topics and not pattern:
        problem = "Either 'topic' or 'topic-pattern' must be set."
        raise conflict(table, "topic", problem, instead)


def check_topics(table: Table, values: Mapping[str, Any]) -> None:
    """Either names, or a pattern of names."""
    check_topic_or_pattern(table)
    topics = values["topic"]
    if not all(topics or ()):
        raise refusal(table, "topic", "Option 'topic' has an empty name.", "Name each topic.")
    for topic in topics or ():
        check_name(table, "topic", topic, "; separate topics by ';'")


def check_name(table: Table, key: str, topic: str, more: str = "") -> None:
    """Refuse what Kafka would not take as the name of a topic."""
    if not _TOPIC.fullmatch(topic):
        problem = f"Option '{key}' has '{topic}', which is no name that Kafka gives a topic."
        instead = f"Use at most 249 letters, digits, '.', '_' and '-'{more}."
        raise refusal(table, key, problem, instead)


def check_options(table: Table, values: Mapping[str, Any]) -> None:
    """The rules that come after those of where the table begins and ends."""
    for rule in _RULES:
        rule(table, values)


def _check_partitioner(table: Table, values: Mapping[str, Any]) -> None:
    name = values["sink.partitioner"]
    if not name:
        problem = "Option 'sink.partitioner' should be a non-empty string."
        instead = "Write 'default', 'fixed', 'round-robin' or the name of a class."
        raise refusal(table, "sink.partitioner", problem, instead)
    if name == "round-robin" and values["key.fields"]:
        raise conflict(
            table,
            "sink.partitioner",
            "Currently 'round-robin' partitioner only works when option 'key.fields' is not "
            "specified.",
            "Remove 'sink.partitioner': a message with a key goes to the partition of its key.",
        )


def _check_exactly_once(table: Table, values: Mapping[str, Any]) -> None:
    prefix = values["sink.transactional-id-prefix"]
    if prefix and len(prefix.encode()) > _MAX_PREFIX_BYTES:
        problem = (
            "The configured prefix is too long and the resulting transactionalIdPrefix might "
            "exceed Kafka's transactionalIdPrefix size."
        )
        raise refusal(table, "sink.transactional-id-prefix", problem, "Write a shorter one.")
    key = "sink.semantic" if values["sink.semantic"] else "sink.delivery-guarantee"
    if values[key] == "exactly-once" and not prefix:
        raise conflict(
            table,
            key,
            "sink.transactional-id-prefix must be specified when using "
            "DeliveryGuarantee.EXACTLY_ONCE."
            if key == "sink.delivery-guarantee"
            else "EXACTLY_ONCE delivery guarantee requires a transactionalIdPrefix to be set.",
            "Add 'sink.transactional-id-prefix', the beginning of its transactional ids.",
        )
    if values[key] == "exactly-once":
        _check_transactional(table)


def _check_transactional(table: Table) -> None:
    for name, (allowed, problem, instead) in _TRANSACTIONAL.items():
        given = table.option(f"properties.{name}")
        if given is not None and not allowed.fullmatch(given.strip()):
            raise conflict(table, f"properties.{name}", problem, instead)


def _check_parallelism(table: Table, values: Mapping[str, Any]) -> None:
    for key in ("scan.parallelism", "sink.parallelism"):
        tasks = values[key]
        if tasks is not None and not 0 < tasks <= _MAX_PARALLELISM:
            problem = f"Invalid configured parallelism {tasks} for table '{table.name}'."
            instead = f"Write a number from 1 to {_MAX_PARALLELISM}, or remove '{key}'."
            raise refusal(table, key, problem, instead)


def _check_alignment(table: Table, values: Mapping[str, Any]) -> None:
    used = [key for key in values if key.startswith(_ALIGNMENT) and values[key] is not None]
    if used and not {_ALIGNMENT_GROUP, _ALIGNMENT_DRIFT} <= set(used):
        raise conflict(
            table,
            used[0],
            f"Error configuring watermark for '{table.option('connector')}', "
            f"'{_ALIGNMENT_GROUP}' and "
            f"'{_ALIGNMENT_DRIFT}' must be set when configuring watermark alignment.",
            "Set both, or none.",
        )


def _check_failures(table: Table, values: Mapping[str, Any]) -> None:
    topic, is_kafka = values[FAILURE_TOPIC], values[FAILURE_HANDLER] == "kafka"
    if is_kafka and topic is None:
        problem = f"'{FAILURE_TOPIC}' is required with '{FAILURE_HANDLER}' = 'kafka' but missing."
        raise conflict(table, FAILURE_HANDLER, problem, "Name the topic of dead letters.")
    if topic is None:
        return
    if not is_kafka:
        problem = f"'{FAILURE_TOPIC}' is used with '{FAILURE_HANDLER}' = 'kafka' only."
        raise conflict(table, FAILURE_TOPIC, problem, "Set the handler to 'kafka', or remove it.")
    check_name(table, FAILURE_TOPIC, topic)
    pattern = values["topic-pattern"]
    if topic in (values["topic"] or ()) or (pattern and re.fullmatch(pattern, topic)):
        problem = f"'{FAILURE_TOPIC}' is '{topic}', which the table reads."
        raise conflict(table, FAILURE_TOPIC, problem, "Name a topic that the table does not read.")


_RULES = (
    _check_partitioner,
    _check_exactly_once,
    _check_parallelism,
    _check_alignment,
    _check_failures,
)


def check_primary_key(table: Table, value: Format) -> None:
    """Rows of a format that only knows inserts cannot keep a key's promise."""
    if table.primary_key and value.CHANGELOG is ChangelogMode.APPEND:
        raise conflict(
            table,
            PRIMARY_KEY,
            f"The Kafka table '{table.name}' with '{value.name}' format doesn't support defining "
            "PRIMARY KEY constraint on the table, because it can't guarantee the semantic of "
            "primary key.",
            "Remove the PRIMARY KEY.",
        )

    if value.changelog is ChangelogMode.UPSERT and not table.primary_key:
        name = value.option_name(MISSING_BEFORE.key)
        raise conflict(
            table,
            name,
            f"Option '{name}' = 'upsert' requires the Kafka table "
            f"'{table.name}' to define a PRIMARY KEY, by which a row replaces the one before.",
            "Add PRIMARY KEY (...) NOT ENFORCED.",
        )


def check_writable(table: Table, value: Format) -> None:
    """Some options are for reading only."""
    if problem := value.unwritable():
        key, why = problem
        raise refusal(
            table, value.option_name(key), why, "Remove it from the table that is written."
        )


def check_key_format(table: Table, key: Format | None) -> None:
    """A key is what it is: it does not change."""
    if key and key.CHANGELOG is not ChangelogMode.APPEND:
        raise conflict(
            table,
            "key.format",
            "A key format should only deal with INSERT-only records. But "
            f"{key.name} has a changelog mode of {key.CHANGELOG.value}.",
            "Choose a format such as 'json' or 'csv' for the key.",
        )
