"""Java's archive of loaded classes: a third less work until the first row of a job.

Loading Spark's classes is most of what a JVM does at its start. Java can write classes to a file
beforehand, and map that file into later processes. For each class path and Java:

1. A run that finds no archive lets its JVM note in `<key>.list` which classes it loads, and leaves
   a process behind, named in `<key>.maker`, that waits for the end of that JVM.
2. That process lets another Java write those classes to `<key>.new`, which takes half a minute of
   one core at the lowest priority, and renames it to `<key>.jsa`: what later runs use.

Killed anywhere before, the maker is gone and the next run does step 1 again.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
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
# Arguments: the process to wait for, the archive without its suffix, Java, the class path. It says
# the number of the process that it leaves behind.
_MAKER = f"""
(
  while kill -0 "$1"; do sleep 0.5; done
  nice -n 19 "$3" -Xshare:dump {_QUIET} -cp "$4" \\
    -XX:SharedClassListFile="$2.list" -XX:SharedArchiveFile="$2.new" && mv "$2.new" "$2.jsa"
  rm -f "$2.list" "$2.new"
) < /dev/null > /dev/null 2>&1 &
echo $!
"""


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
        """What to tell Java: use the archive, else `make` ready for it unless another does."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._alone():
                return self._flags(make=make)
        except OSError:
            # A cache that cannot be written costs time, nothing else.
            return []

    def make_after(self, pid: int, java: Path, class_path: str) -> None:
        """When the JVM that was told to make ready has ended, write what it loaded.

        Nothing if it was not told to.
        """
        if self._maker() != os.getpid():
            return
        maker = subprocess.run(
            ["/bin/sh", "-c", _MAKER, "sh", str(pid), self._file(""), java, class_path],
            stdout=subprocess.PIPE,
            start_new_session=True,
            check=True,
        )
        self._file("maker").write_bytes(maker.stdout)

    def _flags(self, *, make: bool) -> list[str]:
        ready, maker = self._file("jsa"), self._maker()
        if ready.exists():
            ready.touch()
            return [f"-XX:SharedArchiveFile={ready}", _QUIET]
        if not make or (maker and is_alive(maker)):
            return []
        self._forget_others()
        self._file("maker").write_text(str(os.getpid()))
        return [f"-XX:DumpLoadedClassList={self._file('list')}", _QUIET]

    def _forget_others(self) -> None:
        """Each takes 150 MB: of those that were used last there is room for one more."""
        used = sorted(self.folder.glob("*.jsa"), key=lambda path: path.stat().st_mtime)
        for former in used[: 1 - _KEPT]:
            # A process that reads it keeps it until its end.
            former.unlink()
            former.with_suffix(".maker").unlink(missing_ok=True)

    def _maker(self) -> int | None:
        try:
            return int(self._file("maker").read_text())
        except (OSError, ValueError):
            return None

    def _file(self, kind: str) -> Path:
        return self.folder / f"{self.key}.{kind}".rstrip(".")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
