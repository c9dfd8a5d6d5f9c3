"""The first row of each key by event time, over a stream of rows that only come → told once.

Such a deduplication is OVER by that time, of which the first rows stay: each is told when the
watermark has passed it, and nothing comes before it any more.
"""

from __future__ import annotations

from penstock.model.expression import Expr
from penstock.model.types import BOOLEAN, quote
from penstock.plan.frames import Frame, OverCall
from penstock.plan.infer import infer, is_bounded
from penstock.plan.nodes import Filter, Node, Over, Rank
from penstock.plan.rank import is_window_rank
from penstock.plan.walk import inputs, rebuilt


def with_firsts_in_time(node: Node) -> Node:
    """The plan in which a first row by event time is told once."""
    made = rebuilt(node, [with_firsts_in_time(child) for child in inputs(node)])
    if not isinstance(made, Rank) or not _waits(made):
        return made
    over = Over(
        made.input,
        ((made.column, made.number),),
        made.partition,
        made.order,
        made.fields,
        (OverCall("ROW_NUMBER", Frame(rows=True)),),
    )
    number = quote(made.column)
    return Filter(over, Expr(f"{number} = 1", BOOLEAN), "the first row", made.fields)


def _waits(node: Rank) -> bool:
    if node.keep != "first" or node.versions or is_window_rank(node):
        return False
    times = {field.sql for field in node.input.fields if field.rowtime}
    in_time = node.order[0].expr.sql in times
    return in_time and not is_bounded(node) and not infer(node.input).changes
