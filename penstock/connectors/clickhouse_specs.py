"""Where ClickHouse's Kafka tables are read from and written to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.connectors.base import Source, Target

if TYPE_CHECKING:
    from penstock.connectors.kafka_specs import Startup

_NOT_YET = "ClickHouse's Kafka tables are planned and explained, but not yet run"


@dataclass(frozen=True, slots=True)
class ClickHouseKafkaSource(Source):
    """Topics that are read from the offsets of a consumer group."""

    topics: tuple[str, ...]
    properties: tuple[tuple[str, str], ...]
    startup: Startup
    format: str
    not_yet = _NOT_YET

    def describe(self) -> str:
        """Topics, group and format."""
        names = ", ".join(f"'{topic}'" for topic in self.topics)
        servers = dict(self.properties)["bootstrap.servers"]
        group = self.startup.group_id
        return f"topic {names} of {servers}, group '{group}', format {self.format}"

    def identity(self) -> object:
        """Offsets belong to topics."""
        return self.topics


@dataclass(frozen=True, slots=True)
class ClickHouseKafkaTarget(Target):
    """The topic that an INSERT writes."""

    topic: str
    properties: tuple[tuple[str, str], ...]
    format: str
    not_yet = _NOT_YET

    def describe(self) -> str:
        """Topic and format."""
        servers = dict(self.properties)["bootstrap.servers"]
        return f"topic '{self.topic}' of {servers}, format {self.format}"
