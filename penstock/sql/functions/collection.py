"""Flink's functions of arrays and maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import BOOLEAN, INT, STRING, DataType, literal
from penstock.sql.casts import cast
from penstock.sql.functions.base import Signature as S
from penstock.sql.functions.base import common
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.expression import Expr

_ONE_ELEMENT = "ELEMENT takes an array of one element at most."


def _element(arguments: Sequence[Expr]) -> DataType:
    """The element type of argument 1."""
    return arguments[0].type.children[0][1].as_nullable()


def _array_of(child: DataType) -> DataType:
    return DataType("ARRAY", children=(("element", child),))


def _keys(arguments: Sequence[Expr]) -> DataType:
    """An array of the map's key type."""
    return _array_of(arguments[0].type.children[0][1])


def _values(arguments: Sequence[Expr]) -> DataType:
    """An array of the map's value type."""
    return _array_of(arguments[0].type.children[1][1])


def _entries(arguments: Sequence[Expr]) -> DataType:
    """An array of rows of `key` and `value`."""
    return _array_of(DataType("ROW", children=arguments[0].type.children))


def _beside(arguments: Sequence[Expr]) -> DataType | None:
    """The type of argument 1."""
    array, value = arguments
    return array.type.as_nullable() if _element(arguments).accepts(value.type) else None


def _search(template: str) -> Callable[[Sequence[Expr]], str]:
    """A template over the array and a value in the type of its elements."""

    def build(arguments: Sequence[Expr]) -> str:
        array, value = arguments
        return template.format(array.sql, cast(value.sql, value.type, _element(arguments)))

    return build


def _searched(result: DataType) -> Callable[[Sequence[Expr]], DataType | None]:
    def rule(arguments: Sequence[Expr]) -> DataType | None:
        return result if _beside(arguments) else None

    rule.__doc__ = f"{result}."
    return rule


def _slice(arguments: Sequence[Expr]) -> str:
    """Both ends count from 1, or from the end if negative; 0 is the first element."""
    array, start = arguments[0].sql, arguments[1].sql
    size = f"size({array})"
    end = arguments[2].sql if len(arguments) > 2 else size
    first = f"greatest(1, if({start} < 0, {size} + 1 + {start}, {start}))"
    # Held at -1, where nothing is left: below it the count could overflow.
    last = f"if({end} < 0, greatest({size} + 1 + {end}, -1), {end})"
    last = f"if({last} = 0, 1, least({last}, {size}))"
    count = f"greatest(0, {last} - {first} + 1)"
    given = " AND ".join(f"{argument.sql} IS NOT NULL" for argument in arguments)
    return f"CASE WHEN {given} THEN slice({array}, {first}, {count}) END"


def _sorted(arguments: Sequence[Expr]) -> str:
    """NULLs come first in ascending order, last in descending one, unless told otherwise."""
    array, ascending = arguments[0].sql, arguments[1].sql
    first = arguments[2].sql if len(arguments) > 2 else ascending
    nulls = f"filter({array}, x -> x IS NULL)"
    values = f"sort_array(filter({array}, x -> x IS NOT NULL))"
    ordered = f"if({ascending}, {values}, reverse({values}))"
    given = f"{ascending} IS NOT NULL AND {first} IS NOT NULL"
    both = f"if({first}, concat({nulls}, {ordered}), concat({ordered}, {nulls}))"
    return f"CASE WHEN {given} THEN {both} END"


def _paired(arguments: Sequence[Expr]) -> DataType:
    """A map of the element types."""
    keys, values = (argument.type.children[0][1] for argument in arguments)
    return DataType("MAP", children=(("key", keys), ("value", values)))


def _union(arguments: Sequence[Expr]) -> str:
    """The last map that has a key gives its value."""
    union = arguments[0].sql
    for argument in arguments[1:]:
        newer = argument.sql
        # No column of the user has the names of the parameters.
        test = f"NOT map_contains_key({newer}, penstock_k)"
        older = f"map_filter({union}, (penstock_k, penstock_v) -> {test})"
        union = f"map_concat({newer}, {older})"
    return union


