"""ClickHouse's functions of texts; lengths and positions count bytes unless the name says UTF8."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import DataType, literal
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.numbers import INTEGERS, TRUTH, UINT32, UINT64
from penstock.sql.clickhouse.types import array_of
from penstock.sql.functions.clickhouse.base import COUNT, PLACE, STRING, Build, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.patterns import (
    extract,
    extract_all,
    like_pattern,
    regex,
    replace_all,
    split_regex,
)
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_UPPER, _LOWER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
_STRINGS = array_of(STRING)
_BINARY = "CAST({0} AS BINARY)"


def _counted(sql: str) -> str:
    return COUNT.format(sql)


def _part(value: str, size: str) -> Build:
    """From a place that counts from 1, or from the end below 0; so does a length below 0."""

    def build(arguments: Sequence[Expr]) -> str:
        text, start = arguments[0].sql, f"CAST({arguments[1].sql} AS INT)"
        whole, total = value.format(text), f"{size}({text})"
        first = f"if({start} > 0, {start} - 1, {total} + {start})"
        if len(arguments) == 2:
            part = f"substring({whole}, {start})"
        else:
            length = f"CAST({arguments[2].sql} AS INT)"
            rest = f"greatest(0, {total} + {length} - greatest(0, {first}))"
            part = f"substring({whole}, {start}, if({length} < 0, {rest}, {length}))"
        return f"if({start} = 0, '', CAST({part} AS STRING))"

    return build


def _side(value: str, size: str, start: str) -> Build:
    """So many from one end; below 0, all but so many."""

    def build(arguments: Sequence[Expr]) -> str:
        text, count = arguments[0].sql, f"CAST({arguments[1].sql} AS INT)"
        total = f"{size}({text})"
        length = f"greatest(0, if({count} < 0, {total} + {count}, least({total}, {count})))"
        begin = start.format(total=total, length=length)
        return f"CAST(substring({value.format(text)}, {begin}, {length}) AS STRING)"

    return build


def _text(value: Expr) -> str:
    """A value as a part of a text; the zeros of a FixedString stay."""
    return value.sql if value.type.root == "FIXEDSTRING" else cast(value, STRING).sql


def _concat(arguments: Sequence[Expr]) -> Expr:
    texts = ", ".join(_text(argument) for argument in arguments)
    return Expr(f"concat({texts})", STRING)


def _joined(arguments: Sequence[Expr]) -> Expr:
    separator, *values = (_text(argument) for argument in arguments)
    null = " OR ".join(f"{value} IS NULL" for value in (separator, *values))
    joined = f"array_join(array({', '.join(values)}), {separator})"
    return Expr(f"if({null}, NULL, {joined})", STRING)


def _array_text(arguments: Sequence[Expr]) -> Expr:
    array = arguments[0]
    texts = cast(array, array_of(STRING.as_nullable(array.type.children[0][1].nullable)))
    separator = arguments[1].sql if len(arguments) > 1 else "''"
    return Expr(f"array_join({texts.sql}, {separator})", STRING)


def find_bytes(haystack: str, needle: str) -> str:
    """The place of a text in another, in bytes from 1; 0 if it is not there."""
    place = f"locate({needle}, {haystack})"
    before = f"octet_length(left({haystack}, {place} - 1)) + 1"
    return _counted(f"if({place} = 0, 0, {before})")


def lowered(sql: str) -> str:
    """The letters of ASCII in lower case."""
    return f"translate({sql}, '{_UPPER}', '{_LOWER}')"


def _replace_one(arguments: Sequence[Expr]) -> str:
    text, pattern, other = (argument.sql for argument in arguments)
    place = f"locate({pattern}, {text})"
    rest = f"substring({text}, {place} + char_length({pattern}))"
    found = f"concat(left({text}, {place} - 1), {other}, {rest})"
    return f"if({pattern} = '' OR {place} = 0, {text}, {found})"


def _split(arguments: Sequence[Expr]) -> str:
    separator, text = text_of(arguments[0].sql) or "", arguments[1].sql
    if not separator:
        one_byte = f"CAST(substring(CAST({text} AS BINARY), {PLACE}, 1) AS STRING)"
        places = f"filter(sequence(0, octet_length({text})), i -> i > 0)"
        return f"transform({places}, {PLACE} -> {one_byte})"
    return f"split({text}, {literal(re.escape(separator))}, -1)"


def _same(arguments: Sequence[Expr]) -> DataType:
    """String, or the type of a FixedString."""
    type_ = arguments[0].type
    return type_ if type_.root == "FIXEDSTRING" else STRING


def _format(arguments: Sequence[Expr]) -> Expr:
    """`format('{} {1}', a, b)`."""
    pattern, *values = arguments
    texts = [_text(value) for value in values]
    parts, count = [], 0
    for piece in re.split(r"(\{\{|\}\}|\{\d*\})", text_of(pattern.sql) or ""):
        if piece in ("{{", "}}"):
            parts.append(literal(piece[0]))
        elif re.fullmatch(r"\{\d*\}", piece):
            place = int(piece[1:-1]) if piece != "{}" else count
            count += piece == "{}"
            if place >= len(texts):
                raise PlanError(
                    "INVALID_QUERY", problem=f"format has no argument for `{piece}`.", instead=""
                )
            parts.append(texts[place])
        elif piece:
            parts.append(literal(piece))
    return Expr(f"concat({', '.join(parts) or literal('')})", STRING)


_HEX = "if(length({0}) % 2 = 0, {0}, concat('0', {0}))"  # Whole bytes, at least one.


def _hex_number(arguments: Sequence[Expr]) -> str:
    value = arguments[0]
    bits, signed = INTEGERS[value.type.root]
    if bits == 64 and not signed:
        high = f"CAST(floor({value.sql} / 4294967296) AS BIGINT)"
        low = f"CAST({value.sql} % 4294967296 AS BIGINT)"
        wide = f"concat(hex({high}), lpad(hex({low}), 8, '0'))"
        return _HEX.format(f"if({high} = 0, hex({low}), {wide})")
    negative = f"right(hex(CAST({value.sql} AS BIGINT)), {bits // 4})"
    plain = _HEX.format(f"hex(CAST({value.sql} AS BIGINT))")
    return f"if({value.sql} < 0, {negative}, {plain})"


def _digest(function: str, size: int) -> tuple[S, ...]:
    raw = f"CAST(unhex({function}) AS STRING)"
    return one(("string",), raw, DataType("FIXEDSTRING", size, nullable=False))


def _trim(side: str) -> tuple[S, ...]:
    return (
        S(("string",), f"trim({side} FROM {{0}})", STRING),
        S(("string", "string"), f"trim({side} {{1}} FROM {{0}})", STRING),
    )


TEXTS: Table = {
    "length": (
        S(("string",), _counted("octet_length({0})"), UINT64),
        S(("array",), _counted("size({0})"), UINT64),
        S(("map",), _counted("size({0})"), UINT64),
    ),
    "lengthUTF8": one(("string",), _counted("char_length({0})"), UINT64),
    "empty": (
        S(("String",), "(octet_length({0}) = 0)", TRUTH),
        S(("FixedString",), "(rtrim('\\0', {0}) = '')", TRUTH),
        S(("array",), "(size({0}) = 0)", TRUTH),
        S(("map",), "(size({0}) = 0)", TRUTH),
    ),
    "notEmpty": (
        S(("String",), "(octet_length({0}) > 0)", TRUTH),
        S(("FixedString",), "(rtrim('\\0', {0}) <> '')", TRUTH),
        S(("array",), "(size({0}) > 0)", TRUTH),
        S(("map",), "(size({0}) > 0)", TRUTH),
    ),
    "lower": one(("string",), lowered("{0}"), _same),
    "upper": one(("string",), f"translate({{0}}, '{_LOWER}', '{_UPPER}')", _same),
    "lowerUTF8": one(("String",), "lower({0})", STRING),
    "upperUTF8": one(("String",), "upper({0})", STRING),
    "concat": one(("any", "any"), _concat, "String", variadic=True),
    "concatWithSeparator": one(("string", "any"), _joined, "String", variadic=True),
    "arrayStringConcat": (
        S(("array",), _array_text, "String"),
        S(("array", "string"), _array_text, "String"),
    ),
    "substring": (
        S(("string", "integer"), _part(_BINARY, "octet_length"), STRING),
        S(("string", "integer", "integer"), _part(_BINARY, "octet_length"), STRING),
    ),
    "substringUTF8": (
        S(("string", "integer"), _part("{0}", "char_length"), STRING),
        S(("string", "integer", "integer"), _part("{0}", "char_length"), STRING),
    ),
    "left": one(("string", "integer"), _side(_BINARY, "octet_length", "1"), STRING),
    "right": one(
        ("string", "integer"), _side(_BINARY, "octet_length", "{total} - {length} + 1"), STRING
    ),
    "leftUTF8": one(("string", "integer"), _side("{0}", "char_length", "1"), STRING),
    "rightUTF8": one(
        ("string", "integer"), _side("{0}", "char_length", "{total} - {length} + 1"), STRING
    ),
    "position": one(("String", "string"), lambda a: find_bytes(a[0].sql, a[1].sql), UINT64),
    # The needle comes first since ClickHouse 24.3.
    "locate": one(("string", "string"), lambda a: find_bytes(a[1].sql, a[0].sql), UINT64),
    "positionUTF8": one(("string", "string"), _counted("locate({1}, {0})"), UINT64),
    "positionCaseInsensitive": one(
        ("string", "string"), lambda a: find_bytes(lowered(a[0].sql), lowered(a[1].sql)), UINT64
    ),
    "replaceAll": one(("string", "string", "string"), "replace({0}, {1}, {2})", STRING),
    "replaceOne": one(("string", "string", "string"), _replace_one, STRING),
    "replaceRegexpAll": one(
        ("String", "literal string", "literal string"),
        replace_all,
        STRING,
    ),
    "match": one(
        ("string", "literal string"), lambda a: f"({a[0].sql} RLIKE {regex(a[1].sql)})", TRUTH
    ),
    "notMatch": one(
        ("string", "literal string"), lambda a: f"(NOT {a[0].sql} RLIKE {regex(a[1].sql)})", TRUTH
    ),
    "extract": one(("String", "literal string"), extract, STRING),
    "extractAll": one(("String", "literal string"), extract_all, _STRINGS),
    "like": one(
        ("string", "string"), lambda a: f"({a[0].sql} LIKE {like_pattern(a[1].sql)})", TRUTH
    ),
    "notLike": one(
        ("string", "string"), lambda a: f"({a[0].sql} NOT LIKE {like_pattern(a[1].sql)})", TRUTH
    ),
    "ilike": one(
        ("string", "string"), lambda a: f"({a[0].sql} ILIKE {like_pattern(a[1].sql)})", TRUTH
    ),
    "notILike": one(
        ("string", "string"), lambda a: f"({a[0].sql} NOT ILIKE {like_pattern(a[1].sql)})", TRUTH
    ),
    "splitByChar": one(("literal string", "String"), _split, _STRINGS),
    "splitByString": one(("literal string", "String"), _split, _STRINGS),
    "splitByRegexp": one(("literal string", "string"), split_regex, _STRINGS),
    "trimBoth": _trim("BOTH"),
    "trimLeft": _trim("LEADING"),
    "trimRight": _trim("TRAILING"),
    "startsWith": one(("string", "string"), "startswith({0}, {1})", TRUTH),
    "endsWith": one(("string", "string"), "endswith({0}, {1})", TRUTH),
    "repeat": one(("String", "integer"), "repeat({0}, CAST({1} AS INT))", STRING),
    "reverse": (
        S(
            ("string",),
            "CAST(unhex(regexp_replace(reverse(hex({0})), '(.)(.)', '$2$1')) AS STRING)",
            _same,
        ),
        S(("array",), "reverse({0})", 0),
    ),
    "reverseUTF8": one(("String",), "reverse({0})", STRING),
    "format": one(("literal string", "any"), _format, "String", variadic=True),
    "substringIndex": one(
        ("string", "string", "integer"), "substring_index({0}, {1}, CAST({2} AS INT))", STRING
    ),
    "base64Encode": one(("string",), "base64(CAST({0} AS BINARY))", STRING),
    "base64Decode": one(("string",), "CAST(to_binary({0}, 'base64') AS STRING)", STRING),
    "hex": (
        S(("string",), "hex({0})", STRING),
        S(("integer",), _hex_number, STRING),
    ),
    "unhex": one(
        ("string",),
        "if({0} IS NULL, NULL, coalesce(CAST(unhex({0}) AS STRING), "
        "raise_error(concat('Cannot read as hexadecimal: ', {0}))))",
        STRING,
    ),
    "MD5": _digest("md5({0})", 16),
    "SHA1": _digest("sha1({0})", 20),
    "SHA256": _digest("sha2({0}, 256)", 32),
    "CRC32": one(("string",), "crc32({0})", UINT32),
}
