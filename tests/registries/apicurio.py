"""A real schema registry: Apicurio's, which speaks Confluent's interface, in a child process."""

from __future__ import annotations

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from penstock.jars.fetch import jars
from penstock.jars.java import find_java

_IVY_FILE = Path(__file__).with_name("ivy.xml")
_QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m")
_START_LIMIT_S = 120
_TYPE = "application/vnd.schemaregistry.v1+json"


def unpacked(folder: Path) -> Path:
    """The program in a folder of its own; its jar that is to be started."""
    (packed,) = jars("registry", ivy_file=_IVY_FILE)
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder)
    return next(folder.glob("*-runner.jar"))


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Registry:
    """One registry; what is registered outlives a stop."""

    program: Path
    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/apis/ccompat/v7"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = {
            "quarkus.http.host": "127.0.0.1",
            "quarkus.http.port": str(self.port),
            "apicurio.datasource.url": f"jdbc:h2:file:{self.folder / 'schemas'}",
            **self.settings,
        }
        flags = [f"-D{key}={value}" for key, value in settings.items()]
        with (self.folder / "registry.log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(find_java().path), *_QUICK, *flags, "-jar", str(self.program)],
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        until = time.monotonic() + _START_LIMIT_S
        while not self._answers():
            assert self.process.poll() is None, "the registry ended"
            assert time.monotonic() < until, "the registry does not answer"
            time.sleep(0.1)

    def stop(self) -> None:
        """End it; what is registered stays."""
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.process = None

    def register(self, subject: str, schema: object) -> int:
        """Register a schema; its id."""
        answer = self.ask(f"/subjects/{subject}/versions", {"schema": json.dumps(schema)})
        return int(answer["id"])

    def versions(self, subject: str) -> list[int]:
        """The versions under a subject."""
        return [int(version) for version in self.ask(f"/subjects/{subject}/versions")]

    def latest(self, subject: str) -> Any:
        """The newest schema under a subject, parsed."""
        return json.loads(self.ask(f"/subjects/{subject}/versions/latest")["schema"])

    def ask(self, path: str, body: object = None, *, method: str | None = None) -> Any:
        """What it says to a request; one with a body is posted if nothing else is said."""
        content = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": _TYPE}
        request = urllib.request.Request(self.url + path, content, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def _answers(self) -> bool:
        try:
            self.ask("/subjects")
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False
        return True
