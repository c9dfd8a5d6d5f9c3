"""Flink's aggregate functions in Spark SQL, with Flink's result types.

A text has `{distinct}` where DISTINCT may stand and `{after}` behind each call, for FILTER or OVER;
an aggregate without `{distinct}` is refused with it. NULLs are passed over, except by ARRAY_AGG and
the JSON ones. `in_order` is for rows whose order is known: `{order}` is the column that has it.
"""

from __future__ import annotations

import re
from math import isqrt
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import BIGINT, DOUBLE, STRING, DataType
from penstock.sql.arithmetic import arithmetic
from penstock.sql.casts import cast
from penstock.sql.functions.base import Signature as S
from penstock.sql.functions.json_aggregate import JSON_AGGREGATE, ORDERED_ROWS, ROWS
from penstock.sql.time_text import bound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_INTEGER_AVERAGE = (
    "(sum({distinct}CAST({0} AS BIGINT)){after} div nullif(count({distinct}{0}){after}, 0))"
)
_BITS = {"TINYINT": 8, "SMALLINT": 16, "INT": 32, "BIGINT": 64}
_WIDE = DataType("DECIMAL", 19, 0)
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


def _deviation(*, sample: bool, root: bool) -> tuple[S, ...]:
    """A variance or deviation: of exact numbers in their own arithmetic, as Flink rewrites it."""
    name = "var_samp" if sample else "var_pop"

    def build(arguments: Sequence[Expr]) -> str:
        (value,) = arguments
        result = _average(arguments)
        found = Expr(f"{name}({{distinct}}CAST({value.sql} AS DOUBLE)){{after}}", DOUBLE)
        if value.type.is_integer:
            found = Expr(_whole_spread(value, found.sql, sample=sample), DOUBLE)
        elif value.type.root == "DECIMAL":
            found = _spread(Expr(cast(value.sql, value.type, result), result), sample=sample)
        if root:
            found = Expr(f"penstock_power(CAST({found.sql} AS DOUBLE), 0.5D)", DOUBLE)
        return cast(found.sql, found.type, result)

    return (S(("number",), build, _average),)


def _whole_spread(value: Expr, real: str, *, sample: bool) -> str:
    """The spread in whole numbers while the squares fit the type; Flink's would wrap after that."""
    wide = Expr(f"CAST({value.sql} AS DECIMAL(19, 0))", _WIDE)
    total, squares = _total(wide).sql, _total(_step("*", wide, wide)).sql
    largest = 2 ** (_BITS[value.type.root] - 1) - 1
    fits = f"abs({total}) <= {isqrt(largest)} AND {squares} <= {largest}"
    count = f"count({{distinct}}{value.sql}){{after}}"
    mean = f"CAST({total} AS BIGINT) * CAST({total} AS BIGINT) div {count}"
    parts = f"nullif({count} - 1L, 0L)" if sample else count
    whole = f"(CAST({squares} AS BIGINT) - {mean}) div {parts}"
    return f"CASE WHEN {fits} THEN CAST({whole} AS DOUBLE) ELSE {real} END"


def _spread(value: Expr, *, sample: bool) -> Expr:
    """`(sum(x * x) - sum(x) * sum(x) / n) / n`, each step rounded to its type."""
    total = _total(value)
    count = Expr(f"nullif(count({{distinct}}{value.sql}){{after}}, 0L)", BIGINT)
    parts = Expr(f"nullif({count.sql} - 1L, 0L)", BIGINT) if sample else count
    mean = _step("/", _step("*", total, total), count)
    return _step("/", _step("-", _total(_step("*", value, value)), mean), parts)


def _total(value: Expr) -> Expr:
    type_ = _sum((value,))
    return Expr(f"CAST(try_sum({{distinct}}{value.sql}){{after}} AS {type_.spark_sql()})", type_)


def _step(operator: str, left: Expr, right: Expr) -> Expr:
    found = arithmetic(operator, left, right)
    assert found is not None  # noqa: S101 — it is defined for all exact numbers
    return found


_VAR_POP, _VAR_SAMP = _deviation(sample=False, root=False), _deviation(sample=True, root=False)
_STDDEV_POP = _deviation(sample=False, root=True)
_STDDEV_SAMP = _deviation(sample=True, root=True)


def _array(arguments: Sequence[Expr]) -> DataType:
    """An array of the type of argument 1."""
    return DataType("ARRAY", children=(("element", arguments[0].type.as_nullable()),))


def _multiset(arguments: Sequence[Expr]) -> DataType:
    """A multiset of the type of argument 1."""
    return DataType("MULTISET", children=(("element", arguments[0].type),), nullable=False)


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
