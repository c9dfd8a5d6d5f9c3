"""Files of a table at rest that nobody needs any more: called by `steps` for OPTIMIZE.

Who has read a table for long may need files that were replaced meanwhile, and a view that has not
read a commit yet needs those of that commit, however old they are.
"""

from __future__ import annotations

import json
import logging
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.runtime.versions import first_unread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

    from penstock.plan.steps import RemoveOldFiles
    from penstock.runtime.state import JobFolder
    from penstock.spark.delta import StoredTable

# What replaced a file is noted with the time at which it began.
_BEGAN_BEFORE_S = 3600

_log = logging.getLogger("penstock.job")


def remove_old_files(session: SparkSession, views: JobFolder, action: RemoveOldFiles) -> None:
    """Files that were replaced a lifetime ago; none if a view is as far behind.

    A crash leaves some of them to the next OPTIMIZE.
    """
    from penstock.spark.delta import StoredTable

    table = StoredTable(session, action.table.path)
    lifetime_s = table.lifetime_s
    for view, waiting_s in _waiting(table, views, action):
        if waiting_s + _BEGAN_BEFORE_S > lifetime_s:
            late = "%s: its old files stay: the view %s has not read all of them."
            _log.warning(late, action.table.name, view)
            return
    table.remove_old_files()


def _waiting(
    table: StoredTable, views: JobFolder, action: RemoveOldFiles
) -> Iterator[tuple[str, float]]:
    """The views that have rows of the table to read, and how old the first of these are."""
    log, newest = Path(action.table.path, "_delta_log"), table.version
    for name in action.views:
        unread = first_unread(table, views.query(name), action.table.path)
        commits = range(unread, newest + 1) if unread is not None else ()
        files = (log / f"{commit:020d}.json" for commit in commits)
        # A commit that Delta has forgotten is older than any.
        file = next((file for file in files if not file.exists() or _has_rows(file)), None)
        if file is not None:
            yield name, time.time() - file.stat().st_mtime if file.exists() else math.inf


def _has_rows(commit: Path) -> bool:
    """Whether rows were inserted; views pass over what OPTIMIZE, ALTER and their like write."""
    changes: set[str] = set()
    for line in commit.read_text(encoding="utf-8").splitlines():
        changes |= {kind for kind, fact in json.loads(line).items() if fact.get("dataChange")}
    return changes == {"add"}
