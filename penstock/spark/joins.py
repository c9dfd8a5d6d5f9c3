"""Joins on Spark: each side under the names of the join, and what bounds it in time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from penstock.model.changelog import KIND_COLUMN
from penstock.model.types import quote
from penstock.plan.infer import is_bounded
from penstock.plan.keys import condition_of
from penstock.plan.windows import ROWTIME_COLUMN, WINDOW_COLUMN
from penstock.spark.lookups import looked_up
from penstock.spark.operators.interval_join import interval_join, window_join
from penstock.spark.operators.join import AT_COLUMN
from penstock.spark.operators.packed import arrival
from penstock.spark.watermark import after_watermark
from penstock.spark.windows import with_time, with_window

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from penstock.plan.join_terms import Nearest
    from penstock.plan.nodes import Join, Node
    from penstock.spark.compile import Compiler

# Event times are local: where clocks are set by an hour or two, instants stay that near.
_CLOCK_CHANGE_MS = 2 * 60 * 60 * 1000
_PARTNER = "__partner"
# A join that nothing bounds in time must not know of one: Spark would drop late rows in it. It also
# refuses two times of one row: where windows are joined, theirs is enough.
_CARRIED: dict[str, tuple[str, ...]] = {"regular": (), "window": (WINDOW_COLUMN,)}
_HOW = {
    "INNER": "inner",
    "CROSS": "inner",
    "LEFT": "left_outer",
    "RIGHT": "right_outer",
    "FULL": "full_outer",
    "SEMI": "left_semi",
    "ANTI": "left_anti",
}


def join(node: Join, compiler: Compiler) -> DataFrame:
    """The joined rows."""
    left = _side(node, "l", compiler)
    right = _side(node, "r", compiler)
    if node.current:
        right = looked_up(right, node, compiler.sources.place)
    if node.nearest:
        return _with_nearest(node, node.nearest, left, right)
    conditions = [*_conditions(node, left, right), *_time_bounds(node, left, right)]
    if node.kind == "ANTI" and node.form == "window" and right.isStreaming:
        return _one_window(node, _without_partner(left, right, " AND ".join(conditions)))
    joined = left.join(right, F.expr(" AND ".join(conditions) or "TRUE"), _HOW[node.kind])
    return _one_window(node, joined)


def _with_nearest(node: Join, nearest: Nearest, left: DataFrame, right: DataFrame) -> DataFrame:
    """Each left row with the nearest right one; Spark has such a join, though not in SQL."""
    return left._joinAsOf(
        right,
        F.expr(nearest.left.sql),
        F.expr(nearest.right.sql),
        [F.expr(expr.sql) for expr in node.conditions] or None,
        "left" if node.kind == "LEFT" else "inner",
        allowExactMatches=nearest.exact,
        direction=nearest.direction,
    )


def _without_partner(left: DataFrame, right: DataFrame, condition: str) -> DataFrame:
    """Rows that have no partner in another stream: Spark knows them by an outer join only."""
    marked = right.withColumn(_PARTNER, F.lit(""))
    joined = left.join(marked, F.expr(condition), "left_outer")
    return joined.where(f"{_PARTNER} IS NULL").select(*left.columns)


def join_late(node: Join, compiler: Compiler) -> DataFrame:
    """The joined rows of two streams by a bound in time, those that come late among them."""
    assert node.times is not None  # noqa: S101 — the planner names both
    ours, theirs = (time.sql.strip("`") for time in node.times)
    left, right = joined_sides(node, compiler)
    found = interval_join(
        left,
        right,
        condition=condition_of(node),
        kind=node.kind,
        until=((ours, -node.lower_ms), (theirs, node.upper_ms)),
    )
    return found.drop(KIND_COLUMN)


def join_windows(node: Join, compiler: Compiler) -> DataFrame:
    """The joined rows of windows, where not both sides are told by Spark's own operators."""
    bounds = {"l": _window_bounds(node.left), "r": _window_bounds(node.right)}
    ends = (f"j{node.tag}l{bounds['l']['end']}", f"j{node.tag}r{bounds['r']['end']}")
    left, right = joined_sides(node, compiler)
    found = window_join(left, right, condition=condition_of(node), kind=node.kind, ends=ends)
    found = found.drop(KIND_COLUMN)
    if node.kind == "FULL":
        return found
    side = "r" if node.kind == "RIGHT" else "l"
    names = {bound: f"j{node.tag}{side}{number}" for bound, number in bounds[side].items()}
    return with_window(found, names["start"], names["end"])


