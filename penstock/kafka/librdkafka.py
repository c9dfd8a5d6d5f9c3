"""librdkafka's answers to administrative questions, through confluent-kafka.

Opened by `connection.py` where a cluster is spoken to without TLS, by PLAIN or SCRAM.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import TimeoutError as FutureTimeoutError
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from penstock.errors import KafkaError
from penstock.kafka.base import Connection
from penstock.kafka.client import client_config, client_logger
from penstock.kafka.failure import (
    Doing,
    Fault,
    is_loss,
    is_passing,
    is_refusal,
    translate,
    unreachable,
    unusable,
    words,
)
from penstock.kafka.topic import Cluster, Committed, Endpoint, Topic, TopicPartition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from concurrent.futures import Future

    from confluent_kafka import KafkaError as ClientError
    from confluent_kafka import KafkaException
    from confluent_kafka.admin import AdminClient
    from confluent_kafka.admin._metadata import ClusterMetadata

    from penstock.kafka.client import ClientConfig

Key = TypeVar("Key")
Answer = TypeVar("Answer")

# How soon a wrong password is noticed while a request waits for its answer.
_SLICE_S = 0.5

_RETRY_S = 0.02


class NativeConnection(Connection):
    """librdkafka's admin client, and what it reported since the last question."""

    def __init__(self, config: ClientConfig) -> None:
        from confluent_kafka.admin import AdminClient

        self._config = config
        self._failed = False
        self._reported: deque[Fault] = deque(maxlen=20)
        hooks: dict[str, Any] = {"error_cb": self._report, "logger": client_logger()}
        self._client: AdminClient = AdminClient({**config, **hooks})

    def cluster(self, doing: Doing, *, timeout_s: float | None = None) -> Cluster:
        """What the cluster says of itself; the question creates no topic."""
        return _cluster(self._metadata(doing, timeout_s or doing.timeout_s))

    def _metadata(self, doing: Doing, timeout_s: float) -> ClusterMetadata:
        from confluent_kafka import KafkaException

        self._reported.clear()
        deadline = time.monotonic() + timeout_s
        while True:
            left_s = max(deadline - time.monotonic(), 0)
            try:
                return self._client.list_topics(timeout=min(_SLICE_S, left_s))
            except KafkaException as error:
                self._raise_refusal(doing)
                if left_s <= _SLICE_S:
                    raise self._translated(error, doing) from error

    def rights(self, topic: str, doing: Doing) -> frozenset[str]:
        """As the broker describes them."""
        from confluent_kafka import TopicCollection

        describe = partial(
            self._client.describe_topics,
            TopicCollection([topic]),
            include_authorized_operations=True,
            request_timeout=doing.timeout_s,
        )
        operations = self._ask(describe, doing)[topic].authorized_operations
        return frozenset(operation.name for operation in operations or ())

    def topic_settings(self, topic: str, doing: Doing) -> dict[str, str]:
        """One request."""
        return self._settings("TOPIC", topic, doing)

    def broker_settings(self, doing: Doing) -> dict[str, str]:
        """One request to the first broker that is known."""
        first = min(self._metadata(doing, doing.timeout_s).brokers)
        return self._settings("BROKER", str(first), doing)

    def _settings(self, kind: str, name: str, doing: Doing) -> dict[str, str]:
        import confluent_kafka.admin

        api: Any = confluent_kafka.admin  # its types leave out what it offers
        resource = api.ConfigResource(api.ResourceType[kind], name)
        describe = partial(
            self._client.describe_configs, [resource], request_timeout=doing.timeout_s
        )
        (found,) = self._ask(describe, doing).values()
        return {key: entry.value for key, entry in found.items() if entry.value is not None}

    def create_topic(
        self, topic: str, doing: Doing, *, partitions: int, config: Mapping[str, str]
    ) -> None:
        """One request."""
        from confluent_kafka.cimpl import NewTopic

        new = NewTopic(topic, num_partitions=partitions, config=dict(config))
        create = partial(self._client.create_topics, [new], request_timeout=doing.timeout_s)
        self._ask(create, doing)

    def delete_topic(self, topic: str, doing: Doing) -> None:
        """One request."""
        delete = partial(self._client.delete_topics, [topic], request_timeout=doing.timeout_s)
        self._ask(delete, doing)

    def offsets(
        self, wanted: Iterable[TopicPartition], doing: Doing, *, at: int
    ) -> dict[TopicPartition, int]:
        """One request for each leader."""
        import confluent_kafka.admin
        from confluent_kafka import TopicPartition as ClientPartition

        api: Any = confluent_kafka.admin  # its types leave out what it offers
        specs = {ClientPartition(w.topic, w.partition): api.OffsetSpec(at) for w in wanted}
        ask = partial(self._client.list_offsets, specs, request_timeout=doing.timeout_s)
        return {
            TopicPartition(where.topic, where.partition): answer.offset
            for where, answer in self._ask(ask, doing).items()
        }

    def committed(self, group: str, doing: Doing) -> dict[TopicPartition, Committed]:
        """Asked by a consumer: the admin client's own question crashes while a coordinator moves.

        A consumer waits in silence where the group is denied, so its description is asked first.
        """
        from confluent_kafka import Consumer, KafkaException
        from confluent_kafka import TopicPartition as ClientPartition

        if not self._is_known(group, doing):
            return {}
        places = [
            ClientPartition(topic.name, partition)
            for topic in self.cluster(doing).topics
            for partition in range(topic.partitions)
        ]
        consumer = Consumer({**self._config, "group.id": group}, logger=client_logger())
        try:
            found = consumer.committed(places, timeout=doing.timeout_s)
        except KafkaException as error:
            raise self._translated(error, doing) from error
        finally:
            consumer.close()
        return {
            TopicPartition(f.topic, f.partition): Committed(f.offset, f.metadata or "")
            for f in found
            if f.offset >= 0
        }

    def _is_known(self, group: str, doing: Doing) -> bool:
        describe = partial(
            self._client.describe_consumer_groups, [group], request_timeout=doing.timeout_s
        )
        try:
            self._ask(describe, doing)
        except KafkaError as error:
            cause = error.__cause__
            if cause is not None and Fault.of(cause.args[0]).name == "GROUP_ID_NOT_FOUND":
                return False
            raise
        return True

    def commit(
        self, group: str, doing: Doing, *, offsets: Mapping[TopicPartition, int], note: str
    ) -> None:
        """One request to the group's coordinator."""
        from confluent_kafka import ConsumerGroupTopicPartitions
        from confluent_kafka import TopicPartition as ClientPartition

        positions = [
            ClientPartition(where.topic, where.partition, offset, metadata=note)
            for where, offset in offsets.items()
        ]
        commit = partial(
            self._client.alter_consumer_group_offsets,
            [ConsumerGroupTopicPartitions(group, positions)],
            request_timeout=doing.timeout_s,
        )
        self._ask(commit, doing)

    def _ask(
        self, send: Callable[[], Mapping[Key, Future[Answer]]], doing: Doing
    ) -> dict[Key, Answer]:
        """The cluster's answers to a request, sent again while the cluster is busy moving."""
        from confluent_kafka import KafkaException

        self._reported.clear()
        deadline = time.monotonic() + doing.timeout_s
        while True:
            try:
                answers = {key: self._await(one, doing) for key, one in send().items()}
                for answer in answers.values():
                    _raise_partial_failure(answer)
                return answers
            except KafkaException as error:
                self._raise_refusal(doing)
                if not is_passing(Fault.of(error.args[0])) or time.monotonic() > deadline:
                    raise self._translated(error, doing) from error
            time.sleep(_RETRY_S)

    def _await(self, future: Future[Answer], doing: Doing) -> Answer:
        while True:
            try:
                return future.result(timeout=_SLICE_S)
            except FutureTimeoutError:
                self._raise_refusal(doing)

    def is_lost(self) -> bool:
        """Whether all brokers were gone since the last question.

        After that librdkafka may wait for a coordinator that has long come back; a new client
        finds it at once.
        """
        self._client.poll(0)
        return self._failed or any(map(is_loss, list(self._reported)))

    def _report(self, error: ClientError) -> None:
        self._reported.append(Fault.of(error))

    def _translated(self, error: KafkaException, doing: Doing) -> KafkaError:
        translated = translate(Fault.of(error.args[0]), doing)
        if translated.code != "BROKER_UNREACHABLE":
            return translated
        self._failed = True
        causes = [words(cause) for cause in list(self._reported) if not is_loss(cause)]
        return unreachable(doing, causes[-1] if causes else None)

    def _raise_refusal(self, doing: Doing) -> None:
        self._client.poll(0)
        for error in list(self._reported):
            if is_refusal(error):
                raise translate(error, doing)


def _raise_partial_failure(answer: object) -> None:
    """Some answers carry an error per partition instead of being one."""
    from confluent_kafka import KafkaException

    for partition in getattr(answer, "topic_partitions", ()):
        if partition.error is not None:
            raise KafkaException(partition.error)


def _cluster(metadata: ClusterMetadata) -> Cluster:
    brokers = metadata.brokers.values()
    return Cluster(
        id=metadata.cluster_id or "",
        brokers=tuple(Endpoint(str(broker.host), broker.port) for broker in brokers),
        topics=tuple(
            Topic(name, len(topic.partitions), internal=name.startswith("__"))
            for name, topic in sorted(metadata.topics.items())
        ),
    )


def open_native(properties: Mapping[str, str], doing: Doing) -> Connection:
    """A client of these properties, or the error that says what is wrong with them."""
    from confluent_kafka import KafkaException

    try:
        return NativeConnection(client_config(properties))
    except KafkaException as error:
        raise unusable(doing, words(Fault.of(error.args[0]))) from error
