"""A line to one Kafka cluster for administrative requests, kept open and shared in a process.

Called by `admin.py`. `connect` finds out within its time limit whether the cluster can be
reached; `Connection` asks, and turns every failure into a Penstock error.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TYPE_CHECKING, Any, TypeVar

from penstock.errors import KafkaError
from penstock.kafka.client import client_config, client_logger
from penstock.kafka.failure import (
    Doing,
    is_loss,
    is_passing,
    is_refusal,
    translate,
    unreachable,
    words,
)
from penstock.kafka.reach import Attempt, endpoints
from penstock.kafka.topic import Cluster, Endpoint, Topic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
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

# What is left for a question after the way to the broker took nearly all the time.
_LEAST_TIMEOUT_S = 2.0


class Connection:
    """An admin client, and what it reported in the background since the last question."""

    def __init__(self, config: ClientConfig) -> None:
        from confluent_kafka.admin import AdminClient

        self._failed = False
        self._reported: deque[ClientError] = deque(maxlen=20)
        hooks: dict[str, Any] = {"error_cb": self._reported.append, "logger": client_logger()}
        self.client: AdminClient = AdminClient({**config, **hooks})

    def cluster(self, doing: Doing, *, timeout_s: float | None = None) -> Cluster:
        """What the cluster says of itself; the question creates no topic."""
        from confluent_kafka import KafkaException

        self._reported.clear()
        deadline = time.monotonic() + (timeout_s or doing.timeout_s)
        while True:
            left_s = max(deadline - time.monotonic(), 0)
            try:
                return _cluster(self.client.list_topics(timeout=min(_SLICE_S, left_s)))
            except KafkaException as error:
                self._raise_refusal(doing)
                if left_s <= _SLICE_S:
                    raise self._translated(error, doing) from error

    def ask(
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
                if not is_passing(error.args[0]) or time.monotonic() > deadline:
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
        self.client.poll(0)
        return self._failed or any(map(is_loss, list(self._reported)))

    def _translated(self, error: KafkaException, doing: Doing) -> KafkaError:
        translated = translate(error.args[0], doing)
        if translated.code != "BROKER_UNREACHABLE":
            return translated
        self._failed = True
        causes = [words(cause) for cause in list(self._reported) if not is_loss(cause)]
        return unreachable(doing, causes[-1] if causes else None)

    def _raise_refusal(self, doing: Doing) -> None:
        self.client.poll(0)
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


_connections: dict[tuple[object, ...], Connection] = {}
_opening = threading.Lock()


def connect(properties: Mapping[str, str], doing: Doing) -> Connection:
    """The connection to that cluster, or the error that says why there is none."""
    config = client_config(properties)
    # A client does not survive a fork: the process is part of the key.
    key = (os.getpid(), *sorted(config.items()))
    known = _connections.get(key)
    if known is not None and not known.is_lost():
        return known
    targets = endpoints(properties["bootstrap.servers"])
    if reason := Attempt(targets, timeout_s=doing.timeout_s).obstacle():
        raise unreachable(doing, reason)
    with _opening:
        if _connections.get(key) is known:
            _connections[key] = _open(config, doing)
        return _connections[key]


def _open(config: ClientConfig, doing: Doing) -> Connection:
    from confluent_kafka import KafkaException

    try:
        return Connection(config)
    except KafkaException as error:
        raise translate(error.args[0], doing) from error


def check(properties: Mapping[str, str], doing: Doing) -> None:
    """Ask for metadata, then look whether the brokers named there can be reached as well."""
    deadline = time.monotonic() + doing.timeout_s
    connection = connect(properties, doing)
    left_s = max(deadline - time.monotonic(), _LEAST_TIMEOUT_S)
    advertised = connection.cluster(doing, timeout_s=left_s).brokers
    left_s = max(deadline - time.monotonic(), _LEAST_TIMEOUT_S)
    if reason := Attempt(advertised, timeout_s=left_s).obstacle():
        raise KafkaError(
            "ADVERTISED_UNREACHABLE",
            address=doing.address,
            advertised=", ".join(map(str, advertised)),
            reason=reason,
        )
