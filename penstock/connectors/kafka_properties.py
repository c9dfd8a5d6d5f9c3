"""`properties.*` of Kafka tables → properties of the Java client, and what has no effect there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.kafka_login import client_value, unshaded
from penstock.connectors.kafka_rules import conflict, refusal

if TYPE_CHECKING:
    from penstock.connectors.kafka_specs import Properties
    from penstock.errors import OptionError
    from penstock.model.span import Span
    from penstock.model.table import Table

# A producer that fills its batches: rows come in bulk, once per micro-batch.
PRODUCER_DEFAULTS = {"linger.ms": "50", "batch.size": "262144", "buffer.memory": "67108864"}

# A broker that is gone is noticed in a minute, not in three.
CONSUMER_DEFAULTS = {"default.api.timeout.ms": "15000", "request.timeout.ms": "10000"}

_PREFIX = "properties."
_BYTES = "org.apache.kafka.common.serialization.ByteArray"
_KAFKAS_OWN = "org.apache.kafka.common.serialization."
# Read by the connector itself.
_READ_HERE = frozenset({"auto.offset.reset", "group.id"})
_DESERIALIZERS = ("key.deserializer", "value.deserializer")
_SERIALIZERS = ("key.serializer", "value.serializer")
_CHECKPOINT = "offsets are kept in the job's checkpoint, and committed after each batch"
_METRICS = "the job's own figures are there in any case"
_WITHOUT_EFFECT = {
    "auto.commit.interval.ms": _CHECKPOINT,
    "client.id.prefix": "write 'properties.client.id'",
    "enable.auto.commit": _CHECKPOINT,
    "flink.disable-metrics": _METRICS,
    "interceptor.classes": "Spark's consumers have none",
    "partition.discovery.interval.ms": "'scan.topic-partition-discovery.interval' counts",
    "register.consumer.metrics": _METRICS,
    "register.producer.metrics": _METRICS,
    "transactional.id": "'sink.transactional-id-prefix' begins it",
    "zookeeper.connect": "there is no ZooKeeper to ask",
    **dict.fromkeys(_DESERIALIZERS, "formats read the bytes"),
    **dict.fromkeys(_SERIALIZERS, "formats write the bytes"),
}


def client_properties(table: Table) -> Properties:
    """`properties.*` as the Kafka client wants them: no prefix, no shaded class names."""
    properties = []
    for option in table.options:
        key = option.key.removeprefix(_PREFIX)
        ours = key in _READ_HERE or key in _WITHOUT_EFFECT
        if option.key.startswith(_PREFIX) and not ours:
            properties.append((key, client_value(option)))
    return tuple(properties)


def property_notes(table: Table) -> list[tuple[str, Span | None]]:
    """The properties that change nothing; classes that only pass bytes on are as good as unset."""
    notes = []
    for option in table.options:
        reason = _WITHOUT_EFFECT.get(option.key.removeprefix(_PREFIX))
        passes_bytes = unshaded(option.value).startswith(_BYTES)
        if option.key.startswith(_PREFIX) and reason and not passes_bytes:
            notes.append((f"the option '{option.key}' has no effect here: {reason}", option.span))
    return notes


def consumer_refusal(table: Table) -> OptionError | None:
    """Why a table cannot be read: another decoder of its bytes, a commit without a group."""
    for key in _DESERIALIZERS:
        if found := _deserializer_refusal(table, f"{_PREFIX}{key}"):
            return found
    for key in ("enable.auto.commit", "commit.offsets.on.checkpoint"):
        asked = (table.option(f"{_PREFIX}{key}") or "").lower() == "true"
        if asked and not table.option(f"{_PREFIX}group.id"):
            return conflict(
                table,
                f"{_PREFIX}{key}",
                "Property group.id is required when offset commit is enabled.",
                "Add 'properties.group.id' to the WITH clause.",
            )
    return None


def _deserializer_refusal(table: Table, key: str) -> OptionError | None:
    name = unshaded(table.option(key) or "")
    if not name or name == f"{_BYTES}Deserializer":
        return None
    if name.startswith(_KAFKAS_OWN) and name.endswith("Deserializer"):
        problem = f"Deserializer class {name} does not deserialize byte[]."
    elif name.startswith(_KAFKAS_OWN):
        problem = (
            f"Deserializer class {name} is not a subclass of "
            "org.apache.kafka.common.serialization.Deserializer."
        )
    else:
        problem = f"Deserializer class {name} not found."
    return refusal(table, key, problem, "Remove it: the table's formats read the bytes.")
