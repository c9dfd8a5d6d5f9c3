"""A door before the registry: it asks for a login, and may answer by itself."""

from __future__ import annotations

import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.registries.apicurio import Registry


@dataclass
class Door:
    """What it lets through, and what came.

    `answers` are what it says by itself, one to each request; `always` it says to all of them. Each
    answer takes `delay_s`.
    """

    port: int
    authorization: str | None
    answers: list[tuple[int, bytes]] = field(default_factory=list)
    always: tuple[int, bytes] | None = None
    delay_s: float = 0
    requests: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"


@contextmanager
def door(registry: Registry, authorization: str | None = None) -> Iterator[Door]:
    """A door that lets requests with this header through, or all."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._pass(None)

        def do_POST(self) -> None:
            self._pass(self.rfile.read(int(self.headers["Content-Length"])))

        def _pass(self, body: bytes | None) -> None:
            opened.requests.append(self.path)
            time.sleep(opened.delay_s)
            if opened.always:
                self._answer(*opened.always)
            elif opened.answers:
                self._answer(*opened.answers.pop(0))
            elif opened.authorization not in (None, self.headers["Authorization"]):
                self._answer(401, b'{"error_code": 401, "message": "Unauthorized"}')
            else:
                headers = {"Content-Type": self.headers["Content-Type"]}
                request = urllib.request.Request(registry.url + self.path, body, headers)
                try:
                    with urllib.request.urlopen(request, timeout=30) as answer:
                        self._answer(answer.status, answer.read())
                except urllib.error.HTTPError as error:
                    self._answer(error.code, error.read())

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        opened = Door(server.server_address[1], authorization)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield opened
        server.shutdown()
