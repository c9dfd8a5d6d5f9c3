"""Java's archive of loaded classes: a third less work until the first row of a job.

Loading Spark's classes is most of what a JVM does at its start. Java can write what it loaded to a
file when it ends, and map that file into later processes. For each class path and Java:

1. A run that finds no archive takes the reservation `<key>.maker` and tells its JVM to write
   `<key>.new` when it ends. Killed here: the process in the reservation is gone, the next run does
   step 1 again.
2. The JVM ends and writes. Killed here: Java writes the head of the file last, and passes over a
   file without one.
3. The next run finds `<key>.new` and its maker gone, renames it to `<key>.jsa` and uses it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.jars.cache import cache_folder
from penstock.jars.processes import is_alive

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# Java's warnings about classes it cannot archive are of no use in Spark's log.
_QUIET = "-Xlog:cds*=off"
_KEPT = 2


@dataclass(frozen=True, slots=True)
class ClassArchive:
    """The archive of one class path, in a folder that all runs share."""

    folder: Path
    key: str

    @classmethod
    def of(cls, java: str, class_path: Sequence[Path]) -> ClassArchive:
        """The archive for a Java and what it loads from; another jar is another archive."""
        facts = [java]
        for path in class_path:
            found = path.stat()
            facts.append(f"{path} {found.st_size} {found.st_mtime_ns}")
        key = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
        return cls(cache_folder() / "classes", key)

    def flags(self, *, make: bool = True) -> list[str]:
        """What to tell Java: use the archive, else `make` it unless another process does."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._alone():
                return self._flags(make=make)
        except OSError:
            # A cache that cannot be written costs time, nothing else.
            return []

    def made_by(self, pid: int) -> None:
        """The JVM that was told to make it is this process; nothing if another makes it."""
        if self._maker() == os.getpid():
            self._file("maker").write_text(str(pid))

    def _flags(self, *, make: bool) -> list[str]:
        ready, maker = self._file("jsa"), self._maker()
        if maker and is_alive(maker):
            return []
        if self._file("new").exists():
            self._file("new").rename(ready)
            self._forget_others()
        if ready.exists():
            ready.touch()
            return [f"-XX:SharedArchiveFile={ready}", _QUIET]
        if not make:
            return []
        self._file("maker").write_text(str(os.getpid()))
        return [f"-XX:ArchiveClassesAtExit={self._file('new')}", _QUIET]

    def _forget_others(self) -> None:
        """Each takes 170 MB: those that were used last are kept."""
        self._file("maker").unlink(missing_ok=True)
        others = [*self.folder.glob("*.jsa"), *self.folder.glob("*.new")]
        used = sorted(others, key=lambda path: path.stat().st_mtime)
        for former in used[:-_KEPT]:
            # A process that writes or reads it keeps it until its end.
            former.unlink()
            former.with_suffix(".maker").unlink(missing_ok=True)

    def _maker(self) -> int | None:
        try:
            return int(self._file("maker").read_text())
        except (OSError, ValueError):
            return None

    def _file(self, kind: str) -> Path:
        return self.folder / f"{self.key}.{kind}"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
