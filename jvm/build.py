"""Builds `penstock/jars/penstock-jvm.jar` from `jvm/src`: `python jvm/build.py`.

Called by `make setup` and by the wheel's build hook. Nothing but the standard library, pyspark's
jars, Kafka's and Delta's (fetched if they are not here) is needed: in a wheel's build environment
Penstock's dependencies are absent. The jar carries a stamp of what it was made from and is left
alone while that is unchanged; the same sources give the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "jvm" / "src"
STUBS = ROOT / "jvm" / "stubs"
JAR = ROOT / "penstock" / "jars" / "penstock-jvm.jar"

_RELEASE = 17
_STAMP = "Penstock-Stamp"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can carry

# Not ours to mend: class paths named inside pyspark's jars, and annotations they lack.
_LINT = "-Xlint:all,-path,-classfile"


class BuildError(Exception):
    """The module cannot be built; the text says why and what to do."""


def build(*, sources: Path = SOURCES, jar: Path = JAR) -> bool:
    """Build the jar if it is not of these sources and this pyspark; whether it was built."""
    inputs = sorted(_inputs(sources))
    stamp = _stamp(sources, inputs)
    if _stamp_of(jar) == stamp:
        return False
    with tempfile.TemporaryDirectory() as folder:
        classes = Path(folder)
        _compile([path for path in inputs if path.suffix == ".java"], into=classes)
        entries = {path.relative_to(classes): path for path in classes.rglob("*.class")}
        entries |= {path.relative_to(sources): path for path in inputs if path.suffix != ".java"}
        _write_jar(jar, entries, stamp=stamp)
    return True


def _inputs(sources: Path) -> Iterable[Path]:
    yield from sources.rglob("*.java")
    yield from sources.glob("META-INF/services/*")


def _stamp(sources: Path, inputs: list[Path]) -> str:
    digest = hashlib.sha256(f"{_pyspark().version} {_RELEASE}".encode())
    for path in (Path(__file__), *sorted(STUBS.rglob("*.java")), *inputs):
        name = path.relative_to(sources if path in inputs else ROOT).as_posix()
        content = path.read_bytes()
        digest.update(f"\n{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:40]


def _stamp_of(jar: Path) -> str | None:
    try:
        with zipfile.ZipFile(jar) as content:
            manifest = content.read("META-INF/MANIFEST.MF").decode()
    except (OSError, KeyError, zipfile.BadZipFile):
        return None
    found = re.search(rf"^{_STAMP}: (\w+)", manifest, re.MULTILINE)
    return found[1] if found else None


def _compile(sources: list[Path], *, into: Path) -> None:
    arguments = (
        "-J-XX:TieredStopAtLevel=1",  # half the time for sources this small
        *("--release", str(_RELEASE)),
        *("-encoding", "UTF-8"),
        "-proc:none",
        _LINT,
        *("-cp", os.pathsep.join(_class_path())),
        # Classes of Spark that Java cannot extend as they are: preferred, but not put into the jar.
        *("-sourcepath", str(STUBS), "-Xprefer:source", "-implicit:none"),
        *("-d", str(into)),
        *(str(source) for source in sources),
    )
    if subprocess.run([_javac(), *arguments], check=False).returncode != 0:
        raise BuildError("The Java module does not compile; javac says above why.")


def _class_path() -> list[str]:
    """Spark's jars and those that are put beside them at run time."""
    sys.path.insert(0, str(ROOT))
    from penstock.errors import SetupError
    from penstock.jars.fetch import jars

    try:
        fetched = [*jars("spark"), *jars("delta")]
    except SetupError as error:
        raise BuildError(str(error)) from error
    return [str(_pyspark().locate_file("pyspark/jars/*")), *map(str, fetched)]


def _write_jar(jar: Path, entries: dict[Path, Path], *, stamp: str) -> None:
    manifest = f"Manifest-Version: 1.0\r\n{_STAMP}: {stamp}\r\n\r\n".encode()
    partial = jar.with_suffix(f".{os.getpid()}.partial")
    try:
        with zipfile.ZipFile(partial, "w") as content:
            _add(content, "META-INF/MANIFEST.MF", manifest)
            for name in sorted(entries):
                _add(content, name.as_posix(), entries[name].read_bytes())
        partial.replace(jar)
    finally:
        partial.unlink(missing_ok=True)


def _add(jar: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.external_attr = 0o644 << 16
    jar.writestr(entry, content, zipfile.ZIP_DEFLATED)


def _javac() -> str:
    home = os.environ.get("JAVA_HOME", "")
    javac = shutil.which("javac", path=str(Path(home, "bin"))) or shutil.which("javac")
    if javac is None:
        raise _setup_error("JAVAC_MISSING", needed=_RELEASE, found="")
    answer = subprocess.run([javac, "-version"], capture_output=True, text=True, check=False)
    said = re.search(r"javac (?:1\.)?(\d+)", answer.stdout + answer.stderr)
    if said is None or int(said[1]) < _RELEASE:
        found = f"; {javac} is of version {said[1] if said else 'unknown'}"
        raise _setup_error("JAVAC_MISSING", needed=_RELEASE, found=found)
    return javac


def _pyspark() -> Distribution:
    try:
        return distribution("pyspark")
    except PackageNotFoundError:
        raise _setup_error("PYSPARK_MISSING", python=sys.executable) from None


def _setup_error(code: str, **facts: object) -> BuildError:
    sys.path.insert(0, str(ROOT))
    from penstock.messages.environment import SETUP

    message = SETUP[code]
    return BuildError(f"{message.text} {message.advice}".format(**facts))


def main() -> int:
    """Build and say so in one line; the exit code."""
    try:
        built = build()
    except BuildError as error:
        print(error, file=sys.stderr)
        return 3
    print(f"Java module {'built' if built else 'is up to date'}: {JAR.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
