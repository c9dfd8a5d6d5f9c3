"""The options of Blink's Kafka tables, and what became of the client's parameters since."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from penstock.model.option import Option, one_of, pattern, text, whole_number
from penstock.model.option_list import separated

# startupMode → the mode's name in Flink
MODES = {
    "EARLIEST": "earliest-offset",
    "GROUP_OFFSETS": "group-offsets",
    "LATEST": "latest-offset",
    "TIMESTAMP": "timestamp",
}
RESETS = {"largest": "latest", "smallest": "earliest"}


def _moment(value: str) -> str:
    try:
        datetime.strptime(value, "%Y-%m-%d %H:%M:%S")
    except ValueError:
        raise ValueError("a time such as '2024-01-31 08:00:00'") from None
    return value


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise ValueError("a zone such as 'Asia/Shanghai'") from None
    return value


def _none(value: str) -> str:
    raise ValueError("nothing: classes of Java cannot be run here; use a Python function")


_DECLARED: tuple[Option[Any], ...] = (
    Option("connector", text, None, "Written `type`: `kafka08` … `kafka011`.", required=True),
    Option("topic", separated, None, "Topic to read or write."),
    Option("topicPattern", pattern, None, "Java regular expression; matching topics are read."),
    Option("bootstrap.servers", text, None, "Brokers; `--bootstrap` replaces them."),
    Option("zookeeper.connect", text, None, "Of `kafka08`: not asked any more."),
    Option("group.id", text, None, "Consumer group, for `GROUP_OFFSETS`."),
    Option(
        "startupMode",
        one_of(*MODES),
        "GROUP_OFFSETS",
        "Where the first run begins.",
        "Enum",
    ),
    Option("startTime", _moment, None, "For `TIMESTAMP`: `yyyy-MM-dd HH:mm:ss`."),
    Option("startTimeMs", whole_number, None, "For `TIMESTAMP`: milliseconds.", "Long"),
    Option("timeZone", _zone, None, "Zone of `startTime`; else the machine's."),
    Option(
        "auto.offset.reset",
        one_of("earliest", "latest", "none", *RESETS),
        None,
        "Where to begin if the group has no offset.",
        "Enum",
    ),
    Option("extraConfig", text, "", "More parameters of the client: `a=b;c=d`."),
    Option(
        "partitionDiscoveryIntervalMS",
        whole_number,
        None,
        "How often to look for new partitions; `0`: never.",
        "Long",
    ),
    Option("penstock.credentials", text, None, "Named credentials with the client's properties."),
    Option("converterClass", _none, None, "Refused: use a Python function."),
)
OPTIONS = {option.key: option for option in _DECLARED}

# name in the old consumer → name today
RENAMED = {
    "fetch.message.max.bytes": "max.partition.fetch.bytes",
    "fetch.wait.max.ms": "fetch.max.wait.ms",
    "socket.receive.buffer.bytes": "receive.buffer.bytes",
}
_OLD = "only the consumer of Kafka 0.8 had it"
_ZOOKEEPER = "there is no ZooKeeper to ask"
_OFFSETS = "offsets are kept in the job's checkpoint"
WITHOUT_EFFECT = {
    "auto.commit.enable": _OFFSETS,
    "auto.commit.interval.ms": _OFFSETS,
    "consumer.id": _OLD,
    "consumer.timeout.ms": _OLD,
    "dual.commit.enabled": _OFFSETS,
    "enable.auto.commit": _OFFSETS,
    "num.consumer.fetchers": _OLD,
    "offsets.channel.backoff.ms": _OFFSETS,
    "offsets.channel.socket.timeout.ms": _OFFSETS,
    "offsets.commit.max.retries": _OFFSETS,
    "offsets.storage": _OFFSETS,
    "partition.assignment.strategy": "Spark assigns the partitions",
    "queued.max.message.chunks": _OLD,
    "rebalance.backoff.ms": _OLD,
    "rebalance.max.retries": _OLD,
    "refresh.leader.backoff.ms": _OLD,
    "socket.timeout.ms": _OLD,
    "zookeeper.connection.timeout.ms": _ZOOKEEPER,
    "zookeeper.session.timeout.ms": _ZOOKEEPER,
    "zookeeper.sync.time.ms": _ZOOKEEPER,
}
