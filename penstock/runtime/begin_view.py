"""Where views of tables at rest begin to read them: with what is inserted after they were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.runtime.anew import begin_again

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.plan.steps import BeginView


def begin_view(session: SparkSession, folder: Path, action: BeginView) -> None:
    """Note it for tables that the view did not read before; nobody may run it meanwhile."""
    from penstock.spark.delta import StoredTable
    from penstock.spark.sources.delta import begun, note_begun

    before, paths = begun(folder), {table.path for table in action.tables}
    if before.keys() - paths:
        # A table was dropped: what was read of it says nothing of the new one.
        before = begin_again(session, folder, paths)
    for path in sorted(paths - before.keys()):
        before[path] = StoredTable(session, path).mark()
    note_begun(folder, before)
