"""ClickHouse's functions of JSON in texts, which the Java module computes.

A value that is not there or cannot be converted gives the default of the result's type. A path is
made of keys, which are texts, and places from 1, or from the end below 0; both may be columns.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import DataType, literal
from penstock.sql.clickhouse.number_casts import wrapped
from penstock.sql.clickhouse.numbers import FLOAT64, INT64, INTEGERS, TRUTH, UINT64, as_number
from penstock.sql.clickhouse.type_reader import type_of
from penstock.sql.clickhouse.types import array_of, type_name
from penstock.sql.clickhouse.written import as_json
from penstock.sql.functions.clickhouse.base import COUNT, STRING, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.bits import bits_of
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.sql.functions.clickhouse.base import Typed

_STRINGS = array_of(STRING)
_KIND = type_of(
    "Enum8('Null' = 0, 'String' = 34, 'Array' = 91, 'Bool' = 98, 'Double' = 100, 'Int64' = 105, "
    "'UInt64' = 117, 'Object' = 123)",
    "JSONType",
)
# What JSONExtract can give, also in Nullable, Array and Map(String, …).
_SCALARS = (*INTEGERS, "FLOAT", "DOUBLE", "BOOLEAN", "VARCHAR")


# Names and numbers as the Java module reads them.
_PLACES = r"\s*\d{1,9}(\s+to\s+\d{1,9})?\s*"
_PATH = re.compile(
    rf"""\s*\$(\.[\w-]+|\.?\["[^"]*"\]|\.?\['[^']*'\]|\[(\s*\*\s*|{_PLACES}(,{_PLACES})*)\])*\s*""",
    re.ASCII,
)


def _path(steps: Sequence[Expr]) -> str | None:
    """The keys and places as a row; None if one is of another type."""
    parts = []
    for step in steps:
        number = as_number(step)
        if step.type.root == "VARCHAR":
            parts.append(step.sql)
        elif number.type.root in (*INTEGERS, "BOOLEAN"):
            parts.append(bits_of(number))
        else:
            return None
    # Spark stumbles over a row of nothing.
    return f"struct({', '.join(parts) or 'TRUE'})"


def _in_document(function: str, type_: DataType, form: str = "{0}") -> Typed:
    def build(arguments: Sequence[Expr]) -> Expr | None:
        document, *steps = arguments
        path = _path(steps)
        if path is None:
            return None
        return Expr(form.format(f"penstock_{function}({document.sql}, {path})"), type_)

    return build


