"""ClickHouse's JSONExtract functions, over Spark's variants.

A value that is not there or has another type gives the default of the result's type, as the
documentation says. Keys are texts, places in arrays whole numbers from 1, or from the end below 0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.sql.clickhouse.numbers import FLOAT64, INT64, TRUTH, UINT64
from penstock.sql.clickhouse.types import array_of
from penstock.sql.functions.clickhouse.base import STRING, Table, integer_of
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.types import DataType

_NUMBERS = ("BIGINT%", "DECIMAL%", "DOUBLE%")


def _found(arguments: Sequence[Expr]) -> str:
    """The part of the document that the path names, as a VARIANT; NULL if it is not there."""
    document, *path = arguments
    value = f"try_parse_json({document.sql})"
    keys = "$"
    for step in path:
        name, place = text_of(step.sql), integer_of(step.sql)
        if name is not None:
            quoted = re.sub(r"(['\\])", r"\\\1", name)
            keys += f"['{quoted}']"
        elif place is not None and place > 0:
            keys += f"[{place - 1}]"
        else:
            raise PlanError(
                "INVALID_QUERY",
                problem="A path in JSON is made of literal keys and places from 1.",
                instead="",
            )
    return value if keys == "$" else f"try_variant_get({value}, {literal(keys)}, 'variant')"


def _kind(value: str) -> str:
    return f"schema_of_variant({value})"


def _typed(
    kinds: Sequence[str], spark_type: str, default: str, type_: DataType
) -> Callable[[Sequence[Expr]], Expr]:
    def build(arguments: Sequence[Expr]) -> Expr:
        value = _found(arguments)
        tests = " OR ".join(f"{_kind(value)} LIKE '{kind}'" for kind in kinds)
        got = f"try_variant_get({value}, '$', '{spark_type}')"
        found = f"coalesce(CASE WHEN {tests} THEN {got} END, {default})"
        return Expr(f"CAST({found} AS {type_.spark_sql()})", type_)

    return build


def _has(arguments: Sequence[Expr]) -> Expr:
    return Expr(f"({_found(arguments)} IS NOT NULL)", TRUTH)


def _length(arguments: Sequence[Expr]) -> Expr:
    value = _found(arguments)
    items = f"size(try_variant_get({value}, '$', 'array<variant>'))"
    keys = f"size(map_keys(try_variant_get({value}, '$', 'map<string,variant>')))"
    sql = (
        f"CASE WHEN {_kind(value)} LIKE 'ARRAY%' THEN {items} "
        f"WHEN {_kind(value)} LIKE 'OBJECT%' THEN {keys} ELSE 0 END"
    )
    return Expr(f"CAST({sql} AS DECIMAL(20, 0))", UINT64)


def _keys(arguments: Sequence[Expr]) -> Expr:
    value = _found(arguments)
    keys = f"map_keys(try_variant_get({value}, '$', 'map<string,variant>'))"
    none = "CAST(array() AS ARRAY<STRING>)"
    test = f"{_kind(value)} LIKE 'OBJECT%'"
    return Expr(f"coalesce(CASE WHEN {test} THEN {keys} END, {none})", array_of(STRING))


def _valid(arguments: Sequence[Expr]) -> Expr:
    return Expr(f"(try_parse_json({arguments[0].sql}) IS NOT NULL)", TRUTH)


def _over_paths(build: Callable[[Sequence[Expr]], Expr], gives: str) -> tuple[S, ...]:
    return (S(("string",), build, gives), S(("string", "any"), build, gives, variadic=True))


JSON: Table = {
    "JSONHas": _over_paths(_has, "UInt8"),
    "JSONLength": _over_paths(_length, "UInt64"),
    "JSONExtractKeys": _over_paths(_keys, "Array(String)"),
    "JSONExtractString": _over_paths(_typed(("STRING",), "string", "''", STRING), "String"),
    "JSONExtractInt": _over_paths(_typed(("BIGINT",), "bigint", "0", INT64), "Int64"),
    "JSONExtractUInt": _over_paths(
        _typed(("BIGINT", "DECIMAL(%,0)"), "decimal(20,0)", "0", UINT64), "UInt64"
    ),
    "JSONExtractFloat": _over_paths(_typed(_NUMBERS, "double", "0", FLOAT64), "Float64"),
    "JSONExtractBool": _over_paths(_typed(("BOOLEAN",), "boolean", "FALSE", TRUTH), "UInt8"),
    "isValidJSON": (S(("string",), _valid, "UInt8"),),
}
