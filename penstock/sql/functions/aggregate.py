"""Flink's aggregate functions in Spark SQL, with Flink's result types."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.model.expression import Expr
from penstock.model.types import BIGINT, DataType
from penstock.sql.functions.base import Signature as S

_INTEGER_AVERAGE = "(sum(CAST({0} AS BIGINT)) div nullif(count({0}), 0))"


def _sum(arguments: Sequence[Expr]) -> DataType:
    type_ = arguments[0].type.as_nullable()
    return DataType("DECIMAL", 38, type_.scale) if type_.root == "DECIMAL" else type_


def _average(arguments: Sequence[Expr]) -> DataType:
    type_ = arguments[0].type.as_nullable()
    if type_.root == "DECIMAL":
        return DataType("DECIMAL", 38, max(6, type_.scale or 0))
    return type_


# The result is cast to the type given here: AVG and SUM of integers stay integers in Flink.
AGGREGATE: dict[str, tuple[S, ...]] = {
    "COUNT": (S((), "count(*)", BIGINT), S(("any",), "count({0})", BIGINT)),
    "SUM": (S(("number",), "sum({0})", _sum),),
    "MIN": (S(("any",), "min({0})", 0),),
    "MAX": (S(("any",), "max({0})", 0),),
    "AVG": (
        S(("integer",), _INTEGER_AVERAGE, _average),
        S(("number",), "avg({0})", _average),
    ),
}
