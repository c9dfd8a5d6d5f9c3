"""The lines to Kafka clusters, kept open and shared in a process.

Called by `admin.py`. `connect` finds out within its time limit whether the cluster can be
reached, and by which client it is to be asked.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from penstock.errors import KafkaError
from penstock.kafka.failure import Doing, unreachable
from penstock.kafka.reach import Attempt, endpoints
from penstock.kafka.security import needs_java, of_connection

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.kafka.base import Connection

# What is left for a question after the way to the broker took nearly all the time.
_LEAST_TIMEOUT_S = 2.0

_connections: dict[tuple[object, ...], Connection] = {}
_opening = threading.Lock()


def connect(properties: Mapping[str, str], doing: Doing) -> Connection:
    """The connection to that cluster, or the error that says why there is none."""
    # A client does not survive a fork: the process is part of the key.
    key = (os.getpid(), *sorted(of_connection(properties).items()))
    known = _connections.get(key)
    if known is not None and not known.is_lost():
        return known
    targets = endpoints(properties["bootstrap.servers"])
    if reason := Attempt(targets, timeout_s=doing.timeout_s).obstacle():
        raise unreachable(doing, reason)
    with _opening:
        if _connections.get(key) is known:
            _connections[key] = open_connection(properties, doing)
        return _connections[key]


def open_connection(properties: Mapping[str, str], doing: Doing) -> Connection:
    """A new line, by the lighter client where it can do what is asked of it."""
    from penstock.kafka.java_admin import JavaConnection
    from penstock.kafka.librdkafka import open_native

    if needs_java(properties):
        return JavaConnection(properties)
    return open_native(properties, doing)


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
