"""ClickHouse's functions of maps, beside those that make one and take it apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.number_casts import wrapped
from penstock.sql.clickhouse.numbers import TRUTH, common_of, is_number
from penstock.sql.clickhouse.types import array_of
from penstock.sql.functions.clickhouse.base import EACH, Table, one
from penstock.sql.functions.clickhouse.collections import element, sum_type
from penstock.sql.functions.clickhouse.patterns import like_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def map_of(key: DataType, value: DataType) -> DataType:
    """`Map(key, value)`."""
    return DataType("MAP", children=(("key", key), ("value", value)), nullable=False)


def _from_arrays(arguments: Sequence[Expr]) -> Expr | None:
    keys, values = arguments
    if element(keys).nullable:
        return None
    return Expr(
        f"map_from_arrays({keys.sql}, {values.sql})", map_of(element(keys), element(values))
    )


def _updated(arguments: Sequence[Expr]) -> Expr | None:
    """What the first map has and the second lacks, then the second."""
    type_ = common_of([argument.type for argument in arguments])
    if type_ is None:
        return None
    old, new = (cast(argument, type_).sql for argument in arguments)
    kept = f"filter(map_entries({old}), {EACH} -> NOT map_contains_key({new}, {EACH}.key))"
    return Expr(f"map_from_entries(concat({kept}, map_entries({new})))", type_)


def _added(sign: str) -> Callable[[Sequence[Expr]], Expr | None]:
    """By their keys, in the order of these."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        first, second = arguments
        (_, key), (_, value) = first.type.children
        if first.type != second.type or not is_number(value) or value.nullable:
            return None
        total = sum_type(value)
        rows = []
        for one_, own in ((first, ""), (second, sign)):
            values = cast(Expr(f"map_values({one_.sql})", array_of(value)), array_of(total)).sql
            less = wrapped("- v", total) if total.root == "UINT64" else "- v"
            values = f"transform({values}, v -> {less})" if own else values
            rows.append(f"named_struct('k', map_keys({one_.sql}), 'v', {values})")
        found = f"penstock_ch_merge_maps('sum', array({', '.join(rows)}))"
        return Expr(f"map_from_arrays({found}.k, {found}.v)", map_of(key, total))

    return build


def _like(template: str, part: str, type_: DataType | None = None) -> Callable[..., Expr | None]:
    """A template with a test of keys or values by a pattern of LIKE."""
    place = 0 if part == "k" else 1

    def build(arguments: Sequence[Expr]) -> Expr | None:
        mapping, pattern = arguments
        if mapping.type.children[place][1].root != "VARCHAR":
            return None
        test = f"{part} LIKE {like_pattern(pattern.sql)}"
        return Expr(template.format(mapping.sql, test), type_ or mapping.type)

    return build


def _has_value(arguments: Sequence[Expr]) -> Expr:
    value = arguments[0].type.children[1][1]
    test = f"{EACH} <=> {cast(arguments[1], value).sql}"
    return Expr(f"exists(map_values({arguments[0].sql}), {EACH} -> {test})", TRUTH)


_ANY_KEY, _ANY_VALUE = "exists(map_keys({0}), k -> {1})", "exists(map_values({0}), v -> {1})"
_CHOSEN = "map_filter({0}, (k, v) -> {1})"
_PATTERN = ("map", "literal string")
MAPS: Table = {
    "mapFromArrays": one(("array", "array"), _from_arrays, "Map"),
    "mapUpdate": one(("map", "map"), _updated, "The common type"),
    "mapAdd": one(("map", "map"), _added(""), "Map of sums of 64 bits"),
    "mapSubtract": one(("map", "map"), _added("-"), "Map of differences of 64 bits"),
    "mapContainsKeyLike": one(_PATTERN, _like(_ANY_KEY, "k", TRUTH), "UInt8"),
    "mapContainsValueLike": one(_PATTERN, _like(_ANY_VALUE, "v", TRUTH), "UInt8"),
    "mapExtractKeyLike": one(_PATTERN, _like(_CHOSEN, "k"), "The type of argument 1"),
    "mapExtractValueLike": one(_PATTERN, _like(_CHOSEN, "v"), "The type of argument 1"),
    "mapContainsValue": one(("map", "any"), _has_value, "UInt8"),
}
