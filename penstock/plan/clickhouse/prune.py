"""What of its tables a query does not name is not read: a Kafka table has many virtual columns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaSource
from penstock.model.types import quote
from penstock.plan.nodes import Scan
from penstock.plan.used import named_in
from penstock.plan.walk import inputs, rebuilt

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.nodes import Node
    from penstock.plan.query import Query


def pruned(query: Query) -> Query:
    """The query with the columns of its tables that it names somewhere."""
    text = named_in(query)
    return replace(query, input=with_scans(query.input, lambda scan: _kept(scan, text)))


def with_scans(node: Node, change: Callable[[Scan], Scan]) -> Node:
    """The plan with other readings of its tables."""
    if isinstance(node, Scan):
        return change(node)
    return rebuilt(node, [with_scans(child, change) for child in inputs(node)])


def _kept(scan: Scan, text: str) -> Scan:
    columns = scan.spec.columns
    computed = tuple(column for column in scan.computed if quote(column[0]) in text)
    text = "\n".join([text, *(expr.sql for _, expr in computed)])
    kept = tuple(column for column in columns if quote(column[0]) in text)
    # A row without any column is still a row.
    spec = replace(scan.spec, columns=kept or columns[:1])
    source = spec.source
    if isinstance(source, KafkaSource):
        headers = any("headers" in sql for _, sql, _ in spec.columns)
        source = replace(source, reading=replace(source.reading, headers=headers))
        spec = replace(spec, source=source)
    return replace(scan, spec=spec, computed=computed)
