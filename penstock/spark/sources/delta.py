"""The rows of a table at rest: all there are, or as a stream those that are inserted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.merge_rules import PARTITION
from penstock.spark.kept import keep, read_kept
from penstock.spark.merge import merged

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame

    from penstock.connectors.merge_tree import MergeTreeTable
    from penstock.spark.sources.opening import Opening

_STARTS = "versions.json"


def delta(opening: Opening, source: MergeTreeTable) -> DataFrame:
    """A stream begins where its query was created; TRUNCATE and OPTIMIZE insert nothing."""
    reader = opening.reader("delta")
    if not opening.batch:
        start = read_kept(opening.place.folder / _STARTS).get(source.path, 0)
        reader = reader.option("startingVersion", start).option("skipChangeCommits", "true")
    rows = reader.load(source.path).drop(PARTITION)
    return merged(rows, source.merge) if source.merge else rows


def begun(folder: Path) -> dict[str, int]:
    """The commits with which the streams of a query begin, by the folders of its tables."""
    return {path: int(version) for path, version in read_kept(folder / _STARTS).items()}


def note_begun(folder: Path, versions: dict[str, int]) -> None:
    """Remember them."""
    keep(folder / _STARTS, versions)
