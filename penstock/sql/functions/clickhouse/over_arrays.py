"""Aggregates with -Array and -ForEach, `arrayReduce`, and sumMap, minMap and maxMap.

-Array is over all elements of all rows, -ForEach over those at each place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.numbers import FLOAT64, UINT64, is_number
from penstock.sql.clickhouse.types import array_of, default_sql, is_ordered
from penstock.sql.functions.clickhouse.aggregates import conditional
from penstock.sql.functions.clickhouse.base import AFTER, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.collections import COLLECTIONS, element, sum_type
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.sql.functions.clickhouse.base import Typed

_LIST, _AT = "penstock_list", "penstock_at"


def _scalar(name: str) -> Typed:
    """What a function of arrays gives."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        for signature in COLLECTIONS[name]:
            if signature.matches(arguments):
                return signature.call(arguments)
        return None

    return build


def _size(array: str) -> str:
    return f"CAST(size({array}) AS DECIMAL(20, 0))"


def _average(arguments: Sequence[Expr]) -> Expr | None:
    found = _scalar("arrayAvg")(arguments)
    nan = "CAST('NaN' AS DOUBLE)"
    return found and Expr(f"if(size({arguments[0].sql}) = 0, {nan}, {found.sql})", FLOAT64)


def _picked(place: int) -> Typed:
    def build(arguments: Sequence[Expr]) -> Expr:
        type_ = element(arguments[0])
        found = f"try_element_at({arguments[0].sql}, {place})"
        return Expr(f"coalesce({found}, {default_sql(type_)})", type_)

    return build


# aggregate → what it is of the values of an array, none of them NULL
OF_ARRAY: dict[str, Typed] = {
    "any": _picked(1),
    "anyLast": _picked(-1),
    "avg": _average,
    "count": lambda a: Expr(_size(a[0].sql), UINT64),
    "groupArray": lambda a: a[0],
    "groupUniqArray": lambda a: Expr(f"array_distinct({a[0].sql})", a[0].type),
    "max": _scalar("arrayMax"),
    "min": _scalar("arrayMin"),
    "sum": _scalar("arraySum"),
    "uniq": lambda a: Expr(_size(f"array_distinct({a[0].sql})"), UINT64),
    "uniqExact": lambda a: Expr(_size(f"array_distinct({a[0].sql})"), UINT64),
}


def _over_all(name: str) -> Typed:
    def build(arguments: Sequence[Expr]) -> Expr | None:
        (array,) = arguments
        if element(array).nullable:
            return None
        return OF_ARRAY[name]([Expr(f"flatten(collect_list({array.sql}){AFTER})", array.type)])

    return build


def _at_each(name: str) -> Typed:
    """The aggregate of the elements at each place; a shorter array has none at the end."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        (array,) = arguments
        if element(array).nullable:
            return None
        lists = f"collect_list({array.sql}){AFTER}"
        long = f"filter({lists}, {_LIST} -> size({_LIST}) > {_AT})"
        column = f"transform({long}, {_LIST} -> get({_LIST}, {_AT}))"
        found = OF_ARRAY[name]([Expr(column, array.type)])
        if found is None:
            return None
        most = f"coalesce(array_max(transform({lists}, {_LIST} -> size({_LIST}))), 0)"
        places = f"filter(sequence(-1, {most} - 1), {_AT} -> {_AT} >= 0)"
        return Expr(f"transform({places}, {_AT} -> {found.sql})", array_of(found.type))

    return build


def _reduced(arguments: Sequence[Expr]) -> Expr | None:
    name, array = arguments
    build = OF_ARRAY.get(text_of(name.sql) or "")
    return None if build is None or element(array).nullable else build([array])


def _merged(how: str) -> Typed:
    """Keys and amounts, or a Tuple of both, or a Map."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        columns = _columns(arguments)
        if columns is None:
            return None
        keys, *amounts = columns
        if element(keys).nullable or not is_ordered(element(keys)):
            return None
        if any(element(a).nullable or not is_number(element(a)) for a in amounts):
            return None
        summed = [_promoted(one, how) for one in amounts]
        row = _row([keys, *summed])
        missing = f"CASE WHEN {keys.sql} IS NOT NULL THEN {row.sql} END"
        found = f"penstock_ch_merge_maps('{how}', collect_list({missing}){AFTER})"
        if arguments[0].type.root != "MAP":
            return Expr(found, row.type)
        pair = tuple(
            (n, element(c)) for n, c in zip(("key", "value"), (keys, *summed), strict=True)
        )
        type_ = DataType("MAP", children=pair, nullable=False)
        return Expr(f"map_from_arrays({found}.`1`, {found}.`2`)", type_)

    return build


def _columns(arguments: Sequence[Expr]) -> list[Expr] | None:
    first = arguments[0]
    if first.type.root == "MAP" and len(arguments) == 1:
        (_, key), (_, value) = first.type.children
        return [
            Expr(f"map_keys({first.sql})", array_of(key)),
            Expr(f"map_values({first.sql})", array_of(value)),
        ]
    given = list(arguments)
    if first.type.root == "ROW" and len(arguments) == 1:
        given = [Expr(f"{first.sql}.`{name}`", type_) for name, type_ in first.type.children]
    return given if len(given) > 1 and all(g.type.root == "ARRAY" for g in given) else None


def _promoted(amounts: Expr, how: str) -> Expr:
    if how in ("min", "max"):
        return amounts
    return cast(amounts, array_of(sum_type(element(amounts))))


def _row(columns: Sequence[Expr]) -> Expr:
    parts = (f"'{at}', {column.sql}" for at, column in enumerate(columns, 1))
    children = tuple((str(at), column.type) for at, column in enumerate(columns, 1))
    type_ = DataType("ROW", children=children, nullable=False)
    return Expr(f"named_struct({', '.join(parts)})", type_)


def _maps() -> Table:
    table: Table = {}
    for name, how in (("sumMap", "compact"), ("minMap", "min"), ("maxMap", "max")):
        build, gives = _merged(how), "Tuple of Array, or Map"
        table[name] = (
            S(("array", "array"), build, gives, variadic=True, lenient=True),
            S(("tuple",), build, gives, lenient=True),
            S(("map",), _merged(how.replace("compact", "sum")), gives, lenient=True),
        )
        table[f"{name}If"] = (
            S(("array", "array", "UInt8"), conditional(build), gives, lenient=True),
            S(
                ("map", "UInt8"),
                conditional(_merged(how.replace("compact", "sum"))),
                gives,
                lenient=True,
            ),
        )
    return table


def _table() -> Table:
    table: Table = {}
    for name in OF_ARRAY:
        for suffix, build in (("Array", _over_all(name)), ("ForEach", _at_each(name))):
            gives = f"What {name} gives" if suffix == "Array" else f"Array of what {name} gives"
            table[f"{name}{suffix}"] = (S(("array",), build, gives, lenient=True),)
            chosen = S(("array", "UInt8"), conditional(build), gives, lenient=True)
            table[f"{name}{suffix}If"] = (chosen,)
    return table


OVER_ARRAYS: Table = {**_table(), **_maps()}
REDUCED: Table = {
    "arrayReduce": one(("literal string", "array"), _reduced, "What the aggregate gives"),
}