def _text_to_map(arguments: Sequence[Expr]) -> str:
    """Like Java's split, Flink drops the empty pieces at the end; Spark's keeps them."""
    text = arguments[0].sql
    between, inside = (a.sql for a in arguments[1:]) if len(arguments) > 1 else ("','", "'='")
    end = literal(f"(?:{text_of(between)})+\\z")
    pieces = f"regexp_replace({text}, {end}, '')"
    none = "CAST(map() AS MAP<STRING, STRING>)"
    return f"if({pieces} = '', {none}, str_to_map({pieces}, {between}, {inside}))"


_TEXT_MAP = DataType("MAP", children=(("key", STRING), ("value", STRING)))
_CONTAINS = (
    "CASE WHEN {1} IS NULL THEN exists({0}, x -> x IS NULL) "
    "WHEN {0} IS NOT NULL THEN coalesce(array_contains({0}, {1}), FALSE) END"
)
_REMOVE = "if({1} IS NULL, filter({0}, x -> x IS NOT NULL), array_remove({0}, {1}))"

COLLECTION: dict[str, tuple[S, ...]] = {
    "ARRAY_APPEND": (S(("array", "any"), _search("array_append({0}, {1})"), _beside),),
    "ARRAY_CONCAT": (S(("array",), "concat({all})", common, variadic=True),),
    "ARRAY_CONTAINS": (S(("array", "any"), _search(_CONTAINS), _searched(BOOLEAN)),),
    "ARRAY_DISTINCT": (S(("array",), "array_distinct({0})", 0),),
    "ARRAY_EXCEPT": (S(("array", "array"), "array_except({0}, {1})", common),),
    "ARRAY_INTERSECT": (S(("array", "array"), "array_intersect({0}, {1})", common),),
    "ARRAY_JOIN": (
        S(("array of text", "text"), "array_join({0}, {1})", STRING),
        S(("array of text", "text", "text"), "array_join({0}, {1}, {2})", STRING),
    ),
    "ARRAY_MAX": (S(("array",), "array_max({0})", _element),),
    "ARRAY_MIN": (S(("array",), "array_min({0})", _element),),
    "ARRAY_POSITION": (
        S(("array", "any"), _search("CAST(array_position({0}, {1}) AS INT)"), _searched(INT)),
    ),
    "ARRAY_PREPEND": (S(("array", "any"), _search("array_prepend({0}, {1})"), _beside),),
    "ARRAY_REMOVE": (S(("array", "any"), _search(_REMOVE), _beside),),
    "ARRAY_REVERSE": (S(("array",), "reverse({0})", 0),),
    "ARRAY_SLICE": (
        S(("array", "int"), _slice, 0),
        S(("array", "int", "int"), _slice, 0),
    ),
    "ARRAY_SORT": (
        S(("array",), "sort_array({0})", 0),
        S(("array", "boolean"), _sorted, 0),
        S(("array", "boolean", "boolean"), _sorted, 0),
    ),
    "ARRAY_UNION": (S(("array", "array"), "array_union({0}, {1})", common),),
    "CARDINALITY": (S(("list",), "size({0})", INT),),
    "ELEMENT": (
        S(
            ("array",),
            f"if(size({{0}}) > 1, raise_error('{_ONE_ELEMENT}'), get({{0}}, 0))",
            _element,
        ),
    ),
    "MAP_ENTRIES": (S(("map",), "map_entries({0})", _entries),),
    "MAP_FROM_ARRAYS": (S(("array", "array"), "map_from_arrays({0}, {1})", _paired),),
    "MAP_KEYS": (S(("map",), "map_keys({0})", _keys),),
    "MAP_UNION": (S(("map",), _union, common, variadic=True),),
    "MAP_VALUES": (S(("map",), "map_values({0})", _values),),
    "SPLIT": (S(("text", "text"), "penstock_split({0}, {1})", _array_of(STRING)),),
    "STR_TO_MAP": (
        S(("text",), _text_to_map, _TEXT_MAP),
        S(("text", "literal text", "literal text"), _text_to_map, _TEXT_MAP),
    ),
}
