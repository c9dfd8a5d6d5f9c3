"""ClickHouse's functions that look for several texts at once, and more of regular expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.sql.clickhouse.numbers import TRUTH, UINT64
from penstock.sql.clickhouse.types import array_of
from penstock.sql.functions.clickhouse.base import EACH, STRING, Table, integer_of, one
from penstock.sql.functions.clickhouse.patterns import count_matches, groups, replace_first
from penstock.sql.functions.clickhouse.texts import find_bytes, lowered

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.types import DataType

_STRINGS = array_of(STRING)
# function → Spark SQL of the text and the needles, its type: `there` and `at` are of one of them
_SEARCHES: dict[str, tuple[str, DataType]] = {
    "multiSearchAny": ("exists({1}, {x} -> {there})", TRUTH),
    "multiSearchFirstIndex": (
        "CAST(array_position(transform({1}, {x} -> {there}), TRUE) AS DECIMAL(20, 0))",
        UINT64,
    ),
    "multiSearchFirstPosition": (
        "coalesce(array_min(filter(transform({1}, {x} -> {at}), p -> p > 0)), "
        "CAST(0 AS DECIMAL(20, 0)))",
        UINT64,
    ),
    "multiSearchAllPositions": ("transform({1}, {x} -> {at})", array_of(UINT64)),
}


def _search(
    form: str, type_: DataType, *, any_case: bool
) -> Callable[[Sequence[Expr]], Expr | None]:
    def build(arguments: Sequence[Expr]) -> Expr | None:
        text, needles = arguments
        if needles.type.children[0][1] != STRING:
            return None
        own, parts = text.sql, needles.sql
        if any_case:
            own, parts = lowered(own), f"transform({parts}, x -> {lowered('x')})"
        there = f"({own} <> '' AND contains({own}, {EACH}))"
        at = f"if({own} = '', CAST(0 AS DECIMAL(20, 0)), {find_bytes(own, EACH)})"
        sql = form.format(own, parts, x=EACH, there=there, at=at)
        return Expr(f"if({text.sql} IS NULL, NULL, {sql})" if text.type.nullable else sql, type_)

    return build


def _searches() -> Table:
    takes = ("String", "array of strings")
    table: Table = {}
    for name, (form, type_) in _SEARCHES.items():
        gives = (
            "Array(UInt64)" if type_.root == "ARRAY" else "UInt8" if type_ == TRUTH else "UInt64"
        )
        table[name] = one(takes, _search(form, type_, any_case=False), gives)
        any_case = _search(form, type_, any_case=True)
        table[f"{name}CaseInsensitive"] = one(takes, any_case, gives)
    return table


def _ngrams(arguments: Sequence[Expr]) -> str:
    """Parts of so many characters, from each character on."""
    text, size = arguments[0].sql, integer_of(arguments[1].sql) or 0
    if size < 1:
        raise PlanError("INVALID_QUERY", problem="ngrams have at least 1 character.", instead="")
    places = f"sequence(1, char_length({text}) - {size - 1})"
    parts = f"transform({places}, {EACH} -> substring({text}, {EACH}, {size}))"
    return f"if(char_length({text}) < {size}, CAST(array() AS ARRAY<STRING>), {parts})"


SEARCHES: Table = {
    "replaceRegexpOne": one(("String", "literal string", "literal string"), replace_first, STRING),
    **_searches(),
    "countMatches": one(("String", "literal string"), count_matches, UINT64),
    "extractGroups": one(("String", "literal string"), groups, _STRINGS),
    "ngrams": one(("String", "literal integer"), _ngrams, _STRINGS),
}
