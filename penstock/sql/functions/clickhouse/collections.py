"""ClickHouse's functions of arrays, maps and tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.number_casts import wrapped
from penstock.sql.clickhouse.numbers import (
    FLOAT64,
    FLOATS,
    INT64,
    INTEGERS,
    TRUTH,
    UINT32,
    UINT64,
    common_of,
    common_type,
)
from penstock.sql.clickhouse.types import NOTHING, array_of, default_sql, is_ordered
from penstock.sql.functions.clickhouse.base import COUNT, EACH, PLACE, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.sql.functions.clickhouse.base import Typed

_ALIKE = f"{EACH} -> {EACH} <=> {{1}}"


def element(array: Expr) -> DataType:
    """The type of an array's elements."""
    return array.type.children[0][1]


def sum_type(type_: DataType) -> DataType:
    """What a sum of this type is: 64 bits, or 38 digits."""
    if type_.root == "DECIMAL":
        return DataType("DECIMAL", 38, type_.scale, nullable=False)
    if type_.root in FLOATS:
        return FLOAT64
    signed = INTEGERS.get(type_.root, (8, False))[1]
    return INT64 if signed else UINT64


def _make(arguments: Sequence[Expr]) -> Expr | None:
    if not arguments:
        return Expr("array()", array_of(NOTHING))
    type_ = common_of([argument.type for argument in arguments])
    if type_ is None:
        return None
    texts = ", ".join(cast(argument, type_).sql for argument in arguments)
    return Expr(f"array({texts})", array_of(type_))


def _concat(arguments: Sequence[Expr]) -> Expr | None:
    type_ = common_of([argument.type for argument in arguments])
    if type_ is None:
        return None
    return Expr(f"concat({', '.join(cast(a, type_).sql for a in arguments)})", type_)


def _with_value(template: str, result: DataType | None = None) -> Callable[..., Expr | None]:
    """A template over an array and a value, both in their common type."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        array, value = arguments
        common = common_type(element(array), value.type)
        if common is None or (result and common.root in FLOATS and value.type.root in FLOATS):
            return None  # A NaN would be found in Spark.
        values = cast(array, array_of(common))
        sql = template.format(values.sql, cast(value, common).sql)
        return Expr(sql, result or array_of(common))

    return build


def _two(template: str, result: DataType | None = None) -> Callable[..., Expr | None]:
    """A template over two arrays in their common type."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        common = common_of([argument.type for argument in arguments])
        if common is None or common.children[0][1].root in FLOATS:
            return None  # A NaN would be found in Spark.
        if len({element(argument).nullable for argument in arguments}) > 1:
            return None  # ClickHouse takes NULL for 0 there.
        texts = (cast(argument, common).sql for argument in arguments)
        return Expr(template.format(*texts), result or common)

    return build


def _sum(arguments: Sequence[Expr]) -> Expr | None:
    array = arguments[0]
    if element(array).nullable:
        return None
    type_ = sum_type(element(array))
    name = "DECIMAL(38, 0)" if type_ == UINT64 else type_.spark_sql()
    step = f"(s, x) -> CAST(s + CAST(x AS {name}) AS {name})"
    total = f"aggregate({array.sql}, CAST(0 AS {name}), {step})"
    return Expr(wrapped(total, type_) if type_ == UINT64 else total, type_)


def _average(arguments: Sequence[Expr]) -> Expr | None:
    """Over no element it is 0; a Decimal's is cut by rules of its own."""
    array = arguments[0].sql
    if element(arguments[0]).root == "DECIMAL" or element(arguments[0]).nullable:
        return None
    total = f"aggregate({array}, 0D, (s, x) -> s + CAST(x AS DOUBLE))"
    return Expr(f"if(size({array}) = 0, 0D, {total} / size({array}))", FLOAT64)


