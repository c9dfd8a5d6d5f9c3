"""Queries that see each micro-batch by itself: their table is streamed, the rest is made of blocks.

A `GROUP BY` in a materialized view of ClickHouse is of the rows of one block: there is no state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.plan.nodes import Aggregate, Filter, Project, Scan, Unnest
from penstock.plan.walk import inputs
from penstock.spark.compile import compile_query

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame

    from penstock.plan.nodes import Node
    from penstock.plan.query import Query
    from penstock.spark.sinks.base import Sink
    from penstock.spark.source import Sources

# What Spark makes in one pass over the rows; others, such as a sort, may read them again.
_IN_ONE_PASS = (Aggregate, Filter, Project, Scan, Unnest)


def block_writer(query: Query, sources: Sources, sink: Sink) -> Callable[[DataFrame, int], None]:
    """What makes the records of a query from a batch of its table, and hands them to its sink."""
    whole, again = sources.as_static(), not _is_plain(query.input)

    def write(batch: DataFrame, batch_id: int) -> None:
        # Messages are read once: what cannot be read is counted, and may be written elsewhere.
        rows = batch.persist() if again else batch
        try:
            # A view does not see a block without rows, of which others would make some.
            if not again or not rows.isEmpty():
                sink.append(compile_query(query, whole, rows), batch_id)
        finally:
            if again:
                rows.unpersist()

    return write


def _is_plain(node: Node) -> bool:
    """Whether it reads a block once, and makes nothing of one without rows."""
    of_nothing = isinstance(node, Aggregate) and not node.keys
    return isinstance(node, _IN_ONE_PASS) and not of_nothing and all(map(_is_plain, inputs(node)))
