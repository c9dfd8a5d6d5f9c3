"""Variances, deviations and correlations, of the sums that ClickHouse keeps of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.sql.clickhouse.numbers import FLOAT64
from penstock.sql.functions.clickhouse.base import AFTER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.sql.functions.clickhouse.base import Typed

_NAN = "CAST('NaN' AS DOUBLE)"


def _sum(sql: str) -> str:
    return f"sum({sql}){AFTER}"


def _known(arguments: Sequence[Expr]) -> list[str]:
    """Each value as a Float64, NULL where one of them is."""
    texts = [f"CAST({argument.sql} AS DOUBLE)" for argument in arguments]
    if len(texts) == 1:
        return texts
    both = " AND ".join(f"{text} IS NOT NULL" for text in texts)
    return [f"CASE WHEN {both} THEN {text} END" for text in texts]


def _over_no_row(sql: str, arguments: Sequence[Expr]) -> Expr:
    nullable = any(argument.type.nullable for argument in arguments)
    if nullable:
        counted = f"count({', '.join(_known(arguments))}){AFTER}"
        return Expr(f"if({counted} = 0, NULL, {sql})", FLOAT64.as_nullable())
    return Expr(sql, FLOAT64)


def _spread(left: str, right: str, *, sample: bool) -> str:
    """(sum of products - product of sums / count) / count; NaN of too few rows."""
    count = f"CAST(count({left}, {right}){AFTER} AS DOUBLE)"
    product = f"{_sum(f'{left} * {right}')} - {_sum(left)} * {_sum(right)} / nullif({count}, 0)"
    divisor = f"nullif({count} - 1, 0)" if sample else f"nullif({count}, 0)"
    return f"coalesce(({product}) / {divisor}, {_NAN})"


def variance(*, sample: bool, root: bool = False) -> Typed:
    """varPop, varSamp; with a root stddevPop, stddevSamp."""

    def build(arguments: Sequence[Expr]) -> Expr:
        (value,) = _known(arguments)
        spread = _spread(value, value, sample=sample)
        few = f"count({value}){AFTER} < {2 if sample else 1}"
        # What cannot be below 0 is 0, and so is what is no number.
        trimmed = f"if(isnan({spread}) OR {spread} < 0, 0D, {spread})"
        sql = f"if({few}, {_NAN}, {f'sqrt({trimmed})' if root else trimmed})"
        return _over_no_row(sql, arguments)

    return build


def covariance(*, sample: bool) -> Typed:
    """covarPop, covarSamp."""

    def build(arguments: Sequence[Expr]) -> Expr:
        left, right = _known(arguments)
        return _over_no_row(_spread(left, right, sample=sample), arguments)

    return build


def correlation(arguments: Sequence[Expr]) -> Expr:
    """corr."""
    x, y = _known(arguments)
    count = f"CAST(count({x}, {y}){AFTER} AS DOUBLE)"

    def scaled(one: str, other: str) -> str:
        return f"({count} * {_sum(f'{one} * {other}')} - {_sum(one)} * {_sum(other)})"

    divisor = f"sqrt({scaled(x, x)} * {scaled(y, y)})"
    sql = f"coalesce({scaled(x, y)} / nullif({divisor}, 0D), {_NAN})"
    return _over_no_row(sql, arguments)


_ONE, _TWO = ("number",), ("integer or float", "integer or float")
# name → the kinds of its arguments, what it is made of
STATISTICS: dict[str, tuple[tuple[str, ...], Typed]] = {
    "varPop": (_ONE, variance(sample=False)),
    "varSamp": (_ONE, variance(sample=True)),
    "stddevPop": (_ONE, variance(sample=False, root=True)),
    "stddevSamp": (_ONE, variance(sample=True, root=True)),
    "covarPop": (_TWO, covariance(sample=False)),
    "covarSamp": (_TWO, covariance(sample=True)),
    "corr": (_TWO, correlation),
}
