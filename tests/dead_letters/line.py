"""A line to a broker on which requests about a topic are counted, and can be held up."""

from __future__ import annotations

import os
import socket
import struct
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from penstock.kafka import broker as embedded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader
    from pathlib import Path

# What a request is about, by the number it begins with in Kafka's protocol.
PRODUCE, LIST_OFFSETS = 0, 2


class Line:
    """Passes requests on one by one, also those whose client has hung up."""

    def __init__(self, broker_port: int) -> None:
        self._broker_port = broker_port
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._server.getsockname()[1]}"
        self._topic = b""
        self._requests: list[int] = []
        self._held_s = 0.0
        threading.Thread(target=self._accept, daemon=True).start()

    def watch(self, topic: str, *, hold_s: float = 0) -> None:
        """Count requests about this topic; what is produced to it comes so much later."""
        self._topic, self._held_s, self._requests = topic.encode(), hold_s, []

    def count(self, kind: int) -> int:
        return self._requests.count(kind)

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                try:
                    broker = socket.create_connection(("127.0.0.1", self._broker_port))
                except OSError:
                    client.close()
                    raise
                for work in (self._requests_of, self._answers_to):
                    threading.Thread(target=work, args=(client, broker), daemon=True).start()

    def _requests_of(self, client: socket.socket, broker: socket.socket) -> None:
        with suppress(OSError, EOFError), broker, client.makefile("rb") as stream:
            while True:
                size = _exactly(stream, 4)
                body = _exactly(stream, struct.unpack(">i", size)[0])
                if self._topic and self._topic in body:
                    self._note(struct.unpack(">h", body[:2])[0])
                broker.sendall(size + body)

    def _note(self, kind: int) -> None:
        self._requests.append(kind)
        if kind == PRODUCE:
            time.sleep(self._held_s)

    def _answers_to(self, client: socket.socket, broker: socket.socket) -> None:
        with suppress(OSError), client:
            while data := broker.recv(1 << 16):
                client.sendall(data)


def _exactly(stream: BufferedReader, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


@contextmanager
def watched_broker(folder: Path) -> Iterator[Line]:
    """A broker whose clients are told to come over the line."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    line = Line(port)
    settings = {
        "listeners": f"LINE://127.0.0.1:{port}",
        "advertised.listeners": f"LINE://{line.address}",
        "listener.security.protocol.map": "LINE:PLAINTEXT",
    }
    extras = embedded.Extras(settings=tuple(settings.items()))
    embedded.start(folder, owner_pid=os.getpid(), extras=extras)
    yield line
    line.close()
    embedded.stop(folder)
