"""Flink's aggregate functions in Spark SQL, with Flink's result types.

Variances and deviations are not among them: Flink adds up squares, Spark does not, and the last
digits differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import BIGINT, DataType
from penstock.sql.functions.base import Signature as S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.expression import Expr

_INTEGER_AVERAGE = "(sum(CAST({0} AS BIGINT)) div nullif(count({0}), 0))"


def _sum(arguments: Sequence[Expr]) -> DataType:
    """The type of the argument, a DECIMAL with 38 digits."""
    type_ = arguments[0].type.as_nullable()
    return DataType("DECIMAL", 38, type_.scale) if type_.root == "DECIMAL" else type_


def _average(arguments: Sequence[Expr]) -> DataType:
    """The type of the argument, a DECIMAL with 38 digits and 6 decimals at least."""
    type_ = arguments[0].type.as_nullable()
    if type_.root == "DECIMAL":
        return DataType("DECIMAL", 38, max(6, type_.scale or 0))
    return type_


def _decimal_average(arguments: Sequence[Expr]) -> str:
    """Spark's own average of a decimal keeps four more decimals than the argument has, not six."""
    value = arguments[0].sql
    total = f"CAST(sum({value}) AS {_sum(arguments).spark_sql()})"
    return f"({total} / nullif(CAST(count({value}) AS DECIMAL(20, 0)), 0))"


# The result is cast to the type given here: AVG and SUM of integers stay integers in Flink.
AGGREGATE: dict[str, tuple[S, ...]] = {
    "COUNT": (S((), "count(*)", BIGINT), S(("any",), "count({0})", BIGINT)),
    "SUM": (S(("number",), "sum({0})", _sum),),
    "MIN": (S(("comparable",), "min({0})", 0),),
    "MAX": (S(("comparable",), "max({0})", 0),),
    "AVG": (
        S(("integer",), _INTEGER_AVERAGE, _average),
        S(("decimal",), _decimal_average, _average),
        S(("number",), "avg({0})", _average),
    ),
}
