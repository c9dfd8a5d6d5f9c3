"""The words of the wire: topics, their partitions, the cluster they are on. No I/O."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True, order=True)
class Topic:
    """A topic as the broker describes it; `internal` ones are Kafka's own."""

    name: str
    partitions: int
    internal: bool = False


@dataclass(frozen=True, slots=True, order=True)
class TopicPartition:
    """One partition of one topic; offsets are kept by it."""

    topic: str
    partition: int


@dataclass(frozen=True, slots=True)
class Committed:
    """An offset that a consumer group has, with the note of whoever committed it."""

    offset: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cluster:
    """What a cluster says of itself; `brokers` are the addresses it wants its clients to use."""

    id: str
    brokers: tuple[Endpoint, ...]
    topics: tuple[Topic, ...]
