"""`arrayJoin(array)` in a query → a join with the elements of the array.

Calls of the same array are one; of several arrays, each element meets each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.plan.clickhouse.groups import is_aggregate
from penstock.plan.clickhouse.joins import HIDDEN
from penstock.plan.relations import WHOLE
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "arrayJoin"
_PARTS = ("expressions", "where", "group", "having", "qualify", "order", "limit_by")


def rewrite_array_joins(select: exp.Select) -> None:
    """Every call as a column of the elements; what SELECT shows has its name already."""
    known: dict[str, str] = {}
    while call := next(_calls(select), None):
        array = _array(call)
        text = array.sql(dialect="clickhouse")
        if text not in known:
            known[text] = f"{HIDDEN}a{len(known)}"
            _join(select, array.copy(), known[text])
        call.replace(exp.column(known[text]))


def _calls(select: exp.Select) -> Iterator[exp.Anonymous]:
    """The calls, those inside others first."""
    for name in _PARTS:
        found = select.args.get(name) or []
        for part in found if isinstance(found, list) else [found]:
            inner = list(part.walk(prune=lambda node: isinstance(node, exp.Query)))
            calls = (n for n in reversed(inner) if isinstance(n, exp.Anonymous))
            yield from (call for call in calls if call.name == NAME)


def _array(call: exp.Anonymous) -> exp.Expr:
    if len(call.expressions) != 1:
        raise _refused(call, "arrayJoin takes one array.")
    array: exp.Expr = call.expressions[0]
    if any(is_aggregate(part) for part in array.walk()):
        raise _refused(call, "Write the aggregate in a subquery, and arrayJoin around it.")
    return array


def _refused(call: exp.Anonymous, instead: str) -> PlanError:
    feature = f"`{call.sql(dialect='clickhouse')}`"
    return PlanError("UNSUPPORTED_QUERY", span=node_span(call), feature=feature, instead=instead)


def _join(select: exp.Select, array: exp.Expr, name: str) -> None:
    alias = exp.TableAlias(this=exp.to_identifier(f"{name}t"), columns=[exp.to_identifier(name)])
    unnest = exp.Unnest(expressions=[array], alias=alias)
    unnest.meta[WHOLE] = True
    if select.args.get("from_") is None:
        select.set("from_", exp.From(this=unnest))
    else:
        select.append("joins", exp.Join(this=unnest, kind="CROSS"))
