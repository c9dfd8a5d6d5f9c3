"""Where views of tables at rest begin to read them: with what is inserted after they were made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from penstock.runtime.anew import begin_again

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.plan.steps import BeginView


def begin_view(session: SparkSession, folder: Path, action: BeginView) -> None:
    """Note it for tables that the view is to read from now on; nobody may run it meanwhile.

    The view stays what it is until that is kept: nothing is forgotten of what it reads so far.
    """
    from penstock.spark.delta import StoredTable
    from penstock.spark.sources.delta import begun, note_begun

    before, paths = begun(folder), {table.path for table in action.tables}
    if action.waited:
        paths -= before.keys()
    elif paths & before.keys():
        # It read such a table once: its checkpoint would go on there.
        others = before.keys() - paths
        before = begin_again(session, folder, {path for path in others if Path(path).is_dir()})
    for path in sorted(paths):
        before[path] = StoredTable(session, path).mark()
    note_begun(folder, before)
