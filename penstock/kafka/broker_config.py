"""What the embedded broker is started with: its settings, its log's settings, its command line.

Called by `broker.py`. Paths in the files are relative to the broker's folder, in which it runs: a
folder may have any name, and may be moved while the broker is down.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

LOG_FILE = "broker.log"
CONSOLE_FILE = "console.log"
DATA_FOLDER = "data"
SETTINGS_FILE = "server.properties"
LOGGING_FILE = "log4j2.properties"

_FOREVER = str(2**63 - 1)

_SETTINGS = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "listener.security.protocol.map": "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "inter.broker.listener.name": "BROKER",
    "controller.listener.names": "CONTROLLER",
    "log.dirs": DATA_FOLDER,
    # One node: nothing can be replicated, and one partition of each internal topic is plenty.
    "num.partitions": "1",
    "default.replication.factor": "1",
    "min.insync.replicas": "1",
    "offsets.topic.num.partitions": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    # Kafka's default, which Flink's sinks rely on; its sources ask without creating.
    "auto.create.topics.enable": "true",
    # Flink asks for transactions of up to an hour.
    "transaction.max.timeout.ms": "3600000",
    "group.initial.rebalance.delay.ms": "0",
    # After a crash the only broker waits until its former self has timed out: 3 s, not 9.
    "broker.session.timeout.ms": "3000",
    "broker.heartbeat.interval.ms": "500",
    # Examples have rows of past and future years: keep them, and do not cut segments by them.
    "log.retention.ms": "-1",
    "log.roll.ms": _FOREVER,
    "log.message.timestamp.before.max.ms": _FOREVER,
    "log.message.timestamp.after.max.ms": _FOREVER,
    "offsets.retention.minutes": str(2**31 - 1),
    # A developer's disk and memory: an index of 1 MiB spans more than a segment of 256 MiB.
    "log.segment.bytes": str(256 * 1024 * 1024),
    "log.index.size.max.bytes": str(1024 * 1024),
    "log.segment.delete.delay.ms": "1000",
    "log.cleaner.dedupe.buffer.size": str(16 * 1024 * 1024),
}

_LOGGING = f"""\
rootLogger.level = info
rootLogger.appenderRef.file.ref = file
appender.file.type = RollingFile
appender.file.name = file
appender.file.fileName = {LOG_FILE}
appender.file.filePattern = {LOG_FILE}.%i
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = [%d] %p %m (%c)%n
appender.file.policies.type = Policies
appender.file.policies.size.type = SizeBasedTriggeringPolicy
appender.file.policies.size.size = 10MB
appender.file.strategy.type = DefaultRolloverStrategy
appender.file.strategy.max = 2
logger.config.name = org.apache.kafka.common.config
logger.config.level = warn
"""

# SerialGC needs less than half of G1's CPU here (2 cores, 512 MB); the optimising compiler stays.
_SERVER_FLAGS = ("-Xmx512m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError")

# Formatting is over before the optimising compiler would pay.
_TOOL_FLAGS = ("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


_SEPARATED = ("advertised.listeners", "listener.security.protocol.map", "listeners")


def write_config(
    directory: Path, *, port: int, controller_port: int, settings: Mapping[str, str] | None = None
) -> None:
    """Write the broker's files; whatever they said before is replaced.

    `settings` go over ours; what they say of listeners is added to ours.
    """
    addresses = {
        "listeners": f"BROKER://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}",
        "advertised.listeners": f"BROKER://127.0.0.1:{port}",
        "controller.quorum.voters": f"1@127.0.0.1:{controller_port}",
    }
    ours = {**_SETTINGS, **addresses}
    given = dict(settings or {})
    added = {key: f"{ours[key]},{given.pop(key)}" for key in _SEPARATED if key in given}
    lines = [f"{key}={_escaped(value)}\n" for key, value in {**ours, **given, **added}.items()]
    (directory / SETTINGS_FILE).write_text("".join(lines), encoding="utf-8")
    (directory / LOGGING_FILE).write_text(_LOGGING, encoding="utf-8")


def _escaped(value: str) -> str:
    """A value as Java's properties files have it."""
    return value.replace("\\", "\\\\")


def marker(directory: Path) -> str:
    """The argument by which the process of this folder's broker is told from any other."""
    return f"-Dpenstock.broker={directory}"


def server_command(
    directory: Path, *, java: Path, jars: Sequence[Path], flags: Sequence[str] = ()
) -> list[str]:
    """The command that runs the broker, to be started in its folder."""
    logging = f"-Dlog4j2.configurationFile={LOGGING_FILE}"
    flags = (marker(directory), *_SERVER_FLAGS, logging, *flags)
    return [str(java), *flags, "-cp", _classpath(jars), "kafka.Kafka", SETTINGS_FILE]


def format_command(cluster_id: str, *, java: Path, jars: Sequence[Path]) -> list[str]:
    """The command that prepares the data folder, once, before the first start."""
    tool = ["kafka.tools.StorageTool", "format", f"--cluster-id={cluster_id}", "-c", SETTINGS_FILE]
    flags = (*_TOOL_FLAGS, "-Dlog4j2.level=off")
    return [str(java), *flags, "-cp", _classpath(jars), *tool]


def _classpath(jars: Sequence[Path]) -> str:
    return os.pathsep.join(map(str, jars))
