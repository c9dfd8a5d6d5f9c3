"""The options of the `kafka` connector, declared once."""

from __future__ import annotations

import re
from typing import Any

from penstock.model.option import (
    Option,
    duration_ms,
    one_of,
    pattern,
    positive_number,
    text,
    whole_number,
)
from penstock.model.option_list import separated

FAILURE_HANDLER, FAILURE_TOPIC = "scan.deser.failure-handler", "scan.deser.failure-topic"
GUARANTEES = ("exactly-once", "at-least-once", "none")
_STARTUP_MODES = (
    "earliest-offset",
    "latest-offset",
    "group-offsets",
    "timestamp",
    "specific-offsets",
)
_OFFSETS = "For `specific-offsets`: `partition:0,offset:42;partition:1,offset:300`."
_ALIGNMENT = "Accepted, without effect: tables are not held back for each other."


def _semantic(value: str) -> str:
    """The guarantee by its older names, as Java's or as SQL's."""
    found = value.lower().replace("_", "-")
    if found not in GUARANTEES:
        raise ValueError(", ".join(f"'{guarantee}'" for guarantee in GUARANTEES))
    return found


def _brokers(value: str) -> str:
    """Hosts, each with its port."""
    brokers = [part.strip() for part in value.split(",") if part.strip()]
    if not brokers or not all(re.fullmatch(r"\S+:\w+", broker) for broker in brokers):
        raise ValueError("brokers as host:port, separated by commas")
    return value


_TABLE: tuple[Option[Any], ...] = (
    Option("connector", text, None, "`kafka`.", required=True),
    Option(
        "topic",
        separated,
        None,
        "Topics to read, as `a;b`. A sink writes to the one topic, or to that of several which the "
        "metadata column `topic` names.",
        "List",
    ),
    Option(
        "topic-pattern",
        pattern,
        None,
        "Regular expression in place of `topic`: topics whose whole name matches are read; a sink "
        "writes to the one its metadata column `topic` names.",
    ),
    Option(
        "properties.bootstrap.servers",
        _brokers,
        None,
        "Comma-separated brokers; `--bootstrap` and `--embedded` replace them.",
        required=True,
    ),
    Option(
        "properties.group.id",
        text,
        None,
        "Consumer group: `group-offsets` begins or ends at its offsets, and what was read is "
        "committed to it.",
    ),
    Option("format", text, None, "Format of the value; this or `value.format` is required."),
    Option("value.format", text, None, "The same as `format`, which wins over it."),
    Option("key.format", text, None, "Format of the key; without it keys are not used."),
    Option("key.fields", separated, (), "Columns that make the key, in its order: `a;b`.", "List"),
    Option("key.fields-prefix", text, "", "Prefix of the key columns, removed in the message."),
    Option(
        "value.fields-include",
        one_of("ALL", "EXCEPT_KEY"),
        "ALL",
        "Whether key columns also stand in the value.",
        "Enum",
    ),
)
_SCAN: tuple[Option[Any], ...] = (
    Option(
        "scan.startup.mode",
        one_of(*_STARTUP_MODES),
        "group-offsets",
        "Where the first run begins; later runs continue from their checkpoint.",
        "Enum",
    ),
    Option("scan.startup.specific-offsets", text, None, _OFFSETS),
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
    Option("scan.bounded.specific-offsets", text, None, _OFFSETS),
    Option(
        "scan.bounded.timestamp-millis",
        whole_number,
        None,
        "For `timestamp`: the first message of that time or later ends its partition.",
        "Long",
    ),
    Option(
        "scan.topic-partition-discovery.interval",
        duration_ms,
        300_000,
        "How often to look for new topics and partitions, which are read from their beginning; "
        "`0`: never.",
        "Duration",
    ),
    Option(
        FAILURE_HANDLER,
        one_of("none", "log", "kafka"),
        "none",
        "What becomes of a message that its format cannot read. `none`: the job stops and names "
        "it. `log`: it is left out, counted and told to the log. `kafka`: it is left out, counted "
        "and written to `scan.deser.failure-topic`.",
        "Enum",
    ),
    Option(
        FAILURE_TOPIC,
        text,
        None,
        "For `kafka`: the topic of dead letters, in the cluster of the table.",
    ),
    Option(
        "scan.parallelism",
        whole_number,
        None,
        "Read with at most so many tasks, else one for each partition. A partition is read by one "
        "task, so that its rows stay in order: more tasks than partitions have nothing to do.",
        "Integer",
    ),
    Option(
        "scan.watermark.idle-timeout",
        duration_ms,
        None,
        "A partition without a row for so long no longer holds back the watermark; else the "
        "setting `table.exec.source.idle-timeout` counts.",
        "Duration",
    ),
    Option(
        "scan.watermark.emit.strategy",
        one_of("on-periodic", "on-event"),
        None,
        "Accepted, without effect: the watermark moves with every micro-batch.",
        "Enum",
    ),
    Option("scan.watermark.alignment.group", text, None, _ALIGNMENT),
    Option("scan.watermark.alignment.max-drift", duration_ms, None, _ALIGNMENT, "Duration"),
    Option("scan.watermark.alignment.update-interval", duration_ms, None, _ALIGNMENT, "Duration"),
)
_SINK: tuple[Option[Any], ...] = (
    Option(
        "sink.partitioner",
        text,
        "default",
        "`default` and `round-robin`: by the hash of the key, or sticky without a key. `fixed`: "
        "each task writes to one partition. Else a class: of Java, or `module.Name` of Python.",
    ),
    Option(
        "sink.delivery-guarantee",
        one_of(*GUARANTEES),
        "at-least-once",
        "`exactly-once` writes in transactions and needs `sink.transactional-id-prefix`.",
        "Enum",
    ),
    Option("sink.semantic", _semantic, None, "The older name of it, which wins over it.", "Enum"),
    Option(
        "sink.transactional-id-prefix",
        text,
        None,
        "Begins the id of every transaction; no other job may use it.",
    ),
    Option(
        "sink.transaction-naming-strategy",
        one_of("INCREMENTING", "POOLING"),
        None,
        "Accepted, without effect: a job has the same ids in every run.",
        "Enum",
    ),
    Option(
        "sink.parallelism",
        whole_number,
        None,
        "Write with so many tasks; else with as many as the query has.",
        "Integer",
    ),
)
_OWN: tuple[Option[Any], ...] = (
    Option(
        "penstock.on-data-loss",
        one_of("fail", "continue"),
        None,
        "When messages are gone before they were read, or a topic was created anew: stop, or go on "
        "and count; else the setting of that name counts.",
        "Enum",
    ),
    Option(
        "penstock.max-offsets-per-batch",
        positive_number,
        None,
        "Read at most so many messages per micro-batch; else the setting of that name counts.",
        "Integer",
    ),
    Option(
        "penstock.credentials", text, None, "Named credentials that give the client's properties."
    ),
    Option("ssl_auth_name", text, None, "The same for SSL, as Huawei's DLI names it."),
    Option("kafka_certificate_name", text, None, "An older name of `ssl_auth_name`."),
    Option("krb_auth_name", text, None, "The same for Kerberos, as Huawei's DLI names it."),
)
OPTIONS = {option.key: option for option in (*_TABLE, *_SCAN, *_SINK, *_OWN)}
