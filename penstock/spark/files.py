"""Files of any Hadoop file system, moved and made on the driver through Spark's own client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from penstock.errors import RunError
from penstock.spark.java_class import java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A file below a folder: its path relative to it, and its length."""

    path: str
    length: int


class Files:
    """The file system of one path."""

    def __init__(self, session: SparkSession, root: str) -> None:
        self._paths = java_class(session, "org.apache.hadoop.fs.Path")
        state: Any = session._jsparkSession.sessionState()
        self._path = self._paths(root)
        self._system = self._path.getFileSystem(state.newHadoopConf())
        self.root = str(self._system.makeQualified(self._path).toString())

    def exists(self, path: str) -> bool:
        """Whether there is such a file or folder."""
        return bool(self._system.exists(self._at(path)))

    def list(self, folder: str) -> list[StagedFile]:
        """Every file below a folder, hidden ones left out; none if there is no such folder."""
        if not self.exists(folder):
            return []
        base = f"{self._system.makeQualified(self._at(folder)).toUri().getPath()}/"
        found, files = [], self._system.listFiles(self._at(folder), True)
        while files.hasNext():
            status = files.next()
            path = str(status.getPath().toUri().getPath()).removeprefix(base)
            if not any(_is_hidden(part) for part in path.split("/")):
                found.append(StagedFile(path, int(status.getLen())))
        return sorted(found, key=lambda file: file.path)

    def move(self, source: str, target: str) -> None:
        """Move a file; one that was moved before is let be."""
        if not self.exists(source):
            return
        self._system.mkdirs(self._at(target).getParent())
        if not self._system.rename(self._at(source), self._at(target)):
            raise RunError("FILE_NOT_MOVED", source=source, target=target)

    def touch(self, path: str) -> None:
        """Make an empty file; one that is there becomes new."""
        self._system.create(self._at(path), True).close()

    def delete(self, path: str) -> None:
        """Remove a file, or a folder with all that is in it."""
        self._system.delete(self._at(path), True)

    def _at(self, path: str) -> Any:
        # Made of three parts: a path with a colon or a percent sign is no URI to be parsed.
        uri = self._path.toUri()
        base = str(uri.getPath()).rstrip("/")
        full = f"{base}/{path}" if path else base
        return self._paths(uri.getScheme(), uri.getAuthority(), full)


def _is_hidden(name: str) -> bool:
    """As Spark sees it: a partition of a column `_x` is not."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)
