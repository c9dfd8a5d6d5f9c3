"""Which Java this machine has: `find_java()` looks at JAVA_HOME, then at PATH.

Called before anything starts a JVM: fetching jars, the embedded broker, the SparkSession, doctor.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from penstock.errors import SetupError

JAVA_NEEDED = 17

# A JVM answers in well under a second; a loaded machine may be slow, a broken wrapper hangs.
_ANSWER_TIMEOUT_S = 20

_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that runs; `javac` is its compiler, absent where only a run time is installed."""

    path: Path
    version: int
    javac: Path | None


def find_java() -> Java:
    """The Java to use, or a `SetupError` that says what is wrong with the one found."""
    home = os.environ.get("JAVA_HOME")
    if home:
        return _inspect(Path(home, "bin", "java").absolute(), origin="from JAVA_HOME")
    found = shutil.which("java")
    if found is None:
        raise SetupError("JAVA_MISSING")
    return _inspect(Path(found).absolute(), origin="from PATH")


def _inspect(path: Path, *, origin: str) -> Java:
    version = _version(path, origin=origin)
    if version < JAVA_NEEDED:
        raise SetupError("JAVA_TOO_OLD", java=path, found=version, needed=JAVA_NEEDED)
    # A java on PATH is mostly a link into its JDK, where the compiler of the same version is.
    beside = (path.resolve().with_name("javac"), path.with_name("javac"))
    javac = next((javac for javac in beside if os.access(javac, os.X_OK)), None)
    return Java(path=path, version=version, javac=javac)


def _version(path: Path, *, origin: str) -> int:
    try:
        answer = subprocess.run(
            [path, "-version"], capture_output=True, text=True, timeout=_ANSWER_TIMEOUT_S
        )
    except OSError as error:
        reason = f"{error.strerror}."
    except subprocess.TimeoutExpired:
        reason = f"`java -version` gave no answer within {_ANSWER_TIMEOUT_S} s."
    else:
        said = (answer.stderr + answer.stdout).strip()
        match = _VERSION.search(said)
        if answer.returncode == 0 and match:
            return int(match[1])
        first_line = said.partition("\n")[0]
        reason = first_line or f"`java -version` ended with {answer.returncode}."
    raise SetupError("JAVA_BROKEN", java=path, origin=origin, reason=reason)
