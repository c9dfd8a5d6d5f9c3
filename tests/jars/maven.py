"""A tiny Maven repository to fetch from, in a folder or served over HTTP."""

from __future__ import annotations

import hashlib
import io
import threading
import zipfile
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from penstock.jars.artifacts import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator

ARTIFACTS = tuple(Artifact("org.example", name, "1.0") for name in ("alpha", "beta", "gamma"))
ALPHA, BETA, GAMMA = ARTIFACTS

PATIENCE_S = 60


class Repository:
    """A Maven repository in a folder, and what was asked of it over HTTP."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.fail_once_at: str | None = None
        self.stall_at: str | None = None
        self.stalled = threading.Event()
        self.go_on = threading.Event()
        for artifact in ARTIFACTS:
            self.put(artifact, jar_bytes(artifact))

    def path(self, artifact: Artifact) -> Path:
        folder = artifact.organisation.replace(".", "/")
        return self.folder / folder / artifact.name / artifact.revision / artifact.file_name

    def put(self, artifact: Artifact, content: bytes, *, sha1: str | None = None) -> None:
        path = self.path(artifact)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        digest = sha1 or hashlib.sha1(content, usedforsecurity=False).hexdigest()
        path.with_name(f"{path.name}.sha1").write_text(digest)

    @contextmanager
    def served(self) -> Iterator[str]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            self.go_on.set()
            server.shutdown()
            thread.join()
            server.server_close()


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, repository: Repository, *args: object) -> None:
        self.repository = repository
        super().__init__(*args, directory=str(repository.folder))  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self.path = urlsplit(self.path).path
        name = Path(self.path).name
        self.repository.asked.append(name)
        if name == self.repository.stall_at:
            self.repository.stalled.set()
            self.repository.go_on.wait(PATIENCE_S)
        if name == self.repository.fail_once_at:
            self.repository.fail_once_at = None
            self.send_error(503)
            return
        super().do_GET()

    def do_HEAD(self) -> None:
        self.path = urlsplit(self.path).path
        super().do_HEAD()

    def log_message(self, *args: object) -> None:
        pass


def jar_bytes(artifact: Artifact) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as jar:
        jar.writestr(zipfile.ZipInfo("META-INF/MANIFEST.MF"), f"Name: {artifact}\n")
    return buffer.getvalue()
