"""Of the Kafka tables of one group one reads; when it is gone, the next goes on where the group is.

<job folder or warehouse>/members.json    group and topic → the table that read it last
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.plan.clickhouse.members import shares
from penstock.runtime.anew import forget_progress, read_offsets, tell_groups
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import SparkSession

    from penstock.plan.query import Query
    from penstock.runtime.state import JobFolder


def take_over(
    folder: JobFolder, query: Query, others: Iterable[Query], session: SparkSession
) -> None:
    """Let the views of a table go on where their group is, if another table has read meanwhile.

    1 the group is told what views of that table have read; 2 those of this one forget where they
    were; 3 it is noted who reads. A crash before that leaves all of it to the next start.
    """
    file = folder.path / "members.json"
    before, own = read_kept(file), dict(shares(query))
    from_ = {before[share] for share, table in own.items() if before.get(share, table) != table}
    known = list(others)
    for other in known if from_ else ():
        if from_ & set(dict(shares(other)).values()):
            tell_groups(other, read_offsets(folder, other, session))
    for other in (query, *known) if from_ else ():
        if set(dict(shares(other)).values()) & set(own.values()):
            forget_progress(folder.query(other.id))
    if any(before.get(share) != table for share, table in own.items()):
        keep(file, {**before, **own})
