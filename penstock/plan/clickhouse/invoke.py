"""A function of the table, called by its own name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PenstockError, PlanError
from penstock.sql.clickhouse.types import type_name
from penstock.sql.functions.clickhouse import AGGREGATES, SCALAR, WINDOWS
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot import exp

    from penstock.model.expression import Expr
    from penstock.plan.expressions import ExpressionCompiler


def invoke(
    compiler: ExpressionCompiler, name: str, arguments: Sequence[exp.Expr], node: exp.Expr
) -> Expr:
    """The call in Spark SQL; the first signature that fits is taken."""
    if name in AGGREGATES:
        compiler.refuse(node, "An aggregate stands in SELECT or HAVING, not inside another one.")
    if name in WINDOWS:
        compiler.refuse(node, "Write OVER (…) behind it, in SELECT or ORDER BY.")
    compiled = [compiler.compile(argument) for argument in arguments]
    signatures = SCALAR[name.upper()]
    try:
        for signature in signatures:
            if signature.matches(compiled) and (found := signature.call(compiled)):
                return found
    except PenstockError as error:
        error.span = node_span(node)
        raise
    raise PlanError(
        "WRONG_ARGUMENTS",
        span=node_span(node),
        function=name,
        found=", ".join(type_name(argument.type) for argument in compiled),
        expected=" or ".join(signature.describe() for signature in signatures),
    )
