"""What Ivy's output means, line by line: progress, or the `SetupError` to end the run with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from penstock.errors import SetupError

if TYPE_CHECKING:
    from pathlib import Path

    from penstock.jars.artifacts import Artifact
    from penstock.jars.progress import Progress

_FOUND = re.compile(r"^\tfound \S+#(?P<name>[^;]+);\S+ in ")
_HERE = re.compile(r"^\t\[(?:SUCCESSFUL |NOT REQUIRED)\] \S+#(?P<name>[^;]+);")
_TRIED = re.compile(r"^\t\ttried (?P<url>\S+)$")
_REFUSED = re.compile(r"^CLIENT ERROR: (?P<reason>.+) url=\S+\.jar$")

# The first match decides. A jar that failed for a reason not listed was cut off on its way.
_TROUBLE = (
    ("FETCH_FAILED", re.compile(r"(?P<reason>No space left on device|Disk quota exceeded)")),
    ("JARS_UNREACHABLE", re.compile(r"Server access error at url \S+ \((?P<reason>.+)\)$")),
    ("JARS_UNREACHABLE", re.compile(r"^WARN: (?P<reason>Host \S+ not found)\. url=")),
    ("JARS_UNREACHABLE", re.compile(r"SERVER ERROR: (?P<reason>.+) url=")),
    ("JARS_UNREACHABLE", re.compile(r"(?P<reason>Your proxy requires authentication)")),
    ("ARTIFACT_BROKEN", re.compile(r"\[FAILED +\] \S+: (?P<reason>invalid (?:sha1|md5))")),
    ("ARTIFACT_MISSING", re.compile(r"\[FAILED +\] \S+: The HTTP response code")),
    ("ARTIFACT_MISSING", re.compile(r"^WARN: \tmodule not found: ")),
    ("JARS_UNREACHABLE", re.compile(r"\[FAILED +\] \S+: (?P<reason>.+?)(?: \(\d+ms\))?$")),
)
_EXCEPTION = re.compile(r"^[\w.$]+(?:Exception|Error): ")


class OutputReader:
    """Sees every line of one run."""

    def __init__(
        self,
        configuration: str,
        artifacts: tuple[Artifact, ...],
        log: Path,
        progress: Progress,
    ) -> None:
        self._configuration = configuration
        self._artifacts = artifacts
        self._log = log
        self._progress = progress
        self._done = 0
        self._url = ""
        self._refusal = "it is not there"

    def read(self, line: str) -> None:
        """Report the progress the line tells of, or raise the trouble."""
        if match := _FOUND.match(line):
            self._progress(self._done, len(self._artifacts), match["name"])
        elif match := _HERE.match(line):
            self._done += 1
            self._progress(self._done, len(self._artifacts), match["name"])
        elif match := _TRIED.match(line):
            self._url = match["url"]
        elif match := _REFUSED.match(line):
            self._refusal = f"it answers '{match['reason']}'"
        else:
            self._look_for_trouble(line)

    def _look_for_trouble(self, line: str) -> None:
        for code, pattern in _TROUBLE:
            if match := pattern.search(line):
                reason = match.groupdict().get("reason") or self._refusal
                raise self._error(code, _EXCEPTION.sub("", reason))

    def _error(self, code: str, reason: str) -> SetupError:
        artifact = next((one for one in self._artifacts if one.file_name in self._url), None)
        return SetupError(
            code,
            configuration=self._configuration,
            artifact=artifact or "A jar",
            repository=_repository(self._url, artifact),
            reason=reason.rstrip("."),
            log=self._log,
        )


def _repository(url: str, artifact: Artifact | None) -> str:
    if artifact is None:
        return "the Maven repository"
    path = f"/{artifact.organisation.replace('.', '/')}/{artifact.name}/"
    return without_password(url.partition(path)[0])


def without_password(url: str) -> str:
    """The URL as it may be shown."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
