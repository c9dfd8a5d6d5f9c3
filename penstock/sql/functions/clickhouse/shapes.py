"""ClickHouse's functions that turn, shift and compare arrays, and those of tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType, literal
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.numbers import FLOAT64, FLOATS, TRUTH, UINT32, arithmetic, common_type
from penstock.sql.clickhouse.types import array_of, default_sql
from penstock.sql.functions.clickhouse.base import EACH, PLACE, STRING, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.collections import element

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SAME = "The type of argument 1"


def _turned(sign: str) -> Callable[[Sequence[Expr]], Expr]:
    """So many elements go from one end to the other."""

    def build(arguments: Sequence[Expr]) -> Expr:
        array, count = arguments[0].sql, f"CAST({arguments[1].sql} AS BIGINT)"
        place = f"CAST(pmod({PLACE} {sign} {count}, size({array})) AS INT)"
        return Expr(
            f"transform({array}, ({EACH}, {PLACE}) -> get({array}, {place}))", arguments[0].type
        )

    return build


def _shifted(sign: str) -> Callable[[Sequence[Expr]], Expr | None]:
    """So many elements fall off one end; the other is filled."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        array, count, *filling = arguments
        type_ = common_type(element(array), filling[0].type) if filling else element(array)
        if type_ is None:
            return None
        own = cast(array, array_of(type_)).sql
        other = cast(filling[0], type_).sql if filling else default_sql(type_)
        place = f"({PLACE} {sign} CAST({count.sql} AS BIGINT))"
        known = f"{place} >= 0 AND {place} < size({own})"
        found = f"if({known}, get({own}, CAST({place} AS INT)), {other})"
        return Expr(f"transform({own}, ({EACH}, {PLACE}) -> {found})", array_of(type_))

    return build


def _single(arguments: Sequence[Expr]) -> Expr:
    array = arguments[0]
    return Expr(
        f"if(size({array.sql}) = 0, array({default_sql(element(array))}), {array.sql})", array.type
    )


def _nth_of_its_kind(arguments: Sequence[Expr]) -> str:
    array = arguments[0].sql
    before = f"slice({array}, 1, {PLACE} + 1)"
    count = f"CAST(size(filter({before}, y -> y <=> {EACH})) AS BIGINT)"
    return f"transform({array}, ({EACH}, {PLACE}) -> {count})"


def _kind(arguments: Sequence[Expr]) -> str:
    array = arguments[0].sql
    place = f"array_position(transform(array_distinct({array}), y -> y <=> {EACH}), TRUE)"
    return f"transform({array}, {EACH} -> {place})"


def _plain(build: Callable[[Sequence[Expr]], str]) -> Callable[[Sequence[Expr]], Expr | None]:
    """A NaN is told apart from another one in ClickHouse."""

    def built(arguments: Sequence[Expr]) -> Expr | None:
        if element(arguments[0]).root in FLOATS:
            return None
        return Expr(build(arguments), array_of(UINT32))

    return built


def _shared(arguments: Sequence[Expr]) -> Expr | None:
    """How many of all elements both arrays have."""
    a, b = arguments
    if a.type != b.type or element(a).root in FLOATS:
        return None
    both, all_ = (f"size(array_{word}({a.sql}, {b.sql}))" for word in ("intersect", "union"))
    nothing = "CAST('NaN' AS DOUBLE)"
    return Expr(f"if({all_} = 0, {nothing}, CAST({both} AS DOUBLE) / {all_})", FLOAT64)


def _contains(arguments: Sequence[Expr]) -> Expr | None:
    """Whether the second array stands in the first, its elements side by side."""
    type_ = common_type(arguments[0].type, arguments[1].type)
    mixed = len({element(argument).nullable for argument in arguments}) > 1
    if type_ is None or type_.children[0][1].root in FLOATS or mixed:
        return None
    a, b = (cast(argument, type_) for argument in arguments)
    places = f"sequence(0, size({a.sql}) - size({b.sql}))"
    here = f"slice({a.sql}, {PLACE} + 1, size({b.sql})) = {b.sql}"
    return Expr(
        f"if(size({b.sql}) > size({a.sql}), FALSE, exists({places}, {PLACE} -> {here}))", TRUTH
    )


def _row(values: Sequence[tuple[str, Expr]]) -> Expr:
    parts = (f"{literal(name)}, {value.sql}" for name, value in values)
    children = tuple((name, value.type) for name, value in values)
    return Expr(
        f"named_struct({', '.join(parts)})", DataType("ROW", children=children, nullable=False)
    )


def _fields(value: Expr) -> list[Expr]:
    return [Expr(f"{value.sql}.`{name}`", type_) for name, type_ in value.type.children]


def _numbered(values: Sequence[Expr]) -> Expr:
    return _row([(str(at), value) for at, value in enumerate(values, 1)])


def _joined(arguments: Sequence[Expr]) -> Expr:
    return _numbered([field for argument in arguments for field in _fields(argument)])


def _by_place(operator: str) -> Callable[[Sequence[Expr]], Expr | None]:
    """`+`, `-`, `*`, `/` of the fields of two tuples, or of one and a number."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        left = _fields(arguments[0])
        is_row = arguments[1].type.root == "ROW"
        right = _fields(arguments[1]) if is_row else [arguments[1]] * len(left)
        if len(left) != len(right):
            return None
        found = [arithmetic(operator, *pair) for pair in zip(left, right, strict=True)]
        known = [one_ for one_ in found if one_]
        return _numbered(known) if len(known) == len(left) else None

    return build


def _names(arguments: Sequence[Expr]) -> str:
    return f"array({', '.join(literal(name) for name, _ in arguments[0].type.children)})"


def _operations() -> Table:
    table: Table = {}
    words = {"Plus": "+", "Minus": "-", "Multiply": "*", "Divide": "/"}
    for word, operator in words.items():
        build, gives = _by_place(operator), "Tuple"
        table[f"tuple{word}"] = one(("tuple", "tuple"), build, gives)
        if operator in "*/":
            table[f"tuple{word}ByNumber"] = one(("tuple", "number"), build, gives)
    return table


def _both_ends(left: str, right: str, build: Callable[[str], Callable[..., Expr | None]]) -> Table:
    takes = ("array", "integer")
    return {
        name: (
            S(takes, build(sign), _SAME),
            *((S((*takes, "any"), build(sign), "Array", lenient=True),) if "Shift" in name else ()),
        )
        for name, sign in ((left, "+"), (right, "-"))
    }


SHAPES: Table = {
    **_both_ends("arrayRotateLeft", "arrayRotateRight", _turned),
    **_both_ends("arrayShiftLeft", "arrayShiftRight", _shifted),
    "emptyArrayToSingle": one(("array",), _single, _SAME),
    "arrayEnumerateUniq": one(("array",), _plain(_nth_of_its_kind), "Array(UInt32)"),
    "arrayEnumerateDense": one(("array",), _plain(_kind), "Array(UInt32)"),
    "arrayJaccardIndex": one(("array", "array"), _shared, "Float64"),
    "hasSubstr": one(("array", "array"), _contains, "UInt8"),
    "tupleConcat": one(("tuple",), _joined, "Tuple", variadic=True),
    "tupleNames": one(("tuple",), _names, array_of(STRING)),
    **_operations(),
}
