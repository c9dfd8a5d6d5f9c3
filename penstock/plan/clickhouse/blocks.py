"""How a materialized view runs: it sees each block of rows, a micro-batch, by itself.

Blocks are of the table that comes first in its query. What is joined to it, or asked for in a
subquery, is read as it is when the block comes; the first table is only the block there, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.base import FileSource
from penstock.connectors.merge_tree import MergeTreeTable
from penstock.errors import PlanError
from penstock.plan.clickhouse.prune import with_scans
from penstock.plan.nodes import Join, Node, Scan
from penstock.plan.query import Execution
from penstock.plan.walk import ROW_BY_ROW, inputs

if TYPE_CHECKING:
    from penstock.model.span import Span

_REASON = "each micro-batch is a block, which the view sees by itself"


def view_execution(node: Node, span: Span | None) -> tuple[Execution, str]:
    """How a view runs, and why; a file is one block."""
    first = _first(node)
    if not first:
        raise PlanError(
            "UNSUPPORTED_QUERY",
            span=span,
            feature="A materialized view without a table that comes first in its query",
            instead="A view sees what comes to that table: name one there, or write an INSERT.",
        )
    if all(isinstance(scan.spec.source, FileSource) for scan in first):
        return Execution.BATCH, "every source is bounded"
    if _is_row_by_row(node):
        return Execution.MICRO_BATCH, _REASON
    if len({scan.table for scan in first}) > 1:
        raise PlanError(
            "UNSUPPORTED_QUERY",
            span=span,
            feature="A GROUP BY, DISTINCT, ORDER BY, LIMIT or JOIN over a UNION of several tables "
            "in a materialized view",
            instead="Write a view for each table.",
        )
    return Execution.BLOCK, _REASON


def followed(node: Node, span: Span | None) -> Node:
    """The plan of a view: the first table goes on, also one at rest by what is inserted."""
    first = {scan.table for scan in _first(node)}

    def follow(scan: Scan) -> Scan:
        if scan.table not in first:
            return _beside(scan, span)
        source = scan.spec.source
        if not isinstance(source, MergeTreeTable):
            return scan
        if source.merge:
            raise PlanError(
                "UNSUPPORTED_QUERY",
                span=span,
                feature="FINAL in a materialized view",
                instead="A view sees rows as they are inserted; write FINAL where they are read.",
            )
        return replace(scan, spec=replace(scan.spec, bounded=False))

    return with_scans(node, follow)


def _beside(scan: Scan, span: Span | None) -> Scan:
    """A table that is read as it is."""
    if not isinstance(scan.spec.source, MergeTreeTable | FileSource):
        raise PlanError(
            "UNSUPPORTED_QUERY",
            span=span,
            feature=f"`{scan.table}`, which is no table at rest, behind the first table of a "
            "materialized view",
            instead="Let a view of its own fill a table with it, and name that.",
        )
    return replace(scan, spec=replace(scan.spec, bounded=True))


def _first(node: Node) -> tuple[Scan, ...]:
    """The tables that a view sees blocks of: those that others are joined to."""
    if isinstance(node, Scan):
        return (node,)
    read = (node.left,) if isinstance(node, Join) else inputs(node)
    return tuple(scan for child in read for scan in _first(child))


def _is_row_by_row(node: Node) -> bool:
    return isinstance(node, ROW_BY_ROW) and all(map(_is_row_by_row, inputs(node)))
