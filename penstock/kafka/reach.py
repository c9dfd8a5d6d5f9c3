"""Whether anything listens at an address at all, asked with plain sockets.

Called by `admin.py` before a Kafka client is made: a client cannot be given up while it resolves
a name, and does not say why it cannot connect. Here every wait has an end and every no a reason.
"""

from __future__ import annotations

import re
import socket
import threading
import time

from penstock.errors import KafkaError
from penstock.kafka.topic import Endpoint

# As the Java client reads it: an optional protocol, a name or address, a port.
_ADDRESS = re.compile(r"(?:[a-zA-Z][a-zA-Z\d+.-]*://)?\[?([0-9a-zA-Z._%:-]+)\]?:(\d+)")

_RETRY_S = 0.2


def endpoints(bootstrap_servers: str) -> tuple[Endpoint, ...]:
    """The addresses of a `bootstrap.servers` list."""
    return tuple(_endpoint(one.strip()) for one in bootstrap_servers.split(",") if one.strip())


def _endpoint(text: str) -> Endpoint:
    match = _ADDRESS.fullmatch(text)
    if match is None or not 0 < int(match[2]) < 2**16:
        raise KafkaError("BROKER_ADDRESS_INVALID", address=text)
    return Endpoint(match[1], int(match[2]))


class Attempt:
    """Tries to connect to any of the endpoints, again and again until the time is over."""

    def __init__(self, targets: tuple[Endpoint, ...], *, timeout_s: float) -> None:
        self._deadline = time.monotonic() + timeout_s
        self._connected = threading.Event()
        self._obstacles = dict.fromkeys(targets, "no answer")

    def obstacle(self) -> str | None:
        """None once something listens, else why nothing could be reached."""
        for target in self._obstacles:
            threading.Thread(target=self._try, args=(target,), daemon=True).start()
        if self._connected.wait(max(self._deadline - time.monotonic(), 0)):
            return None
        return "; ".join(dict.fromkeys(self._obstacles.values()))

    def _try(self, target: Endpoint) -> None:
        while not self._connected.is_set() and (left_s := self._deadline - time.monotonic()) > 0:
            try:
                socket.create_connection((target.host, target.port), timeout=left_s).close()
            except socket.gaierror:
                self._obstacles[target] = f"the host name '{target.host}' is not known"
            except TimeoutError:
                self._obstacles[target] = "no answer"
            except OSError as error:
                self._obstacles[target] = (error.strerror or str(error)).lower()
            else:
                self._connected.set()
            time.sleep(_RETRY_S)
