"""The options of Kafka tables, declared once, and the client properties made from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.model.option import Option, one_of, positive_number, separated, text, whole_number

if TYPE_CHECKING:
    from penstock.model.table import Table

_STARTUP_MODES = (
    "earliest-offset",
    "latest-offset",
    "group-offsets",
    "timestamp",
    "specific-offsets",
)


def _guarantee(value: str) -> str:
    try:
        return one_of("at-least-once", "none")(value)
    except ValueError as allowed:
        raise ValueError(f"{allowed}; 'exactly-once' is not supported yet") from None


_DECLARED: tuple[Option[Any], ...] = (
    Option("connector", text, None, "`kafka`.", required=True),
    Option("topic", separated, None, "Topic to read or write; a source may list several: `a;b`."),
    Option("topic-pattern", text, None, "Java regular expression; matching topics are read."),
    Option(
        "properties.bootstrap.servers",
        text,
        None,
        "Comma-separated brokers; `--bootstrap` and `--embedded` replace them.",
        required=True,
    ),
    Option("format", text, None, "Format of the value; this or `value.format` is required."),
    Option("value.format", text, None, "The same as `format`."),
    Option("key.format", text, None, "Format of the key; without it keys are not used."),
    Option("key.fields", separated, (), "Columns that make the key, as `a;b`.", "List"),
    Option("key.fields-prefix", text, "", "Prefix of the key columns, removed in the message."),
    Option(
        "value.fields-include",
        one_of("ALL", "EXCEPT_KEY"),
        "ALL",
        "Whether key columns also stand in the value.",
        "Enum",
    ),
    Option(
        "scan.startup.mode",
        one_of(*_STARTUP_MODES),
        "group-offsets",
        "Where the first run begins; later runs continue from their checkpoint.",
        "Enum",
    ),
    Option(
        "scan.startup.specific-offsets",
        text,
        None,
        "For `specific-offsets`: `partition:0,offset:42;partition:1,offset:300`.",
    ),
    Option(
        "scan.startup.timestamp-millis",
        whole_number,
        None,
        "For `timestamp`: milliseconds since 1970-01-01 UTC.",
        "Long",
    ),
    Option(
        "scan.bounded.mode",
        one_of("unbounded", "latest-offset", "group-offsets", "timestamp", "specific-offsets"),
        "unbounded",
        "Where reading ends, looked up when the job starts; the end itself is not read.",
        "Enum",
    ),
    Option(
        "scan.bounded.specific-offsets",
        text,
        None,
        "For `specific-offsets`: `partition:0,offset:42;partition:1,offset:300`.",
    ),
    Option(
        "scan.bounded.timestamp-millis",
        whole_number,
        None,
        "For `timestamp`: the first message of that time or later ends its partition.",
        "Long",
    ),
    Option(
        "scan.topic-partition-discovery.interval",
        text,
        None,
        "Accepted: new partitions are looked for before every batch.",
        "Duration",
    ),
    Option(
        "sink.partitioner",
        one_of("default", "round-robin"),
        "default",
        "Kafka's own partitioner: by the hash of the key, or sticky without a key.",
    ),
    Option(
        "sink.delivery-guarantee",
        _guarantee,
        "at-least-once",
        "Every row is written; after a crash some may be written again.",
        "Enum",
    ),
    Option("sink.semantic", _guarantee, None, "The older name of it.", "Enum"),
    Option(
        "sink.transactional-id-prefix",
        text,
        None,
        "Accepted: it belongs to `exactly-once`, which is not supported yet.",
    ),
    Option(
        "sink.parallelism",
        positive_number,
        None,
        "Accepted: Spark writes with as many tasks as it reads with.",
        "Integer",
    ),
    Option(
        "scan.parallelism",
        positive_number,
        None,
        "Accepted: Spark reads each partition with one task.",
        "Integer",
    ),
)
OPTIONS = {option.key: option for option in _DECLARED}

# A producer that fills its batches: rows come in bulk, once per micro-batch.
PRODUCER_DEFAULTS = {"linger.ms": "50", "batch.size": "262144", "buffer.memory": "67108864"}

# A broker that is gone is noticed in a minute, not in three.
CONSUMER_DEFAULTS = {"default.api.timeout.ms": "15000", "request.timeout.ms": "10000"}

# Properties that Spark's source and sink set themselves and refuse from outside.
_OWNED_BY_SPARK = frozenset(
    {
        "auto.offset.reset",
        "enable.auto.commit",
        "group.id",
        "interceptor.classes",
        "key.deserializer",
        "key.serializer",
        "value.deserializer",
        "value.serializer",
    }
)
_FLINK_SHADED = "org.apache.flink.kafka.shaded."


def client_properties(table: Table) -> tuple[tuple[str, str], ...]:
    """`properties.*` as the Kafka client wants them: no prefix, no shaded class names."""
    properties = []
    for option in table.options:
        key = option.key.removeprefix("properties.")
        if option.key.startswith("properties.") and key not in _OWNED_BY_SPARK:
            properties.append((key, option.value.replace(_FLINK_SHADED, "")))
    return tuple(properties)