def _extreme(function: str) -> Typed:
    """A NaN counts only if there is nothing else."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        type_, array = element(arguments[0]), arguments[0].sql
        if not is_ordered(type_):
            return None
        found = f"{function}({array})"
        if type_.root in FLOATS:
            found = f"coalesce({function}(filter({array}, x -> NOT isnan(x))), {found})"
        if type_.nullable:
            return Expr(found, type_)
        return Expr(f"coalesce({found}, {default_sql(type_)})", type_)

    return build


def _slice(arguments: Sequence[Expr]) -> Expr | None:
    """From a place that counts from 1, or from the end below 0; so does a length below 0."""
    array, start, *length = arguments
    if array.type.root == "NULL":
        return None
    size, begin = f"size({array.sql})", f"coalesce(CAST({start.sql} AS INT), 1)"
    low = f"if({begin} > 0, {begin} - 1, {size} + {begin})"
    count = f"CAST({length[0].sql} AS INT)" if length else "CAST(NULL AS INT)"
    high = f"coalesce(if({count} < 0, {size} + {count}, {low} + {count}), {size})"
    test = f"{begin} <> 0 AND {PLACE} >= {low} AND {PLACE} < {high}"
    return Expr(f"filter({array.sql}, ({EACH}, {PLACE}) -> {test})", array.type)


def _numbers(arguments: Sequence[Expr]) -> Expr | None:
    type_ = common_of([argument.type for argument in arguments])
    if type_ is None or type_.nullable:
        return None
    start, end = ("0", arguments[0].sql) if len(arguments) == 1 else (a.sql for a in arguments[:2])
    low, high = f"CAST({start} AS BIGINT)", f"CAST({end} AS BIGINT)"
    name = f"ARRAY<{type_.spark_sql()}>"
    found = f"CAST(sequence({low}, {high} - 1) AS {name})"
    return Expr(f"if({high} <= {low}, CAST(array() AS {name}), {found})", array_of(type_))


def _same_type(template: str, result: DataType | None = None) -> Callable[..., Expr | None]:
    """A template over two arrays of one type; a NaN would be found in Spark."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        first, second = arguments
        if first.type != second.type or element(first).root in FLOATS:
            return None
        return Expr(template.format(first.sql, second.sql), result or first.type)

    return build


def _map(arguments: Sequence[Expr]) -> Expr | None:
    if len(arguments) % 2:
        return None
    keys, values = (
        common_of([a.type for a in arguments[start::2]]) if arguments else NOTHING
        for start in (0, 1)
    )
    if keys is None or values is None:
        return None
    texts = [cast(a, (keys, values)[i % 2]).sql for i, a in enumerate(arguments)]
    type_ = DataType("MAP", children=(("key", keys), ("value", values)), nullable=False)
    return Expr(f"map({', '.join(texts)})", type_)


def _map_part(function: str, place: int) -> Callable[[Sequence[Expr]], Expr]:
    return lambda a: Expr(f"{function}({a[0].sql})", array_of(a[0].type.children[place][1]))


def _map_contains(arguments: Sequence[Expr]) -> Expr:
    key = arguments[0].type.children[0][1]
    return Expr(f"map_contains_key({arguments[0].sql}, {cast(arguments[1], key).sql})", TRUTH)


def _tuple(arguments: Sequence[Expr]) -> Expr:
    names = [str(position) for position in range(1, len(arguments) + 1)]
    parts = (f"'{name}', {value.sql}" for name, value in zip(names, arguments, strict=True))
    children = tuple(zip(names, (value.type for value in arguments), strict=True))
    type_ = DataType("ROW", children=children, nullable=False)
    return Expr(f"named_struct({', '.join(parts)})", type_)


def same_size(arrays: Sequence[Expr]) -> str:
    """The first array, if the others are as long."""
    first, *others = (array.sql for array in arrays)
    if not others:
        return first
    test = " AND ".join(f"size({first}) = size({other})" for other in others)
    return f"if({test}, {first}, raise_error('The arrays have different sizes.'))"


def _zip(arguments: Sequence[Expr]) -> Expr:
    names = [str(position) for position in range(1, len(arguments) + 1)]
    others = zip(names[1:], arguments[1:], strict=True)
    rest = "".join(f", '{name}', get({array.sql}, {PLACE})" for name, array in others)
    made = f"named_struct('1', {EACH}{rest})"
    sql = f"transform({same_size(arguments)}, ({EACH}, {PLACE}) -> {made})"
    row = DataType(
        "ROW",
        children=tuple(zip(names, (element(a) for a in arguments), strict=True)),
        nullable=False,
    )
    return Expr(sql, array_of(row))


