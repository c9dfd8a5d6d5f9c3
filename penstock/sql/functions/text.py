"""Flink's functions of texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.model.types import BOOLEAN, INT, MAX_LENGTH, STRING, DataType, literal
from penstock.sql.functions.base import Signature as S
from penstock.sql.functions.base import common, varying
from penstock.sql.literals import integer_of, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.expression import Expr

_FIRST_BYTE = "CAST(conv(substring(hex({0}), 1, 2), 16, 10) AS INT)"
# Java reads more as a number than digits, Spark still more: `inf` and `nan` in any case.
_IS_DECIMAL = (
    "coalesce(TRY_CAST({0} AS DOUBLE) IS NOT NULL "
    "AND ({0} NOT RLIKE '(?i)inf|nan' OR {0} RLIKE 'NaN|Infinity'), FALSE)"
)
_SHA2_BITS = (224, 256, 384, 512)
# Words are of ASCII letters and digits, whatever stands between them.
_WORD_ENDS = r"(?<=[A-Za-z0-9])(?=[^A-Za-z0-9])|(?<=[^A-Za-z0-9])(?=[A-Za-z0-9])"
_INITCAP = (
    f"array_join(transform(split({{0}}, '{_WORD_ENDS}'), w -> if(w RLIKE '^[A-Za-z0-9]', "
    "concat(upper(left(w, 1)), lower(substring(w, 2))), w)), '')"
)


def _hash(name: str, length: int) -> tuple[S, ...]:
    returns = DataType("CHAR", length)
    return tuple(S((kind,), name, returns) for kind in ("text", "binary"))


def _sha2_type(arguments: Sequence[Expr]) -> DataType | None:
    """VARCHAR(128), for 224, 256, 384 and 512 bits."""
    known = integer_of(arguments[1].sql) in _SHA2_BITS
    return DataType("VARCHAR", 128) if known else None


def _substring(arguments: Sequence[Expr]) -> str:
    """A negative length gives NULL, a start before the text an empty one; Spark clips both."""
    text, start, *length = (argument.sql for argument in arguments)
    cases = ""
    known_length = integer_of(arguments[2].sql) if length else 0
    if known_length is None or known_length < 0:
        cases += f"WHEN {length[0]} < 0 THEN NULL "
    known_start = integer_of(arguments[1].sql)
    if known_start is None or known_start < 0:
        cases += f"WHEN {start} < -char_length({text}) THEN '' "
    call = f"substring({', '.join([text, start, *length])})"
    return f"CASE {cases}ELSE {call} END" if cases else call


def _replace(arguments: Sequence[Expr]) -> str:
    text, search, replacement = (argument.sql for argument in arguments)
    if text_of(arguments[1].sql):
        return f"replace({text}, {search}, {replacement})"
    everywhere = f"penstock_regexp_replace({text}, '', {replacement})"
    return f"if({search} = '', {everywhere}, replace({text}, {search}, {replacement}))"


def _split_index(arguments: Sequence[Expr]) -> str:
    text, separator, index = arguments
    known = text_of(separator.sql)
    if known:
        regex = literal(re.escape(known))
    else:
        regex = rf"if({separator.sql} = '', '\\s', concat('\\Q', {separator.sql}, '\\E'))"
    return f"get(split(nullif({text.sql}, ''), {regex}), {index.sql})"


def _joined(arguments: Sequence[Expr]) -> DataType:
    """VARCHAR as long as arguments 1 and 2 together."""
    first, second = (argument.type.precision or 0 for argument in arguments[:2])
    return DataType("VARCHAR", min(MAX_LENGTH, first + second))


def _chosen(arguments: Sequence[Expr]) -> str:
    index, *choices = (argument.sql for argument in arguments)
    cases = " ".join(f"WHEN {i} THEN {choice}" for i, choice in enumerate(choices, 1))
    return f"CASE {index} {cases} END"


def _chosen_type(arguments: Sequence[Expr]) -> DataType | None:
    """The common type of the arguments after the first."""
    return common(arguments[1:])


def _printf(arguments: Sequence[Expr]) -> str:
    """A format with more values than it names ignores them; a row cannot be without fields."""
    values = [argument.sql for argument in arguments[1:]]
    fields = ", ".join(f"'_{position}', {value}" for position, value in enumerate(values))
    fields = fields or "'none', NULL"
    return f"penstock_printf({arguments[0].sql}, named_struct({fields}))"


TEXT: dict[str, tuple[S, ...]] = {
    "ASCII": (S(("text",), f"if(ascii({{0}}) < 128, ascii({{0}}), {_FIRST_BYTE} - 256)", INT),),
    "BTRIM": (
        S(("text",), "trim({0})", STRING),
        S(("text", "text"), "trim(BOTH {1} FROM {0})", STRING),
    ),
    "CHARACTER_LENGTH": (S(("text",), "char_length({0})", INT),),
    "CHAR_LENGTH": (S(("text",), "char_length({0})", INT),),
    "CHR": (S(("integer",), "chr({0})", STRING),),
    "CONCAT": (S(("text",), "concat({all})", STRING, variadic=True),),
    "CONCAT_WS": (S(("text", "text"), "concat_ws({all})", STRING, variadic=True),),
    "ELT": tuple(
        S(("integer", kind), _chosen, _chosen_type, variadic=True) for kind in ("text", "binary")
    ),
    "ENDSWITH": tuple(S((k, k), "endswith({0}, {1})", BOOLEAN) for k in ("text", "binary")),
    "FROM_BASE64": (S(("text",), "penstock_from_base64({0})", STRING),),
    "HEX": (S(("integer",), "hex({0})", STRING), S(("text",), "hex({0})", STRING)),
    "INITCAP": (S(("text",), _INITCAP, 0),),
    "INSTR": (S(("text", "text"), "instr({0}, {1})", INT),),
    "IS_ALPHA": (S(("text",), r"coalesce({0} RLIKE '^\\p{{L}}+\\z', FALSE)", BOOLEAN),),
    "IS_DECIMAL": (S(("text",), _IS_DECIMAL, BOOLEAN),),
    "IS_DIGIT": (S(("text",), r"coalesce({0} RLIKE '^\\p{{Nd}}+\\z', FALSE)", BOOLEAN),),
    "LEFT": (S(("text", "int"), "left({0}, {1})", varying),),
    "LOCATE": (
        S(("text", "text"), "locate({0}, {1})", INT),
        S(
            ("text", "text", "int"),
            "CASE WHEN {2} IS NOT NULL THEN locate({0}, {1}, greatest({2}, 1)) END",
            INT,
        ),
    ),
    "LOWER": (S(("text",), "lower({0})", 0),),
    "LPAD": (S(("text", "int", "text"), "penstock_pad_left({0}, CAST({1} AS INT), {2})", STRING),),
    "LTRIM": (
        S(("text",), "ltrim({0})", varying),
        S(("text", "text"), "trim(LEADING {1} FROM {0})", varying),
    ),
    "MD5": _hash("md5({0})", 32),
    "OVERLAY": (
        S(("text", "text", "integer"), "penstock_overlay({0}, {1}, CAST({2} AS BIGINT))", _joined),
        S(
            ("text", "text", "integer", "integer"),
            "penstock_overlay({0}, {1}, CAST({2} AS BIGINT), CAST({3} AS BIGINT))",
            _joined,
        ),
    ),
    "PARSE_URL": (
        S(("text", "text"), "penstock_url_part({0}, {1})", STRING),
        S(("text", "text", "text"), "penstock_url_parameter({0}, {1}, {2})", STRING),
    ),
    "POSITION": (S(("text", "text"), "locate({0}, {1})", INT),),
    "PRINTF": (
        S(("text",), _printf, STRING),
        S(("text", "comparable"), _printf, STRING, variadic=True),
    ),
    "REPEAT": (S(("text", "int"), "repeat({0}, {1})", STRING),),
    "REPLACE": (S(("text", "text", "text"), _replace, STRING),),
    "REVERSE": (S(("text",), "reverse({0})", STRING),),
    "RIGHT": (S(("text", "int"), "right({0}, {1})", varying),),
    "RPAD": (S(("text", "int", "text"), "penstock_pad_right({0}, CAST({1} AS INT), {2})", STRING),),
    "RTRIM": (
        S(("text",), "rtrim({0})", varying),
        S(("text", "text"), "trim(TRAILING {1} FROM {0})", varying),
    ),
    "SHA1": _hash("sha1({0})", 40),
    "SHA2": tuple(S((k, "literal int"), "sha2({0}, {1})", _sha2_type) for k in ("text", "binary")),
    **{f"SHA{bits}": _hash(f"sha2({{0}}, {bits})", bits // 4) for bits in _SHA2_BITS},
    "SPLIT_INDEX": (
        S(("text", "text", "int"), _split_index, STRING),
        S(
            ("text", "int", "int"),
            "if({1} BETWEEN 1 AND 255, "
            r"get(split(nullif({0}, ''), concat('\\Q', chr({1}), '\\E')), {2}), NULL)",
            STRING,
        ),
    ),
    "STARTSWITH": tuple(S((k, k), "startswith({0}, {1})", BOOLEAN) for k in ("text", "binary")),
    "SUBSTR": (
        S(("text", "int"), _substring, varying),
        S(("text", "int", "int"), _substring, varying),
    ),
    "TO_BASE64": tuple(
        S((kind,), r"replace(base64(CAST({0} AS BINARY)), '\r\n', '')", STRING)
        for kind in ("text", "binary")
    ),
    "TRANSLATE": (
        S(
            ("text", "text", "text"),
            "translate({0}, coalesce({1}, ''), if({1} IS NULL, '', coalesce({2}, '')))",
            STRING,
        ),
    ),
    "TRIM": (S(("text",), "trim({0})", varying),),
    "UPPER": (S(("text",), "upper({0})", 0),),
    "URL_DECODE": (S(("text",), "try_url_decode({0})", STRING),),
    "URL_ENCODE": (S(("text",), "url_encode({0})", STRING),),
    "UUID": (S((), "uuid()", DataType("CHAR", 36, nullable=False)),),
}
TEXT["SUBSTRING"] = TEXT["SUBSTR"]
