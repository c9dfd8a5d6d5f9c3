"""What only a look at the cluster and at running views can tell: rows of system tables.

`informed` is called when a query is about to start: it answers for the moment.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaSource
from penstock.connectors.system import MESSAGE, SYSTEM, ConsumersSource, RowsSource
from penstock.errors import PenstockError
from penstock.kafka import admin
from penstock.plan.clickhouse.prune import with_scans
from penstock.plan.walk import scans
from penstock.runtime import status

if TYPE_CHECKING:
    from penstock.connectors.system import Consumer
    from penstock.plan.nodes import Scan
    from penstock.plan.query import Query
    from penstock.runtime.status import JobStatus, QueryStatus

_NEVER = "1970-01-01T00:00:00.000+00:00"


def informed(query: Query) -> Query:
    """The query with the rows that its system tables have now."""
    if not any(scan.table.startswith(SYSTEM) for scan in scans(query.input)):
        return query
    return replace(query, input=with_scans(query.input, _informed))


def _informed(scan: Scan) -> Scan:
    source = scan.spec.source
    if isinstance(source, ConsumersSource):
        found = status.read_status(Path(source.folder)) if source.folder else None
        rows = json.dumps([_row(one, found) for one in source.consumers], ensure_ascii=False)
        known = RowsSource("system.kafka_consumers", source.schema, rows)
        return replace(scan, spec=replace(scan.spec, source=known))
    if isinstance(source, KafkaSource) and scan.table.startswith(SYSTEM):
        topics = source.topics or ()
        if not all(admin.topic_exists(dict(source.properties), topic) for topic in topics):
            # Nothing was ever written to it.
            nothing = RowsSource(scan.table, MESSAGE)
            return replace(scan, spec=replace(scan.spec, source=nothing))
    return scan


def _row(consumer: Consumer, found: JobStatus | None) -> dict[str, object]:
    views = [one for one in found.queries if one.query in consumer.views] if found else []
    offsets, problem = _offsets(consumer)
    moment = found.updated_at if found and views else _NEVER
    failed = found.error if found and any(one.state == "failed" for one in views) else None
    failing = [one.note for one in views if one.state == "failing"]
    problems = [problem, failed[1] if failed else "", *failing, *consumer.waiting]
    problems = [text for text in problems if text]
    read = any(_messages(one, consumer) for one in views)
    return {
        "database": consumer.database,
        "table": consumer.table,
        "consumer_id": consumer.id,
        "assignments.topic": [topic for topic, _, _ in offsets],
        "assignments.partition_id": [partition for _, partition, _ in offsets],
        "assignments.current_offset": [offset for _, _, offset in offsets],
        "assignments.intent_size": [None for _ in offsets],
        "exceptions.time": [moment if failed or failing else status.now() for _ in problems],
        "exceptions.text": problems,
        "last_poll_time": moment,
        "num_messages_read": max((_messages(one, consumer) for one in views), default=0),
        "last_commit_time": moment if read else _NEVER,
        "num_commits": max((one.batches for one in views), default=0),
        "last_rebalance_time": _NEVER,
        "num_rebalance_revocations": 0,
        "num_rebalance_assignments": 0,
        "is_currently_used": int(any(one.state == status.RUNNING for one in views)),
        "last_used": moment,
        "rdkafka_stat": "",
        "dependencies": [[consumer.database, view] for view in consumer.views],
        "missing_dependencies": [list(path) for path in consumer.missing],
    }


def _messages(view: QueryStatus, consumer: Consumer) -> int:
    names = {consumer.table, f"{consumer.database}.{consumer.table}"}
    return sum(table.rows_in for table in view.tables if table.table in names)


def _offsets(consumer: Consumer) -> tuple[list[tuple[str, int, int]], str]:
    """Topic, partition and committed offset; why they are not known, else nothing."""
    try:
        found = admin.committed_offsets(dict(consumer.properties), consumer.group)
    except PenstockError as error:
        return [], str(error)
    places = ((where.topic, where.partition, offset) for where, offset in found.items())
    return sorted(place for place in places if place[0] in consumer.topics), ""
