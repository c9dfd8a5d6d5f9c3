"""The rows of a table at rest: all there are, or as a stream those that are inserted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.connectors.merge_rules import PARTITION
from penstock.errors import DataError, RunError
from penstock.spark.kept import keep, read_kept
from penstock.spark.merge import merged
from penstock.spark.place import read_versions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.connectors.merge_tree import MergeTreeTable
    from penstock.spark.sources.opening import Opening

_STARTS = "versions.json"
# Checkpoints and commits that were put together end in `.json`, too.
_COMMIT = re.compile(r"[0-9]{20}\.json")


def delta(opening: Opening, source: MergeTreeTable) -> DataFrame:
    """A stream begins where its query was created; TRUNCATE and OPTIMIZE insert nothing."""
    reader = opening.reader("delta")
    if not opening.batch:
        start = _start(opening, source.path)
        reader = reader.option("startingVersion", start).option("skipChangeCommits", "true")
    rows = reader.load(source.path)
    return merged(rows, source.merge) if source.merge else rows.drop(PARTITION)


def _start(opening: Opening, path: str) -> int:
    """Where a stream begins; one that would have to guess would read rows that it must not."""
    found, view = begun(opening.place.folder), opening.place.name.partition("/")[2]
    if path not in found:
        raise RunError("VIEW_NOT_BEGUN", view=view, folder=path)
    start, first = found[path], first_commit(path)
    if first <= start:
        return start
    unread = _unread(opening, path, start)
    if unread < first:
        raise DataError(
            "INSERTS_GONE", view=view, table=opening.table, first=unread, last=first - 1
        )
    # The checkpoint says where it goes on; Delta looks whether the commit is there all the same.
    return first


def first_commit(path: str) -> int:
    """The oldest that the log has: Delta removes those before `delta.logRetentionDuration`."""
    files = (file.name for file in Path(path, "_delta_log").glob("*.json"))
    return min((int(name[:-5]) for name in files if _COMMIT.fullmatch(name)), default=0)


def _unread(opening: Opening, path: str, start: int) -> int:
    from penstock.spark.delta import StoredTable

    read = read_versions(opening.place.folder / "checkpoint")
    return read.get(StoredTable(opening.session, path).id, start)


def begun(folder: Path) -> dict[str, int]:
    """The commits with which the streams of a query begin, by the folders of its tables."""
    return {path: int(version) for path, version in read_kept(folder / _STARTS).items()}


def note_begun(folder: Path, versions: dict[str, int]) -> None:
    """Remember them."""
    keep(folder / _STARTS, versions)
