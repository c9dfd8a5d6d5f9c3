"""ClickHouse's aggregates with parameters: `quantiles(0.5, 0.9)(x)`, `topK(3)(x)` and their kind.

A call comes here as its arguments, then its parameters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.sql.clickhouse.dialect import PARAMETRIC
from penstock.sql.clickhouse.numbers import FLOAT64
from penstock.sql.clickhouse.text import enum_number
from penstock.sql.clickhouse.types import array_of, default_sql, is_ordered
from penstock.sql.functions.clickhouse.aggregates import (
    KEPT,
    NAN,
    as_double,
    conditional,
    exact,
    of_double,
    percentile,
)
from penstock.sql.functions.clickhouse.base import AFTER, Table, integer_of
from penstock.sql.functions.clickhouse.base import Signature as S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.sql.functions.clickhouse.base import Typed

_LEVEL = re.compile(r"CAST\('([0-9.eE-]+)' AS DOUBLE\)|([01])[SL]?")
_TOP = 10  # topK(x) is topK(10)(x)
_MORE_FIRST = (
    "(a, b) -> CASE WHEN a.value > b.value THEN -1 WHEN a.value < b.value THEN 1 "
    "WHEN {0} < {1} THEN -1 WHEN {0} > {1} THEN 1 ELSE 0 END"
)


def _levels(arguments: Sequence[Expr]) -> list[str]:
    for argument in arguments:
        found = _LEVEL.fullmatch(argument.sql)
        if not found or not 0 <= float(found[1] or found[2]) <= 1:
            raise PlanError(
                "INVALID_QUERY", problem="A level is a literal number from 0 to 1.", instead=""
            )
    return [argument.sql for argument in arguments]


def _number(arguments: Sequence[Expr]) -> int:
    count = integer_of(arguments[0].sql)
    if count is None or count < 1:
        raise PlanError(
            "INVALID_QUERY", problem="The parameter is a literal number from 1.", instead=""
        )
    return count


def _one_level(build: Typed) -> Typed:
    def checked(arguments: Sequence[Expr]) -> Expr | None:
        _levels(arguments[1:])
        return build(arguments)

    return checked


def _quantiles(arguments: Sequence[Expr]) -> Expr:
    value, *given = arguments
    levels = _levels(given)
    found = f"percentile({as_double(value)}, array({', '.join(levels)})){AFTER}"
    type_, nothing = FLOAT64, NAN
    if value.type.root in KEPT:
        type_ = value.type.as_nullable(nullable=False)
        found = f"transform({found}, x -> {of_double('x', type_)})"
        nothing = default_sql(type_)
    return Expr(f"coalesce({found}, array_repeat({nothing}, {len(levels)}))", array_of(type_))


def _quantiles_exact(arguments: Sequence[Expr]) -> Expr | None:
    """Over no row each of them is the default, where one alone is NaN."""
    value, *given = arguments
    some = Expr(value.sql, value.type.as_nullable())
    plain = value.type.as_nullable(nullable=False)
    each = (exact([some, Expr(level, FLOAT64)]).sql for level in _levels(given))
    found = ", ".join(f"coalesce({one}, {default_sql(plain)})" for one in each)
    return Expr(f"array({found})", array_of(plain))


def _most_frequent(arguments: Sequence[Expr]) -> Expr | None:
    """Counted exactly; of those that are as frequent the smaller come first."""
    value, count = arguments[0], _number(arguments[1:]) if len(arguments) > 1 else _TOP
    if not is_ordered(value.type) and not value.type.labels:
        return None
    places = ["a.key", "b.key"]
    if value.type.labels:
        places = [enum_number(Expr(place, value.type)) for place in places]
    counted = f"map_entries(penstock_multiset(collect_list({value.sql}){AFTER}))"
    keys = f"transform(array_sort({counted}, {_MORE_FIRST.format(*places)}), e -> e.key)"
    return _cut(keys, value, count)


def _cut(array: str, value: Expr, count: int) -> Expr:
    return Expr(f"slice({array}, 1, {count})", array_of(value.type.as_nullable(nullable=False)))


def _smallest(arguments: Sequence[Expr]) -> Expr | None:
    value = arguments[0]
    if not is_ordered(value.type):
        return None
    return _cut(f"sort_array(collect_list({value.sql}){AFTER})", value, _number(arguments[1:]))


def _some(function: str) -> Typed:
    def build(arguments: Sequence[Expr]) -> Expr:
        value = arguments[0]
        return _cut(f"{function}({value.sql}){AFTER}", value, _number(arguments[1:]))

    return build


_NUMERIC, _SAME = "number or moment", "The type of argument 1"
_BETWEEN = "Float64, a Decimal or a moment"
# name → the kind of its argument, what it is made of, what it gives, whether it has many parameters
_TABLE: dict[str, tuple[str, Typed, str, bool]] = {
    "quantile": (_NUMERIC, _one_level(percentile), f"{_BETWEEN}, over all values", False),
    "quantileExact": ("number", _one_level(exact), _SAME, False),
    "quantiles": (_NUMERIC, _quantiles, f"Array({_BETWEEN}), over all values", True),
    "quantilesExact": ("number", _quantiles_exact, "Array of the type of argument 1", True),
    "topK": ("any", _most_frequent, "Array, counted exactly", False),
    "groupArray": ("any", _some("collect_list"), "Array", False),
    "groupUniqArray": ("any", _some("collect_set"), "Array", False),
    "groupArraySorted": ("any", _smallest, "Array", False),
}


def _if(build: Typed) -> Typed:
    """The condition stands behind the argument, before the parameters."""

    def chosen(arguments: Sequence[Expr]) -> Expr | None:
        value, test, *parameters = arguments
        own = conditional(lambda values: build([*values, *parameters]))
        return own([value, test])

    return chosen


def _table() -> Table:
    table: Table = {}
    for name, (takes, build, gives, many) in _TABLE.items():
        plain = S((takes, "number"), build, gives, variadic=many, lenient=True)
        chosen = S((takes, "UInt8", "number"), _if(build), gives, variadic=many, lenient=True)
        table[f"{name}{PARAMETRIC}"] = (plain,)
        table[f"{name}If{PARAMETRIC}"] = (chosen,)
    table["topK"] = (S(("any",), _most_frequent, "Array, counted exactly", lenient=True),)
    table["topKIf"] = (
        S(("any", "UInt8"), _if(_most_frequent), "Array, counted exactly", lenient=True),
    )
    return table


PARAMETERS: Table = _table()