def _window_bounds(side: Node) -> dict[str, int]:
    """The places of the columns that say which window a row is in."""
    return {field.window: number for number, field in enumerate(side.fields) if field.window}


def joined_sides(node: Join, compiler: Compiler) -> tuple[DataFrame, DataFrame]:
    """Both sides as streams under the names of the join, each with its row kind if it has one.

    Where a side says in which order its rows came, it still does.
    """
    found = []
    for side, letter in ((node.left, "l"), (node.right, "r")):
        rows = compiler.rows(side)
        at = F.expr(arrival(rows)).alias(AT_COLUMN)
        found.append(rows.select(*_named(side, node.tag, letter, compiler), *_kinds(rows), at))
    return found[0], found[1]


def _side(join: Join, side: str, compiler: Compiler) -> DataFrame:
    node, other = (join.left, join.right) if side == "l" else (join.right, join.left)
    tag, form = join.tag, join.form
    if is_bounded(node) and not is_bounded(other):
        compiler = compiler.as_static(current=join.current)
    rows = compiler.rows(node)
    named = _named(node, tag, side, compiler)
    carried = _CARRIED.get(form, (ROWTIME_COLUMN, WINDOW_COLUMN))
    hidden = [
        F.col(quote(name)).alias(f"{name}_{tag}{side}")
        for name in rows.columns
        if name.startswith(carried)
    ]
    made = rows.select(*named, *hidden, *_kinds(rows))
    timed = form == "interval" and join.times
    return with_time(made, timed[side == "r"]) if timed else made


def _named(node: Node, tag: int, side: str, compiler: Compiler) -> list[Column]:
    """The columns of a side under the names of the join; what nobody asks for may not be there."""
    engine = compiler.engine
    return [
        F.expr(field.sql).alias(f"j{tag}{side}{number}")
        for number, field in enumerate(node.fields)
        if engine is None or engine.asks(node, field.sql)
    ]


def _kinds(rows: DataFrame) -> list[str]:
    return [KIND_COLUMN] if KIND_COLUMN in rows.columns else []


def _conditions(node: Join, left: DataFrame, right: DataFrame) -> list[str]:
    """ON in Spark SQL."""
    said = [expr.sql for expr in node.conditions]
    asked = []
    if node.equal and left.isStreaming and right.isStreaming:
        # Spark's join of streams takes NULL for equal to NULL; said once more where it cannot. What
        # else is asked of pairs stands only there: it could make Spark forget the equality.
        asked = [f"penstock_after_watermark(TRUE, {' AND '.join(f'({sql})' for sql in said)})"]
        met = {equality.condition for equality in node.equal}
        said = [sql for sql in said if sql in met or len(_sides_of(sql, node.tag)) == 1]
    return [*(_kept_above(sql, node.tag, left, right) for sql in said), *asked]


def _kept_above(condition: str, tag: int, left: DataFrame, right: DataFrame) -> str:
    """A condition on one side only, which Spark would else move below that side's watermark."""
    sides = _sides_of(condition, tag)
    if len(sides) != 1:
        return f"({condition})"
    return after_watermark(condition, left if sides == {"l"} else right)


def _sides_of(condition: str, tag: int) -> set[str]:
    return {side for side in "lr" if re.search(rf"`j{tag}{side}\d+`", condition)}


def _time_bounds(node: Join, left: DataFrame, right: DataFrame) -> list[str]:
    """What the condition says already, on the columns by which Spark forgets old rows."""
    if node.form == "window":
        a, b = f"{WINDOW_COLUMN}_{node.tag}l", f"{WINDOW_COLUMN}_{node.tag}r"
        return [f"{a} = {b}"] if a in left.columns and b in right.columns else []
    if node.form != "interval" or node.times is None:
        return []
    a, b = (time.rowtime for time in node.times)
    slack = _CLOCK_CHANGE_MS * any(time.type.root == "TIMESTAMP_LTZ" for time in node.times)
    return [
        f"{a} >= {b} + INTERVAL '{node.lower_ms - slack}' MILLISECONDS",
        f"{a} <= {b} + INTERVAL '{node.upper_ms + slack}' MILLISECONDS",
    ]


def _one_window(node: Join, joined: DataFrame) -> DataFrame:
    """The window of the rows goes on under its usual name: the left side's, or the only one."""
    a, b = (f"{WINDOW_COLUMN}_{node.tag}{side}" for side in "lr")
    found = [name for name in (a, b) if name in joined.columns]
    if not found:
        return joined
    kept = b if node.kind == "RIGHT" and b in found else found[0]
    return joined.withColumnRenamed(kept, WINDOW_COLUMN)
