"""Announces partitions of a folder: an empty file in each, when its time has come."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from penstock.errors import RunError
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from penstock.connectors.filesystem import PartitionCommit
    from penstock.spark.files import Files

_TIMES = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M")


class Partitions:
    """Partitions of one sink that are written and not yet announced, kept in a file.

    A crash between a success file and the note of it makes the file once more, which changes
    nothing for who waits for it.
    """

    def __init__(self, commit: PartitionCommit, file: Path) -> None:
        self._commit = commit
        self._file = file
        self._lock = threading.Lock()

    def written(self, paths: Iterable[str]) -> None:
        """Files were put there; a partition that was announced will be announced again."""
        now = int(time.time() * 1000)
        with self._lock:
            pending = self._pending()
            keep(self._file, {**{path.rpartition("/")[0]: now for path in paths}, **pending})

    def announce(self, files: Files, *, watermark_ms: int | None) -> None:
        """Announce the partitions whose time has come."""
        now = int(time.time() * 1000)
        self._announce(files, lambda path, since: self._is_due(path, since, now, watermark_ms))

    def announce_all(self, files: Files) -> None:
        """Announce every partition: no row follows."""
        self._announce(files, lambda path, since: True)

    def _announce(self, files: Files, is_due: Callable[[str, int], bool]) -> None:
        with self._lock:
            pending = self._pending()
            due = [path for path, since in pending.items() if is_due(path, since)]
            for path in due:
                files.touch(f"{path}/{self._commit.success_file}")
            if due:
                keep(
                    self._file, {path: since for path, since in pending.items() if path not in due}
                )

    def _is_due(self, path: str, since: int, now: int, watermark_ms: int | None) -> bool:
        delay = self._commit.delay_ms
        if not self._commit.by_watermark:
            return delay == 0 or now > since + delay
        return watermark_ms is not None and watermark_ms > self._time_ms(path) + delay

    def _time_ms(self, path: str) -> int:
        """The time that the values of a partition stand for."""
        text = self._commit.pattern
        values = [folder.partition("=")[::2] for folder in path.split("/")]
        # Longer names first: `$hour` must not be taken for `$h` and `our`.
        for name, value in sorted(values, key=lambda pair: -len(pair[0])):
            text = text.replace(f"${name}", unquote(value))
        for form in _TIMES:
            try:
                found = datetime.strptime(text, form)
            except ValueError:
                continue
            return int(found.replace(tzinfo=ZoneInfo(self._commit.zone)).timestamp() * 1000)
        raise RunError("PARTITION_WITHOUT_TIME", partition=path, text=text)

    def _pending(self) -> dict[str, int]:
        return read_kept(self._file)
