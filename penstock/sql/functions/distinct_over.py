"""Aggregates of distinct values with OVER over bounded tables: Spark has no DISTINCT there.

The values of a frame are collected as a set, and what is asked for is made of that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import BIGINT, DOUBLE, DataType
from penstock.sql.time_text import bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.expression import Expr


def of_set(name: str, value: Expr, over: str) -> str | None:
    """The aggregate of this name; None if a set does not tell it."""
    build = _OF_SET.get(name)
    return build(value, over) if build else None


def _count(value: Expr, over: str) -> str:
    return f"size(collect_set({value.sql}){over})"


def _sum(value: Expr, over: str) -> str:
    return _of_values(value, over, _total(value.type))


def _average(value: Expr, over: str) -> str:
    """Whole numbers are divided as such."""
    divide = "div" if value.type.is_integer else "/"
    return _of_values(value, over, f"({_total(value.type)} {divide} size(l))")


def _least(value: Expr, over: str) -> str:
    return f"min({value.sql}){over}"


def _greatest(value: Expr, over: str) -> str:
    return f"max({value.sql}){over}"


def _of_values(value: Expr, over: str, made: str) -> str:
    """What is made of the values `l`; NULL if there are none."""
    return bound("l", f"collect_set({value.sql}){over}", f"if(size(l) = 0, NULL, {made})")


def _total(type_: DataType) -> str:
    wide = BIGINT if type_.is_integer else DOUBLE
    add = "t + v"
    if type_.root == "DECIMAL":
        wide, add = DataType("DECIMAL", 38, type_.scale), "try_add(t, v)"
    name = wide.spark_sql()
    return f"aggregate(l, CAST(0 AS {name}), (t, v) -> CAST({add} AS {name}))"


_OF_SET: dict[str, Callable[[Expr, str], str]] = {
    "COUNT": _count,
    "SUM": _sum,
    "AVG": _average,
    "MIN": _least,
    "MAX": _greatest,
}
