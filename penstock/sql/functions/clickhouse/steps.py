"""ClickHouse's functions of arrays that go from element to element, or change their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.number_casts import wrapped
from penstock.sql.clickhouse.numbers import FLOAT64, FLOATS, UINT32, UINT64, arithmetic, common_type
from penstock.sql.clickhouse.types import array_of, default_sql
from penstock.sql.functions.clickhouse.base import EACH, PLACE, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.collections import element, sum_type

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOO_FEW = literal("An array has no fewer than 0 elements.")


def _running_sum(arguments: Sequence[Expr]) -> Expr | None:
    array = arguments[0]
    if element(array).nullable:
        return None
    type_ = sum_type(element(array))
    name = type_.spark_sql()
    last = f"coalesce(get(s, size(s) - 1), {default_sql(type_)})"
    found = f"({last} + CAST(x AS {name}))"
    total = wrapped(found, type_) if type_ == UINT64 else f"CAST({found} AS {name})"
    step = f"(s, x) -> array_append(s, {total})"
    start = f"CAST(array() AS ARRAY<{name}>)"
    return Expr(f"aggregate({array.sql}, {start}, {step})", array_of(type_))


def _differences(arguments: Sequence[Expr]) -> Expr | None:
    """Of each element and the one before it; 0 at the start."""
    array, type_ = arguments[0], element(arguments[0])
    if type_.nullable or type_.root == "DECIMAL":
        return None
    found = arithmetic("-", Expr(EACH, type_), Expr(f"get({array.sql}, {PLACE} - 1)", type_))
    if found is None:
        return None
    step = f"if({PLACE} = 0, {default_sql(found.type)}, {found.sql})"
    return Expr(f"transform({array.sql}, ({EACH}, {PLACE}) -> {step})", array_of(found.type))


def _product(arguments: Sequence[Expr]) -> Expr | None:
    array = arguments[0]
    if element(array).nullable or element(array).root == "DECIMAL":
        return None
    product = f"aggregate({array.sql}, 1D, (s, x) -> s * CAST(x AS DOUBLE))"
    return Expr(f"if(size({array.sql}) = 0, 0D, {product})", FLOAT64)


def _compact(arguments: Sequence[Expr]) -> Expr | None:
    """A NaN is another one than the NaN before it."""
    array = arguments[0]
    if element(array).root in FLOATS:
        return None
    same = f"{EACH} <=> get({array.sql}, {PLACE} - 1)"
    kept = f"({EACH}, {PLACE}) -> {PLACE} = 0 OR NOT ({same})"
    return Expr(f"filter({array.sql}, {kept})", array.type)


def _resized(arguments: Sequence[Expr]) -> Expr | None:
    """To so many elements; below 0, those at the end stay and the start is filled."""
    array, size, *filling = arguments
    type_ = element(array)
    if filling:
        common = common_type(type_, filling[0].type)
        if common is None:
            return None
        array, type_ = cast(array, array_of(common)), common
    value = cast(filling[0], type_).sql if filling else default_sql(type_)
    count, own = f"CAST({size.sql} AS INT)", f"size({array.sql})"
    missing = f"array_repeat({value}, greatest(0, abs({count}) - {own}))"
    kept = f"least({own}, abs({count}))"
    behind = f"concat(slice({array.sql}, 1, {kept}), {missing})"
    before = f"concat({missing}, slice({array.sql}, greatest(1, {own} - {kept} + 1), {kept}))"
    return Expr(f"if({count} >= 0, {behind}, {before})", array_of(type_))


def _repeated(arguments: Sequence[Expr]) -> Expr:
    count, value = arguments
    many = f"array_repeat({value.sql}, CAST({count.sql} AS INT))"
    return Expr(f"if({count.sql} < 0, raise_error({_TOO_FEW}), {many})", array_of(value.type))


def _distinct(arguments: Sequence[Expr]) -> Expr:
    """NULLs are left out."""
    kept = element(arguments[0]).as_nullable(nullable=False)
    return Expr(f"array_distinct(array_compact({arguments[0].sql}))", array_of(kept))


STEPS: Table = {
    "arrayDistinct": one(("array",), _distinct, "An array without NULLs"),
    "arrayUniq": one(("array",), "CAST(size(array_distinct({0})) AS BIGINT)", UINT32),
    "arrayCumSum": one(("array of numbers",), _running_sum, "Array of 64 bits or 38 digits"),
    "arrayDifference": one(("array of numbers",), _differences, "Array of the type of `-`"),
    "arrayProduct": one(("array of numbers",), _product, "Float64"),
    "arrayCompact": one(("array",), _compact, "The type of argument 1"),
    "arrayResize": (
        S(("array", "integer"), _resized, "The type of argument 1"),
        S(("array", "integer", "any"), _resized, "An array of the common type", lenient=True),
    ),
    "arrayWithConstant": one(("integer", "any"), _repeated, "Array of argument 2", lenient=True),
}
