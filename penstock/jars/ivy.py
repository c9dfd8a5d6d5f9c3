"""One run of Ivy, the resolver inside pyspark: pinned jars from a Maven repository into a folder.

Called by `fetch`, which holds the cache's lock. Ivy's output is read as it comes: it feeds the
progress, and its first sign of trouble ends the run with a `SetupError` instead of Ivy trying,
and timing out on, every other jar.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from penstock.errors import SetupError
from penstock.jars.ivy_output import OutputReader
from penstock.jars.java import find_java
from penstock.jars.proxy import proxy_flags
from penstock.jars.pyspark_jars import pyspark_jar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.jars.artifacts import Artifact
    from penstock.jars.progress import Progress

# A reachable repository answers within a second; a stalled one must not hold a user for minutes.
_CONNECT_TIMEOUT_MS = 10_000
_READ_TIMEOUT_MS = 30_000

# Ivy runs for seconds: compiling its code well costs more than it gains.
_JVM_FLAGS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")

_SETTINGS = """\
<ivysettings>
  <settings defaultResolver="maven"/>
  <caches defaultCacheDir={cache}/>
  <timeout-constraints>
    <timeout-constraint name="net" connectionTimeout="{connect}" readTimeout="{read}"/>
  </timeout-constraints>
  <resolvers>
    <ibiblio name="maven" m2compatible="true" usepoms="false" timeoutConstraint="net"{root}/>
  </resolvers>
</ivysettings>
"""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What to retrieve, and the files and folders that takes."""

    ivy_file: Path
    configuration: str
    artifacts: tuple[Artifact, ...]
    cache: Path
    target: Path
    log: Path


def retrieve(retrieval: Retrieval, *, progress: Progress, keep_open: int) -> None:
    """Fill `target` with the jars; `keep_open` is a file descriptor that Java inherits."""
    settings = _write_settings(retrieval.cache)
    command: tuple[str | Path, ...] = (
        find_java().path,
        *_JVM_FLAGS,
        *proxy_flags(),
        f"-Divy.default.ivy.user.dir={retrieval.cache}",
        *("-jar", pyspark_jar("ivy-*.jar")),
        "-verbose",
        *("-settings", settings),
        *("-ivy", retrieval.ivy_file.absolute()),
        *("-confs", retrieval.configuration),
        # Relative to `target`: brackets in a folder's name would be read as part of the pattern.
        *("-retrieve", "[artifact]-[revision].[ext]"),
    )
    reader = OutputReader(retrieval.configuration, retrieval.artifacts, retrieval.log, progress)
    with _running(command, folder=retrieval.target, keep_open=keep_open) as process:
        tail = _copy_output(process, retrieval.log, reader)
    if process.returncode != 0:
        raise SetupError(
            "FETCH_FAILED",
            configuration=retrieval.configuration,
            reason=f"Ivy ended with {process.returncode} ({tail or 'it said nothing'})",
            log=retrieval.log,
        )


@contextmanager
def _running(
    command: tuple[str | Path, ...], *, folder: Path, keep_open: int
) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        pass_fds=(keep_open,),
    )
    with process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def _copy_output(process: subprocess.Popen[str], log: Path, reader: OutputReader) -> str:
    """Copy what Ivy says to the log, and let the reader see it; gives the last line."""
    tail = ""
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    with log.open("w", encoding="utf-8") as copy:
        for line in process.stdout:
            copy.write(line)
            reader.read(line.rstrip("\n"))
            tail = line.strip() or tail
    return tail


def _write_settings(cache: Path) -> Path:
    cache.mkdir(exist_ok=True)
    chosen = os.environ.get("PENSTOCK_MAVEN_REPOSITORY")
    settings = cache / "settings.xml"
    settings.write_text(
        _SETTINGS.format(
            cache=quoteattr(str(cache)),
            connect=_CONNECT_TIMEOUT_MS,
            read=_READ_TIMEOUT_MS,
            root=f" root={quoteattr(_as_url(chosen))}" if chosen else "",
        ),
        encoding="utf-8",
    )
    return settings


def _as_url(repository: str) -> str:
    is_url = repository.startswith(("http://", "https://", "file:"))
    url = repository if is_url else Path(repository).expanduser().absolute().as_uri()
    return f"{url.rstrip('/')}/"
