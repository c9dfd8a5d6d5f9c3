"""How a table is joined that is looked up: handed to every task, or met where rows of a key meet.

Spark would choose with each batch, by the size that the table has by then. The rows of a task must
be the same in a batch that is run again, or a sink could not know which of them it has written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.spark.java_class import java_class
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from penstock.plan.nodes import Join
    from penstock.spark.place import Place

_FILE = "lookups.json"
_THRESHOLD = "spark.sql.autoBroadcastJoinThreshold"
_EVERYWHERE, _BY_KEY = "broadcast", "merge"


def looked_up(table: DataFrame, node: Join, place: Place) -> DataFrame:
    """The right side of a join, with the way it is joined; a half-written batch keeps its own."""
    file, name = place.folder / _FILE, str(node.tag)
    ways = read_kept(file)
    if name not in ways or not place.is_half_written():
        ways[name] = _way(table, node)
        keep(file, ways)
    return table.hint(ways[name])


def _way(table: DataFrame, node: Join) -> str:
    """Rows without a key meet nowhere but everywhere."""
    if not node.equal:
        return _EVERYWHERE
    execution: Any = table._jdf.queryExecution()
    size = int(str(execution.optimizedPlan().stats().sizeInBytes()))
    conf = table.sparkSession.conf.get(_THRESHOLD) or "0"
    sizes = java_class(table.sparkSession, "org.apache.spark.network.util.JavaUtils")
    limit = int(sizes.byteStringAsBytes(conf))
    return _EVERYWHERE if size <= limit else _BY_KEY
