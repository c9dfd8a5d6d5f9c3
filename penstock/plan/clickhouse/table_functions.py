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
    for values in query.find_all(exp.Values):
        raise _unsupported(values, "values", "Write SELECT … UNION ALL SELECT ….")
    for table, name in table_functions(query):
        call = table.this
        if name not in _NUMBERS:
            instead = "Of table functions there is `numbers`; write the name of a table."
            raise _unsupported(table, name, instead)
        (made,) = ClickHouse().parse(_QUERY.format(*_bounds(call, node_span(call))))
        alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(name))
        table.replace(exp.Subquery(this=made, alias=alias))


def table_functions(query: exp.Query) -> list[tuple[exp.Table, str]]:
    """What of FROM is a function, with its name."""
    calls = [(table, table.this) for table in query.find_all(exp.Table)]
    return [
        (table, call.name if isinstance(call, exp.Anonymous) else call.sql_name())
        for table, call in calls
        if isinstance(call, exp.Func)
    ]


def _unsupported(node: exp.Expr, name: str, instead: str) -> PlanError:
    feature = f"The table function `{name}`"
    return PlanError("UNSUPPORTED_QUERY", span=node_span(node), feature=feature, instead=instead)


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