def _flatten(arguments: Sequence[Expr]) -> Expr | None:
    sql, type_ = arguments[0].sql, arguments[0].type
    while element(Expr(sql, type_)).root == "ARRAY":
        sql, type_ = f"flatten({sql})", element(Expr(sql, type_))
    return Expr(sql, type_)


def _any_number(build: Typed, gives: str) -> tuple[S, ...]:
    """No argument, or any number of them."""
    return (
        S((), build, gives, lenient=True),
        S(("any",), build, gives, variadic=True, lenient=True),
    )


def _by_value(template: str, gives: str, type_: DataType | None = None) -> tuple[S, ...]:
    """A template over an array and a value."""
    return one(("array", "any"), _with_value(template, type_), gives, lenient=True)


_SAME = "The type of argument 1"
_COMMON = "An array of the common type"
COLLECTIONS: Table = {
    "array": _any_number(_make, _COMMON),
    "arrayConcat": one(("array",), _concat, "The common type", variadic=True),
    "arrayReverse": one(("array",), "reverse({0})", 0),
    "arraySlice": (
        S(("array", "integer"), _slice, _SAME, lenient=True),
        S(("array", "integer", "integer"), _slice, _SAME, lenient=True),
    ),
    "arrayPushBack": _by_value("array_append({0}, {1})", _COMMON),
    "arrayPushFront": _by_value("array_prepend({0}, {1})", _COMMON),
    "arrayPopBack": one(("array",), "slice({0}, 1, greatest(size({0}) - 1, 0))", 0),
    "arrayPopFront": one(
        ("array",), "if(size({0}) < 2, slice({0}, 1, 0), slice({0}, 2, size({0}) - 1))", 0
    ),
    "arraySum": one(("array of numbers",), _sum, "64 bits, or a Decimal of 38 digits"),
    "arrayAvg": one(("array of numbers",), _average, "Float64"),
    "arrayMin": one(("array",), _extreme("array_min"), "The type of the elements"),
    "arrayMax": one(("array",), _extreme("array_max"), "The type of the elements"),
    "arrayFlatten": one(("array",), _flatten, "An array of the innermost elements"),
    "arrayZip": one(("array",), _zip, "Array(Tuple)", variadic=True),
    "arrayIntersect": one(("array", "array"), _same_type("array_intersect({0}, {1})"), _SAME),
    "arrayEnumerate": one(
        ("array",),
        "CAST(if(size({0}) = 0, array(), sequence(1, size({0}))) AS ARRAY<BIGINT>)",
        array_of(UINT32),
    ),
    "has": _by_value(f"exists({{0}}, {_ALIKE})", "UInt8", TRUTH),
    "hasAll": one(("array", "array"), _two("(size(array_except({1}, {0})) = 0)", TRUTH), "UInt8"),
    "hasAny": one(
        ("array", "array"), _two("(size(array_intersect({0}, {1})) > 0)", TRUTH), "UInt8"
    ),
    "indexOf": _by_value(
        COUNT.format(f"array_position(transform({{0}}, {_ALIKE}), TRUE)"), "UInt64", UINT64
    ),
    "countEqual": _by_value(COUNT.format(f"size(filter({{0}}, {_ALIKE}))"), "UInt64", UINT64),
    "range": (
        S(("integer",), _numbers, "An array of the common type"),
        S(("integer", "integer"), _numbers, "An array of the common type"),
    ),
    "map": _any_number(_map, "Map of the common types"),
    "mapKeys": one(("map",), _map_part("map_keys", 0), "Array of the keys' type"),
    "mapValues": one(("map",), _map_part("map_values", 1), "Array of the values' type"),
    "mapContains": one(("map", "any"), _map_contains, "UInt8"),
    "tuple": one(("any",), _tuple, "Tuple", variadic=True, lenient=True),
}
