"""JSON_ARRAYAGG and JSON_OBJECTAGG, and the lists of values that aggregates are made of.

The grammar adds a literal as the last argument, which says whether NULLs are written. The keys of
an object are written in their order, since Flink writes them in none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import STRING, literal
from penstock.sql.functions.base import Signature as S
from penstock.sql.json_path import clauses_text
from penstock.sql.time_text import bound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.expression import Expr

# The values of a group as an array, NULLs among them: in any order, or in the one that is known.
ROWS = "transform(collect_list({distinct}named_struct('v', {0})){after}, e -> e.v)"
ORDERED_ROWS = (
    "{distinct_array}(transform(array_sort("
    "collect_list(named_struct('o', {order}, 'v', {0})){after}), e -> e.v))"
)

# Calls whose result is JSON already, and is written into another one as it is.
_NESTED = ("penstock_json_object(", "penstock_json_array(", "penstock_json(")
_WRITTEN = STRING.as_nullable(nullable=False)
_TWICE = "A key of JSON_OBJECTAGG stands twice, or is NULL; each must be there once."


def _json(value: Expr) -> str:
    """The value as JSON text, NULL if it is NULL."""
    if value.sql.startswith(_NESTED):
        return value.sql
    clauses = literal(clauses_text({"nulls": True, "raw": []}))
    return f"penstock_json_string({clauses}, named_struct('v', {value.sql}))"


def _array(rows: str) -> Callable[[Sequence[Expr]], str]:
    def build(arguments: Sequence[Expr]) -> str:
        item, nulls = arguments
        values = rows.replace("{0}", _json(item))
        joined = "array_join({0}, ',', 'null')" if nulls.sql == "TRUE" else "array_join({0}, ',')"
        return f"concat('[', {joined.replace('{0}', values)}, ']')"

    return build


def _object(arguments: Sequence[Expr]) -> str:
    key, value, nulls = arguments
    entry = f"named_struct('k', {key.sql}, 'v', {_json(value)})"
    if nulls.sql == "FALSE":
        entry = f"if(({value.sql}) IS NULL, NULL, {entry})"
    quoted = _json(type(key)("e.k", STRING))
    pairs = f"transform(l, e -> concat({quoted}, ':', coalesce(e.v, 'null')))"
    written = f"concat('{{', array_join({pairs}, ','), '}}')"
    keys = "filter(array_distinct(transform(l, e -> e.k)), k -> k IS NOT NULL)"
    checked = f"if(size({keys}) < size(l), raise_error({literal(_TWICE)}), {written})"
    return bound("l", f"array_sort(collect_list({entry}){{after}})", checked)


JSON_AGGREGATE: dict[str, tuple[S, ...]] = {
    "JSON_ARRAYAGG": (
        S(("any", "on null"), _array(ROWS), _WRITTEN, in_order=_array(ORDERED_ROWS)),
    ),
    "JSON_OBJECTAGG": (S(("text", "any", "on null"), _object, _WRITTEN),),
}