def _number(type_: DataType) -> Typed:
    """As JSONExtract, but true and false are no numbers."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        document, *steps = arguments
        return _extracted("ch_json_number", document, steps, type_)

    return build


def _extracted(
    function: str, document: Expr, steps: Sequence[Expr], type_: DataType
) -> Expr | None:
    path = _path(steps)
    if path is None:
        return None
    told = literal(type_name(type_))
    return Expr(f"penstock_{function}({document.sql}, {path}, {told})", type_)


def _extract(arguments: Sequence[Expr]) -> Expr | None:
    """The last argument names the type."""
    document, *steps, named = arguments
    return _extracted("ch_json_extract", document, steps, _named(named))


def _pairs(arguments: Sequence[Expr]) -> Expr | None:
    document, *steps, named = arguments
    value = _named(named)
    found = _extracted("ch_json_pairs", document, steps, value)
    return found and Expr(found.sql, _pairs_of(value))


def _pairs_of(value: DataType) -> DataType:
    pair = DataType("ROW", children=(("1", STRING), ("2", value)), nullable=False)
    return array_of(pair)


def _named(argument: Expr) -> DataType:
    text = text_of(argument.sql)
    if text is None:
        raise PlanError(
            "INVALID_QUERY",
            problem="The type that JSONExtract gives is a literal text, its last argument.",
            instead="",
        )
    type_ = type_of(text, text)
    if not _can_extract(type_):
        raise PlanError(
            "UNSUPPORTED_QUERY",
            feature=f"JSONExtract as {type_name(type_)}",
            instead="Extract a String and convert it, or each part by its own path.",
        )
    return type_


def _can_extract(type_: DataType) -> bool:
    if type_.root == "ARRAY":
        return _can_extract(type_.children[0][1])
    if type_.root == "MAP":
        (_, key), (_, value) = type_.children
        return key == STRING and _can_extract(value)
    return type_.root in _SCALARS


def _valid(arguments: Sequence[Expr]) -> Expr:
    return Expr(f"penstock_ch_is_json({arguments[0].sql})", TRUTH)


def _over_paths(build: Typed, gives: str) -> tuple[S, ...]:
    return (
        S(("String",), build, gives),
        S(("String", "any"), build, gives, variadic=True),
    )


def _typed(build: Typed, gives: str) -> tuple[S, ...]:
    return (
        S(("String", "literal string"), build, gives),
        S(("String", "any", "any"), build, gives, variadic=True),
    )


def _plain(function: str, type_: DataType, form: str = "{0}") -> tuple[S, ...]:
    """Behind the first `"name":` of the text, whatever that is."""
    sql = form.format(f"penstock_ch_plain_json_{function}({{0}}, {{1}})")
    return one(("String", "literal string"), sql, type_)


def _by_path(function: str, type_: DataType) -> tuple[S, ...]:
    """What a path finds, `$.a[0].b`."""

    def build(arguments: Sequence[Expr]) -> Expr:
        document, path = arguments
        if not _PATH.fullmatch(text_of(path.sql) or ""):
            raise PlanError(
                "INVALID_QUERY",
                problem="A path of JSON is a literal such as '$.a[0].b[*]', "
                "with places of at most 9 digits.",
                instead="A name of other letters stands in brackets, '$[\"ключ\"]'.",
            )
        return Expr(f"penstock_ch_json_path_{function}({document.sql}, {path.sql})", type_)

    return one(("String", "literal string"), build, type_name(type_))


JSON: Table = {
    "JSONHas": _over_paths(_in_document("ch_json_has", TRUTH), "UInt8"),
    "JSONLength": _over_paths(_in_document("ch_json_length", UINT64, COUNT), "UInt64"),
    "JSONType": _over_paths(_in_document("ch_json_type", _KIND), type_name(_KIND)),
    "JSONKey": _over_paths(_in_document("ch_json_key", STRING), "String"),
    "JSONExtractKeys": _over_paths(_in_document("ch_json_keys", _STRINGS), "Array(String)"),
    "JSONExtractString": _over_paths(_number(STRING), "String"),
    "JSONExtractInt": _over_paths(_number(INT64), "Int64"),
    "JSONExtractUInt": _over_paths(_number(UINT64), "UInt64"),
    "JSONExtractFloat": _over_paths(_number(FLOAT64), "Float64"),
    "JSONExtractBool": _over_paths(_in_document("ch_json_bool", TRUTH), "UInt8"),
    "JSONExtractRaw": _over_paths(_in_document("ch_json_raw", STRING), "String"),
    "JSONExtractArrayRaw": _over_paths(
        _in_document("ch_json_array_raw", _STRINGS), "Array(String)"
    ),
    "JSONExtractKeysAndValuesRaw": _over_paths(
        _in_document("ch_json_pairs_raw", _pairs_of(STRING)), "Array(Tuple(String, String))"
    ),
    "JSONExtract": _typed(_extract, "The type that the last argument names"),
    "JSONExtractKeysAndValues": _typed(_pairs, "Array(Tuple(String, the type named last))"),
    "JSON_VALUE": _by_path("value", STRING),
    "JSON_QUERY": _by_path("query", STRING),
    "JSON_EXISTS": _by_path("exists", TRUTH),
    "toJSONString": one(
        ("any",), lambda a: f"if({a[0].sql} IS NULL, NULL, {as_json(a[0])})", STRING
    ),
    "isValidJSON": one(("String",), _valid, "UInt8"),
    "simpleJSONHas": _plain("has", TRUTH),
    "simpleJSONExtractBool": _plain("bool", TRUTH),
    "simpleJSONExtractInt": _plain("signed", INT64),
    "simpleJSONExtractUInt": _plain("unsigned", UINT64, wrapped("{0}", UINT64)),
    "simpleJSONExtractFloat": _plain("real", FLOAT64),
    "simpleJSONExtractString": _plain("string", STRING),
    "simpleJSONExtractRaw": _plain("raw", STRING),
}
