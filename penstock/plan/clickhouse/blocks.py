"""How a materialized view runs: it sees each block of rows, a micro-batch, by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.plan.nodes import Join, Node
from penstock.plan.query import Execution
from penstock.plan.walk import ROW_BY_ROW, inputs, reads_files_only, scans

if TYPE_CHECKING:
    from penstock.model.span import Span

_REASON = "each micro-batch is a block, which the view sees by itself"


def view_execution(node: Node, span: Span | None) -> tuple[Execution, str]:
    """How a view runs, and why; a file is one block."""
    _refuse_joins(node, span)
    if reads_files_only(node):
        return Execution.BATCH, "every source is bounded"
    if _is_row_by_row(node):
        return Execution.MICRO_BATCH, _REASON
    if len({scan.table for scan in scans(node)}) > 1:
        raise PlanError(
            "UNSUPPORTED_QUERY",
            span=span,
            feature="A GROUP BY, DISTINCT, ORDER BY or LIMIT over several tables in a "
            "materialized view",
            instead="Write a view for each table.",
        )
    return Execution.BLOCK, _REASON


def _is_row_by_row(node: Node) -> bool:
    return isinstance(node, ROW_BY_ROW) and all(map(_is_row_by_row, inputs(node)))


def _refuse_joins(node: Node, span: Span | None) -> None:
    if isinstance(node, Join):
        raise PlanError(
            "UNSUPPORTED_QUERY",
            span=span,
            feature=f"{_asked(node)} in a materialized view",
            instead="Ask for it when the target is read.",
        )
    for child in inputs(node):
        _refuse_joins(child, span)


def _asked(node: Join) -> str:
    """What the view says that became a join."""
    if node.kind in ("SEMI", "ANTI"):
        return "IN or EXISTS with a query"
    is_value = node.kind == "LEFT" and not node.conditions and not node.equal
    return "A query as a value" if is_value else "A JOIN"
