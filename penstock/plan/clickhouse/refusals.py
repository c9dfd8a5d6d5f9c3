"""What a statement of ClickHouse is refused with, where its words alone say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError

if TYPE_CHECKING:
    from penstock.model.span import Span


def invalid(problem: str, span: Span | None) -> PlanError:
    """The error of a statement that has no meaning."""
    return PlanError("INVALID_QUERY", span=span, problem=problem, instead="")
