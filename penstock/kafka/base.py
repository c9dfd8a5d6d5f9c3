"""The contract of a line to a Kafka cluster: what `admin.py` asks, whichever client answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from penstock.kafka.failure import Doing
    from penstock.kafka.topic import Cluster, Committed, TopicPartition


class Connection(ABC):
    """Asks one cluster; every failure leaves it as a Penstock error made of `doing`."""

    @abstractmethod
    def cluster(self, doing: Doing, *, timeout_s: float | None = None) -> Cluster:
        """What the cluster says of itself; the question creates no topic."""

    @abstractmethod
    def rights(self, topic: str, doing: Doing) -> frozenset[str]:
        """What may be done with a topic (`READ`, `WRITE`, …); nothing where the broker tells not.

        A topic that may not even be looked at is refused.
        """

    @abstractmethod
    def topic_settings(self, topic: str, doing: Doing) -> dict[str, str]:
        """How a topic is configured, defaults among it."""

    @abstractmethod
    def broker_settings(self, doing: Doing) -> dict[str, str]:
        """How a broker of the cluster is configured, defaults among it."""

    @abstractmethod
    def create_topic(
        self, topic: str, doing: Doing, *, partitions: int, config: Mapping[str, str]
    ) -> None:
        """Ask for a new topic; it may take a moment until every broker knows it."""

    @abstractmethod
    def delete_topic(self, topic: str, doing: Doing) -> None:
        """Ask for the end of a topic; it may take a moment until every broker knows it."""

    @abstractmethod
    def offsets(
        self, wanted: Iterable[TopicPartition], doing: Doing, *, at: int
    ) -> dict[TopicPartition, int]:
        """The offsets at a time in ms, or at an end: `-2` the first, `-1` behind the last."""

    @abstractmethod
    def committed(self, group: str, doing: Doing) -> dict[TopicPartition, Committed]:
        """What a consumer group has committed."""

    @abstractmethod
    def commit(
        self, group: str, doing: Doing, *, offsets: Mapping[TopicPartition, int], note: str
    ) -> None:
        """Set what a consumer group has committed."""

    @abstractmethod
    def is_lost(self) -> bool:
        """Whether another connection should be opened in its place."""
