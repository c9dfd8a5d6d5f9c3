"""How far views have read tables at rest: there they begin when their checkpoint goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from penstock.connectors.merge_tree import MergeTreeTable
from penstock.plan.walk import scans
from penstock.spark.place import read_versions

if TYPE_CHECKING:
    from collections.abc import Collection

    from pyspark.sql import SparkSession

    from penstock.plan.query import Query
    from penstock.spark.delta import StoredTable


def note_versions(session: SparkSession, folder: Path, paths: Collection[str]) -> dict[str, int]:
    """Note where a view would go on to read these tables, and forget others; what is noted."""
    from penstock.spark.delta import StoredTable
    from penstock.spark.sources.delta import begun, note_begun

    read = read_versions(folder / "checkpoint")
    found = {
        path: _existing(StoredTable(session, path), read, version)
        for path, version in begun(folder).items()
        if path in paths
    }
    note_begun(folder, found)
    return found


def unread(session: SparkSession, folder: Path, paths: Collection[str]) -> dict[str, int]:
    """The newest commits of tables of which a view has not read all, by the ids of the tables."""
    from penstock.spark.delta import StoredTable
    from penstock.spark.sources.delta import begun

    read, found = read_versions(folder / "checkpoint"), {}
    for path, start in begun(folder).items():
        if path in paths and Path(path, "_delta_log").is_dir():
            table = StoredTable(session, path)
            newest, own = table.version, table.id
            # The commit with which a view begins has no rows.
            if newest >= read.get(own, start + 1):
                found[own] = newest
    return found


def first_unread(table: StoredTable, folder: Path, path: str) -> int | None:
    """The first commit of a table that a view has not read; None if it follows another one."""
    from penstock.spark.sources.delta import begun

    start = begun(folder).get(path)
    return None if start is None else read_versions(folder / "checkpoint").get(table.id, start)


def is_read(folder: Path, commits: dict[str, int]) -> bool:
    """Whether a view has read these commits of tables."""
    read = read_versions(folder / "checkpoint")
    return all(read.get(table, -1) > commit for table, commit in commits.items())


def paths_of(query: Query) -> set[str]:
    """The folders of the tables at rest that a query follows."""
    sources = (scan.spec.source for scan in scans(query.input) if not scan.spec.bounded)
    return {source.path for source in sources if isinstance(source, MergeTreeTable)}


def _existing(table: StoredTable, read: dict[str, int], begun: int) -> int:
    """The first commit that was not read: a stream can begin only with one that is there."""
    found = read.get(table.id, begun)
    if found > table.version:
        table.mark()
    return found
