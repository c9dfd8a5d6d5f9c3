"""Which queries can hand on their rows one by one: `SET 'penstock.latency' = 'real-time'`.

Spark's real-time mode reads each partition with a task that stays: nothing may wait for the end of
a batch, and nothing may be remembered between rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaSource, KafkaTarget
from penstock.errors import PlanError
from penstock.plan.nodes import Filter, Project, Scan, Unnest
from penstock.plan.query import Execution
from penstock.plan.settings import MAX_OFFSETS
from penstock.plan.walk import inputs, scans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from penstock.plan.nodes import Node
    from penstock.plan.query import Query

SETTING = "penstock.latency"
REASON = "rows are handed on one by one"
_ROW_BY_ROW = (Filter, Project, Scan, Unnest)
# Spark takes the time once per batch, and one of these lasts for seconds.
_CLOCKS = (
    *("current_timestamp()", "current_date()", "now()"),
    *("localtimestamp()", "current_time(0)", "unix_timestamp()"),
)


def require_real_time(query: Query, execution: Execution, settings: Mapping[str, str]) -> None:
    """Refuse what cannot run in this way, with the reason."""
    problem = next(_problems(query, execution, settings), "")
    if problem:
        raise PlanError("NOT_REAL_TIME", query=query.id, reason=problem)


def _problems(query: Query, execution: Execution, settings: Mapping[str, str]) -> Iterator[str]:
    if execution is Execution.BATCH:
        yield "its rows are read in blocks, not one by one"
    if execution is not Execution.MICRO_BATCH or not _is_row_by_row(query.input):
        yield "it keeps state, or meets another table; only filters and computed columns can"
    yield from _source_problems(query)
    yield from _target_problems(query)
    if settings.get(MAX_OFFSETS):
        yield f"'{MAX_OFFSETS}' is set, and there are no batches to limit"
    if any(clock in sql for sql in _used(query) for clock in _CLOCKS):
        yield (
            "it asks for the present time, which stands still for seconds then; use "
            "CURRENT_ROW_TIMESTAMP()"
        )


def _source_problems(query: Query) -> Iterator[str]:
    found = [(scan.table, scan.spec.source) for scan in scans(query.input)]
    for table, source in found:
        if not isinstance(source, KafkaSource):
            yield f"table `{table}` is not in Kafka"
        elif source.bound:
            yield f"table `{table}` has an end"
        elif source.reading.parallelism:
            yield f"table `{table}` sets 'scan.parallelism', and each partition is its own task"
        elif source.reading.max_offsets_per_batch:
            yield f"table `{table}` limits its batches, and there are none"
    if len(found) != 1:
        yield f"it reads {len(found)} tables; one only can be"


def _target_problems(query: Query) -> Iterator[str]:
    target = query.spec.target
    if not isinstance(target, KafkaTarget):
        yield f"table `{query.sink_table}` is not in Kafka"
    elif target.guarantee == "exactly-once":
        yield f"table `{query.sink_table}` is written exactly once, which needs the end of a batch"
    elif target.partitioner.kind == "python":
        yield f"the partitioner of table `{query.sink_table}` is written in Python"
    elif target.parallelism:
        yield f"table `{query.sink_table}` sets 'sink.parallelism'"


def _is_row_by_row(node: Node) -> bool:
    return isinstance(node, _ROW_BY_ROW) and all(map(_is_row_by_row, inputs(node)))


def _used(query: Query) -> list[str]:
    """Every expression of the query, and of the computed columns it names."""
    texts = [expr.sql for _, expr in query.columns] + _expressions(query.input)
    for scan in scans(query.input):
        texts += [e.sql for name, e in scan.computed if any(f"`{name}`" in sql for sql in texts)]
    return texts


def _expressions(node: Node) -> list[str]:
    own = _OF_NODE.get(type(node), _of_others)(node)
    return [*own, *(sql for child in inputs(node) for sql in _expressions(child))]


def _of_others(node: Node) -> list[str]:
    return []


def _of_filter(node: Filter) -> list[str]:
    return [node.condition.sql]


def _of_project(node: Project) -> list[str]:
    return [expr.sql for _, expr in node.columns]


def _of_unnest(node: Unnest) -> list[str]:
    return [node.collection.sql]


_OF_NODE: dict[type, Callable[..., list[str]]] = {
    Filter: _of_filter,
    Project: _of_project,
    Unnest: _of_unnest,
}
