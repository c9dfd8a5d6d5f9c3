"""Kafka's Java client for the questions that librdkafka cannot ask: TLS, Kerberos, login classes.

Opened by `connection.py`. One child process answers for all clusters; it is started when first
needed, and again if it has died.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from penstock.kafka.base import Connection
from penstock.kafka.client import login
from penstock.kafka.failure import Fault, translate, unreachable
from penstock.kafka.java_process import ClientFault, JavaProcess
from penstock.kafka.security import KRB5_CONF, of_connection
from penstock.kafka.topic import Cluster, Committed, Endpoint, Topic, TopicPartition
from penstock.model.secret import SECRET, is_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from penstock.kafka.failure import Doing

# Something listens there, or we would not have come so far.
_NO_ANSWER = (
    "something listens there, but does not answer as 'properties.security.protocol' lets expect"
)

_processes: dict[tuple[int, str | None], JavaProcess] = {}
_starting = threading.Lock()


class JavaConnection(Connection):
    """Asks through the child process; it keeps a client for each set of properties."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        self._properties = of_connection(properties)
        chosen = self._properties.pop(KRB5_CONF, None)
        self._krb5_conf = chosen or os.environ.get("KRB5_CONFIG")

    def cluster(self, doing: Doing, *, timeout_s: float | None = None) -> Cluster:
        """What the cluster says of itself."""
        answer = self._ask("cluster", doing, timeout_s=timeout_s)
        return Cluster(
            id=answer["id"],
            brokers=tuple(Endpoint(host, port) for host, port in answer["brokers"]),
            topics=tuple(
                Topic(name, partitions, internal=name.startswith("__"))
                for name, partitions in sorted(answer["topics"].items())
            ),
        )

    def rights(self, topic: str, doing: Doing) -> frozenset[str]:
        """As the broker describes them."""
        return frozenset(self._ask("rights", doing, topic=topic))

    def topic_settings(self, topic: str, doing: Doing) -> dict[str, str]:
        """One request."""
        return dict(self._ask("settings", doing, topic=topic))

    def broker_settings(self, doing: Doing) -> dict[str, str]:
        """One request to the first broker that is known."""
        return dict(self._ask("settings", doing))

    def create_topic(
        self, topic: str, doing: Doing, *, partitions: int, config: Mapping[str, str]
    ) -> None:
        """One request."""
        self._ask("create_topic", doing, topic=topic, partitions=partitions, config=dict(config))

    def delete_topic(self, topic: str, doing: Doing) -> None:
        """One request."""
        self._ask("delete_topic", doing, topic=topic)

    def offsets(
        self, wanted: Iterable[TopicPartition], doing: Doing, *, at: int
    ) -> dict[TopicPartition, int]:
        """One request for each leader."""
        partitions = [[where.topic, where.partition] for where in wanted]
        return _offsets(self._ask("offsets", doing, partitions=partitions, at=at))

    def committed(self, group: str, doing: Doing) -> dict[TopicPartition, Committed]:
        """One request to the group's coordinator."""
        found = self._ask("committed", doing, group=group)
        return {
            TopicPartition(topic, partition): Committed(offset, note)
            for topic, partition, offset, note in found
        }

    def commit(
        self, group: str, doing: Doing, *, offsets: Mapping[TopicPartition, int], note: str
    ) -> None:
        """One request to the group's coordinator."""
        positions = [[where.topic, where.partition, offset] for where, offset in offsets.items()]
        self._ask("commit", doing, group=group, offsets=positions, note=note)

    def is_lost(self) -> bool:
        """Never: the child process is replaced where it is asked."""
        return False

    def _ask(
        self, question: str, doing: Doing, *, timeout_s: float | None = None, **facts: object
    ) -> Any:
        asked = {**facts, "properties": self._properties}
        process = _process(self._krb5_conf)
        try:
            return process.ask(question, timeout_s or doing.timeout_s, asked)
        except ClientFault as failure:
            raise self._translated(failure.fault, doing) from None
        except TimeoutError:
            raise unreachable(doing, _NO_ANSWER) from None

    def _translated(self, fault: Fault, doing: Doing) -> Exception:
        text = fault.text
        for secret in self._secrets():
            text = text.replace(secret, SECRET)
        error = translate(Fault(fault.name, text), doing)
        return unreachable(doing, _NO_ANSWER) if error.code == "BROKER_UNREACHABLE" else error

    def _secrets(self) -> Iterator[str]:
        """No error of the client's should have them, but it is not ours to promise."""
        jaas = login(self._properties.get("sasl.jaas.config", ""))
        for key, value in {**self._properties, **jaas}.items():
            if value and is_secret(key):
                yield value


def _offsets(answer: list[list[Any]]) -> dict[TopicPartition, int]:
    return {TopicPartition(topic, partition): offset for topic, partition, offset in answer}


def _process(krb5_conf: str | None) -> JavaProcess:
    """The child of this process; Kerberos has one configuration in a JVM."""
    key = (os.getpid(), krb5_conf)
    with _starting:
        known = _processes.get(key)
        if known is None or known.has_ended():
            known = _processes[key] = JavaProcess(krb5_conf)
        return known
