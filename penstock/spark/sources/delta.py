"""The rows of a table at rest: all there are, or as a stream those that are inserted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.merge_rules import PARTITION
from penstock.errors import RunError
from penstock.spark.kept import keep, read_kept
from penstock.spark.merge import merged

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame

    from penstock.connectors.merge_tree import MergeTreeTable
    from penstock.spark.place import Place
    from penstock.spark.sources.opening import Opening

_STARTS = "versions.json"


def delta(opening: Opening, source: MergeTreeTable) -> DataFrame:
    """A stream begins where its query was created; TRUNCATE and OPTIMIZE insert nothing."""
    reader = opening.reader("delta")
    if not opening.batch:
        start = _start(opening.place, source.path)
        reader = reader.option("startingVersion", start).option("skipChangeCommits", "true")
    rows = reader.load(source.path)
    return merged(rows, source.merge) if source.merge else rows.drop(PARTITION)


def _start(place: Place, path: str) -> int:
    """Where a stream begins; one that would have to guess would read rows that it must not."""
    found = begun(place.folder)
    if path not in found:
        raise RunError("VIEW_NOT_BEGUN", view=place.name.partition("/")[2], folder=path)
    return found[path]


def begun(folder: Path) -> dict[str, int]:
    """The commits with which the streams of a query begin, by the folders of its tables."""
    return {path: int(version) for path, version in read_kept(folder / _STARTS).items()}


def note_begun(folder: Path, versions: dict[str, int]) -> None:
    """Remember them."""
    keep(folder / _STARTS, versions)
