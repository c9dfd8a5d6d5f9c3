"""ClickHouse's JSONExtract functions, over Spark's variants.

A value that is not there or cannot be converted gives the default of the result's type. Keys are
texts, places in arrays whole numbers from 1. Variants forget the order of an object's keys: what
depends on it is an error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.sql.clickhouse.numbers import FLOAT64, INT64, TRUTH, UINT64
from penstock.sql.clickhouse.text import number_text
from penstock.sql.clickhouse.types import array_of
from penstock.sql.functions.clickhouse.base import STRING, Table, integer_of
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.types import DataType

_LIMITS = {"BIGINT": (-(2**63), 2**63 - 1), "UINT64": (0, 2**64 - 1)}
# A number in a text; what is behind the point is cut off where a whole one is asked for.
_NUMBER = literal(r"^[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,2})?$")
_WHOLE = ("BIGINT", "DECIMAL(19,0)", "DECIMAL(20,0)")
_IN_OBJECT = "'A place in a JSON object depends on the order of its keys; name the key.'"
_NO_TEXT = "'JSONExtractString found an object or an array; name a value in it.'"


def _found(arguments: Sequence[Expr]) -> str:
    """The part of the document that the path names, as a VARIANT; NULL if it is not there."""
    document, *path = arguments
    value = f"try_parse_json({document.sql})"
    keys, checks = "$", []
    for step in path:
        name, place = text_of(step.sql), integer_of(step.sql)
        if name is not None:
            quoted = re.sub(r"(['\\])", r"\\\1", name)
            keys += f"['{quoted}']"
        elif place is not None and place > 0:
            checks.append(f"{_kind(_at(value, keys))} LIKE 'OBJECT%'")
            keys += f"[{place - 1}]"
        else:
            raise PlanError(
                "INVALID_QUERY",
                problem="A path in JSON is made of literal keys and places from 1.",
                instead="",
            )
    if not checks:
        return _at(value, keys)
    return f"if({' OR '.join(checks)}, raise_error({_IN_OBJECT}), {_at(value, keys)})"


def _at(value: str, keys: str) -> str:
    return value if keys == "$" else f"try_variant_get({value}, {literal(keys)}, 'variant')"


def _kind(value: str) -> str:
    return f"schema_of_variant({value})"


def _as(value: str, type_: str) -> str:
    return f"try_variant_get({value}, '$', '{type_}')"


def _number(type_: DataType) -> Callable[[Sequence[Expr]], Expr]:
    """A number, or a text that is one; the default if it does not fit."""

    def build(arguments: Sequence[Expr]) -> Expr:
        value, name = _found(arguments), type_.spark_sql()
        text = _as(value, "string")
        read = f"CASE WHEN {text} RLIKE {_NUMBER} THEN {text} END"
        known = f"{_kind(value)} IN ('BOOLEAN', 'VOID')"
        if type_ == FLOAT64:
            sql = f"if({known}, NULL, try_cast({read} AS DOUBLE))"
        else:
            exact = f"try_cast({read} AS DECIMAL(38, 6))"
            low, high = _LIMITS[type_.root]
            fits = f"{exact} >= {low} AND {exact} <= {high}"
            sql = f"CASE WHEN NOT {known} AND {fits} THEN {exact} - {exact} % 1 END"
        return Expr(f"CAST(coalesce({sql}, 0) AS {name})", type_)

    return build


def _text(arguments: Sequence[Expr]) -> Expr:
    value = _found(arguments)
    kind = _kind(value)
    number = Expr(_as(value, "double"), FLOAT64)
    sql = (
        f"CASE WHEN {kind} LIKE 'OBJECT%' OR {kind} LIKE 'ARRAY%' THEN raise_error({_NO_TEXT}) "
        f"WHEN {kind} = 'DOUBLE' THEN {number_text(number)} "
        f"WHEN {kind} <> 'VOID' THEN {_as(value, 'string')} END"
    )
    return Expr(f"coalesce({sql}, '')", STRING)


def _bool(arguments: Sequence[Expr]) -> Expr:
    """A number is true unless it is 0, if it is written without a point."""
    value = _found(arguments)
    kinds = ", ".join(f"'{kind}'" for kind in _WHOLE)
    sql = (
        f"CASE WHEN {_kind(value)} = 'BOOLEAN' THEN {_as(value, 'boolean')} "
        f"WHEN {_kind(value)} IN ({kinds}) THEN {_as(value, 'decimal(20,0)')} <> 0 END"
    )
    return Expr(f"coalesce({sql}, FALSE)", TRUTH)


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


def _keys(arguments: Sequence[Expr]) -> Expr | None:
    """In the order of the text, which only the document itself tells."""
    document, *path = arguments
    names = [text_of(step.sql) or "" for step in path]
    if not all(re.fullmatch(r"[\w ]+", name) for name in names):
        return None
    inner = literal("$" + "".join(f"['{name}']" for name in names))
    part = f"get_json_object({document.sql}, {inner})" if names else document.sql
    keys = f"if(try_parse_json({document.sql}) IS NULL, NULL, json_object_keys({part}))"
    return Expr(f"coalesce({keys}, CAST(array() AS ARRAY<STRING>))", array_of(STRING))


def _valid(arguments: Sequence[Expr]) -> Expr:
    text = arguments[0].sql
    return Expr(f"if({text} IS NULL, NULL, try_parse_json({text}) IS NOT NULL)", TRUTH)


def _over_paths(build: Callable[[Sequence[Expr]], Expr | None], gives: str) -> tuple[S, ...]:
    """NULL of a NULL, though nothing that is found in it is the default."""

    def of_document(arguments: Sequence[Expr]) -> Expr | None:
        document, found = arguments[0], build(arguments)
        if found is None or not document.type.nullable:
            return found
        return Expr(f"if({document.sql} IS NULL, NULL, {found.sql})", found.type)

    return (
        S(("string",), of_document, gives),
        S(("string", "any"), of_document, gives, variadic=True),
    )


JSON: Table = {
    "JSONHas": _over_paths(_has, "UInt8"),
    "JSONLength": _over_paths(_length, "UInt64"),
    "JSONExtractKeys": _over_paths(_keys, "Array(String)"),
    "JSONExtractString": _over_paths(_text, "String"),
    "JSONExtractInt": _over_paths(_number(INT64), "Int64"),
    "JSONExtractUInt": _over_paths(_number(UINT64), "UInt64"),
    "JSONExtractFloat": _over_paths(_number(FLOAT64), "Float64"),
    "JSONExtractBool": _over_paths(_bool, "UInt8"),
    "isValidJSON": (S(("string",), _valid, "UInt8"),),
}
