"""Ports for the embedded broker, on the loopback address only.

Called by `broker.py` before a start.
"""

from __future__ import annotations

import random
import socket
import time

from penstock.errors import KafkaError

# Below the ports that systems hand out to outgoing connections: a free one stays free until the
# broker binds it some seconds later, and likely until its next run.
_PORTS = range(20000, 32000)

# A process that ends is no longer to be seen for a moment before the kernel frees its port.
_RELEASE_TIMEOUT_S = 2.0
_POLL_S = 0.05


def choose_port(wanted: int | None, *, remembered: int | None) -> int:
    """The port asked for, or an error if it is taken; else the last one, else a free one."""
    if remembered is not None and wanted in (None, remembered):
        _await_release(remembered)
    if wanted is not None:
        if reason := _obstacle(wanted):
            raise KafkaError("PORT_TAKEN", port=wanted, reason=reason)
        return wanted
    if remembered is not None and not _obstacle(remembered):
        return remembered
    return free_port()


def _await_release(port: int) -> None:
    deadline = time.monotonic() + _RELEASE_TIMEOUT_S
    while _obstacle(port) and time.monotonic() < deadline:
        time.sleep(_POLL_S)


def free_port(*, other_than: int | None = None) -> int:
    """Any port nobody listens on."""
    for port in random.sample(_PORTS, len(_PORTS)):
        if port != other_than and not _obstacle(port):
            return port
    raise KafkaError("PORT_TAKEN", port=f"{_PORTS[0]}–{_PORTS[-1]}", reason="all are in use")


def _obstacle(port: int) -> str | None:
    with socket.socket() as probe:
        # As the broker does it: connections of an earlier run that linger are no obstacle.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OverflowError:
            return "it is not a port number"
        except OSError as error:
            return (error.strerror or str(error)).lower()
    return None
