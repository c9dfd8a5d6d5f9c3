"""Flink's aggregate functions in Spark SQL, with Flink's result types.

A text has `{distinct}` where DISTINCT may stand and `{after}` behind each call, for FILTER or OVER;
an aggregate without `{distinct}` is refused with it. NULLs are passed over, except by ARRAY_AGG and
the JSON ones. `in_order` is for rows whose order is known: `{order}` is the column that has it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.types import BIGINT, DOUBLE, STRING, DataType
from penstock.sql.casts import cast
from penstock.sql.functions.base import Signature as S
from penstock.sql.functions.json_aggregate import JSON_AGGREGATE, ORDERED_ROWS, ROWS
from penstock.sql.time_text import bound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.expression import Expr

_INTEGER_AVERAGE = (
    "(sum({distinct}CAST({0} AS BIGINT)){after} div nullif(count({distinct}{0}){after}, 0))"
)
# Flink's relative error; the algorithm and its hash are the same in both.
_ESTIMATE = "approx_count_distinct({0}, 0.01D){after}"
# A literal number or an array of them: the numbers, what stands behind and around them.
_NUMBER = re.compile(r"(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)(?:BD|D|L)?")
_TYPE = re.compile(r" AS \w+(?:\(\d+, \d+\))?\)")
_AROUND = re.compile(r"(?:array|CAST|TRY_CAST|[(), ])*")


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
    total = f"CAST(try_sum({{distinct}}{value}){{after}} AS {_sum(arguments).spark_sql()})"
    count = f"CAST(count({{distinct}}{value}){{after}} AS DECIMAL(20, 0))"
    return f"({total} / nullif({count}, 0))"


def _deviation(template: str) -> tuple[S, ...]:
    """A variance or deviation: computed in DOUBLE, then of the type that AVG has."""

    def build(arguments: Sequence[Expr]) -> str:
        value = template.format(f"{{distinct}}CAST({arguments[0].sql} AS DOUBLE)", "{after}")
        return cast(value, DOUBLE, _average(arguments))

    return (S(("number",), build, _average),)


_VAR_POP, _VAR_SAMP = _deviation("var_pop({0}){1}"), _deviation("var_samp({0}){1}")
_STDDEV_POP = _deviation("penstock_power(var_pop({0}){1}, 0.5D)")
_STDDEV_SAMP = _deviation("penstock_power(var_samp({0}){1}, 0.5D)")


def _array(arguments: Sequence[Expr]) -> DataType:
    """An array of the type of argument 1."""
    return DataType("ARRAY", children=(("element", arguments[0].type.as_nullable()),))


def _multiset(arguments: Sequence[Expr]) -> DataType:
    """A multiset of the type of argument 1."""
    element = arguments[0].type.as_nullable(nullable=False)
    return DataType("MULTISET", children=(("element", element),), nullable=False)


def _listed(takes: tuple[str, ...], separator: str) -> S:
    ordered = _present(ORDERED_ROWS, f"array_join(l, {separator})")
    return S(takes, f"listagg({{distinct}}{{0}}, {separator}){{after}}", STRING, in_order=ordered)


def _arrays(takes: tuple[str, ...], shape: Callable[[str], str]) -> S:
    return S(takes, shape(ROWS), _array, in_order=shape(ORDERED_ROWS))


def _present(rows: str, result: str = "l") -> str:
    """What is made of the list `l` of the values that are not NULL; NULL if there are none."""
    return bound("l", f"filter({rows}, v -> v IS NOT NULL)", f"if(size(l) = 0, NULL, {result})")


def _all(rows: str) -> str:
    """The values, NULLs among them; NULL if there are no rows."""
    return f"CASE WHEN count(*){{after}} > 0 THEN {rows} END"


def _one(takes: tuple[str, ...], function: str, by: str) -> tuple[S, ...]:
    known = f"{by}({{0}}, if({{0}} IS NULL, NULL, {{order}})){{after}}"
    return (S(takes, f"{function}({{0}}, TRUE){{after}}", 0, in_order=known),)


def _percentages(argument: Expr) -> str:
    untyped = _TYPE.sub("", argument.sql)
    numbers = [float(found) for found in _NUMBER.findall(untyped)]
    literal = numbers and _AROUND.fullmatch(_NUMBER.sub("", untyped))
    if not literal or not all(0 <= number <= 1 for number in numbers):
        raise PlanError(
            "UNSUPPORTED_EXPRESSION",
            expression="PERCENTILE",
            instead="The percentage is a number from 0.0 to 1.0, or an ARRAY of such numbers.",
        )
    if argument.type.root == "ARRAY":
        return f"array({', '.join(f'{number}D' for number in numbers)})"
    return f"{numbers[0]}D"


def _percentile(arguments: Sequence[Expr]) -> str:
    value = f"CAST({arguments[0].sql} AS DOUBLE)"
    percentages = _percentages(arguments[1])
    if len(arguments) == 2:
        return f"percentile({value}, {percentages}){{after}}"
    times = f"coalesce(greatest(CAST({arguments[2].sql} AS BIGINT), 0L), 0L)"
    return f"percentile({value}, {percentages}, {times}){{after}}"


_DOUBLES = DataType("ARRAY", children=(("element", DOUBLE),))

# The result is cast to the type given here: AVG and SUM of integers stay integers in Flink.
AGGREGATE: dict[str, tuple[S, ...]] = {
    "COUNT": (
        S((), "count(*)", BIGINT),
        S(("any",), "count({distinct}{all})", BIGINT, variadic=True),
    ),
    "SUM": (
        S(("decimal",), "try_sum({distinct}{0})", _sum),
        S(("number",), "sum({distinct}{0})", _sum),
    ),
    "MIN": (S(("comparable",), "min({distinct}{0})", 0),),
    "MAX": (S(("comparable",), "max({distinct}{0})", 0),),
    "AVG": (
        S(("integer",), _INTEGER_AVERAGE, _average),
        S(("decimal",), _decimal_average, _average),
        S(("number",), "avg({distinct}{0})", _average),
    ),
    "STDDEV": _STDDEV_SAMP,
    "STDDEV_POP": _STDDEV_POP,
    "STDDEV_SAMP": _STDDEV_SAMP,
    "VARIANCE": _VAR_SAMP,
    "VAR_POP": _VAR_POP,
    "VAR_SAMP": _VAR_SAMP,
    "APPROX_COUNT_DISTINCT": (S(("comparable",), _ESTIMATE, BIGINT),),
    "ARRAY_AGG": (
        _arrays(("any",), _all),
        _arrays(("any", "ignore nulls"), _present),
    ),
    "COLLECT": (S(("any",), "penstock_multiset(collect_list({distinct}{0}){after})", _multiset),),
    "FIRST_VALUE": _one(("any",), "first", "min_by"),
    "LAST_VALUE": _one(("any",), "last", "max_by"),
    "LISTAGG": (_listed(("text",), "','"), _listed(("text", "literal text"), "{1}")),
    "PERCENTILE": (
        S(("number", "number"), _percentile, DOUBLE),
        S(("number", "number", "integer"), _percentile, DOUBLE),
        S(("number", "array"), _percentile, _DOUBLES),
        S(("number", "array", "integer"), _percentile, _DOUBLES),
    ),
    **JSON_AGGREGATE,
}
