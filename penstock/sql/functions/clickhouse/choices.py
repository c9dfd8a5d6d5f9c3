"""ClickHouse's `transform`, `clamp` and other functions that choose by a value, and `throwIf`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.numbers import TRUTH, UINT8, common_of
from penstock.sql.clickhouse.types import array_of
from penstock.sql.functions.clickhouse.base import EACH, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.conditions import truth_sql
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_THROWN = "Value passed to 'throwIf' function is non-zero"


def _transform(arguments: Sequence[Expr]) -> Expr | None:
    """The element of the third array at the place where the second has the value."""
    value, known, others, *default = arguments
    key = common_of([value.type, known.type.children[0][1]])
    result = common_of([others.type.children[0][1], (default or [value])[0].type])
    if key is None or result is None or key.root in ("FLOAT", "DOUBLE"):
        return None
    keys = cast(known, array_of(key)).sql
    found = cast(others, array_of(result)).sql
    other = cast((default or [value])[0], result).sql
    same = f"{EACH} <=> {cast(value, key).sql}"
    place = f"array_position(transform({keys}, {EACH} -> {same}), TRUE)"
    return Expr(f"if({place} = 0, {other}, get({found}, CAST({place} AS INT) - 1))", result)


def _clamp(arguments: Sequence[Expr]) -> Expr | None:
    type_ = common_of([argument.type for argument in arguments])
    if type_ is None or type_.children or type_.labels:
        return None
    value, low, high = (cast(argument, type_).sql for argument in arguments)
    problem = literal("The minimum of clamp is greater than the maximum.")
    found = f"CASE WHEN {low} > {high} THEN raise_error({problem}) WHEN {value} < {low} THEN {low}"
    return Expr(f"{found} WHEN {value} > {high} THEN {high} ELSE {value} END", type_)


def _alike(template: str) -> tuple[S, ...]:
    def build(arguments: Sequence[Expr]) -> Expr | None:
        type_ = common_of([argument.type for argument in arguments])
        if type_ is None or type_.root in ("FLOAT", "DOUBLE"):
            return None
        texts = (cast(argument, type_).sql for argument in arguments)
        return Expr(template.format(*texts), TRUTH)

    return one(("any", "any"), build, "UInt8", lenient=True)


def _throw(arguments: Sequence[Expr]) -> Expr:
    test, *message = arguments
    problem = literal((text_of(message[0].sql) if message else None) or _THROWN)
    return Expr(f"CAST(if({truth_sql(test)}, raise_error({problem}), 0) AS SMALLINT)", UINT8)


_COMMON = "The common type of the results"
CHOICES: Table = {
    "transform": (
        S(("any", "array", "array"), _transform, _COMMON, lenient=True),
        S(("any", "array", "array", "any"), _transform, _COMMON, lenient=True),
    ),
    "clamp": one(("any", "any", "any"), _clamp, "The common type"),
    "isDistinctFrom": _alike("(NOT {0} <=> {1})"),
    "isNotDistinctFrom": _alike("({0} <=> {1})"),
    "throwIf": (
        S(("condition",), _throw, "UInt8", lenient=True),
        S(("condition", "literal string"), _throw, "UInt8", lenient=True),
    ),
    "ignore": one(("any",), "0S", UINT8, variadic=True, lenient=True),
}
