"""Functions in FROM: `numbers` as a query, others are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.plan.clickhouse.refusals import invalid
from penstock.sql.clickhouse.dialect import ClickHouse
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.model.span import Span

_NUMBERS = ("numbers", "numbers_mt")
# Beyond these a list of them is more than a batch should hold.
_MOST_NUMBERS = 1_000_000
_QUERY = "SELECT number FROM (SELECT 1) ARRAY JOIN range(toUInt64({}), toUInt64({})) AS number"


def rewrite_table_functions(query: exp.Query) -> None:
    """`FROM numbers(…)` as a query that gives the same rows."""
    for table in list(query.find_all(exp.Table)):
        call = table.this
        if not isinstance(call, exp.Func):
            continue
        name = call.name if isinstance(call, exp.Anonymous) else call.sql_name()
        if name not in _NUMBERS:
            raise PlanError(
                "UNSUPPORTED_QUERY",
                span=node_span(call) or node_span(table),
                feature=f"The table function `{name}`",
                instead="Of table functions there is `numbers`; write the name of a table.",
            )
        (made,) = ClickHouse().parse(_QUERY.format(*_bounds(call, node_span(call))))
        alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(name))
        table.replace(exp.Subquery(this=made, alias=alias))


def _bounds(call: exp.Func, span: Span | None) -> tuple[int, int]:
    """The first number and the one behind the last."""
    given = call.expressions
    if len(given) not in (1, 2) or not all(
        isinstance(one, exp.Literal) and one.is_int for one in given
    ):
        raise invalid("`numbers` takes one or two whole numbers: (count) or (first, count).", span)
    first, count = [0, *(int(one.name) for one in given)][-2:]
    if count > _MOST_NUMBERS:
        raise invalid(f"`numbers` gives at most {_MOST_NUMBERS} rows here.", span)
    return first, first + count
