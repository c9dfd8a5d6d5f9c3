"""ClickHouse's functions that pad texts, count in them and cut them into words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import DataType, literal
from penstock.sql.clickhouse.numbers import TRUTH, UINT64
from penstock.sql.clickhouse.types import array_of
from penstock.sql.functions.clickhouse.base import STRING, Build, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.expression import Expr

_BINARY = "CAST({0} AS BINARY)"
_TOO_SHORT = literal("A text cannot be padded to a length below 0.")


def _padded(function: str, *, utf8: bool) -> Build:
    """To so many bytes or characters; what is longer is cut."""

    def build(arguments: Sequence[Expr]) -> str:
        text, length = arguments[0].sql, arguments[1].sql
        filling = arguments[2].sql if len(arguments) > 2 else "' '"
        kind = "{0}" if utf8 else _BINARY
        whole, own = kind.format(text), kind.format(f"if({filling} = '', ' ', {filling})")
        known = f"CAST({length} AS INT)"
        found = f"CAST({function}({whole}, {known}, {own}) AS STRING)"
        return f"if({length} < 0, raise_error({_TOO_SHORT}), {found})"

    return build


def _pads(function: str, *, utf8: bool = False) -> tuple[S, ...]:
    build = _padded(function, utf8=utf8)
    return (
        S(("String", "integer"), build, STRING),
        S(("String", "integer", "literal string"), build, STRING),
    )


def _occurrences(text: str, part: str) -> str:
    """How often a part stands in a text, without overlaps; an empty one never."""
    gone = f"octet_length({text}) - octet_length(replace({text}, {part}, ''))"
    count = f"if({part} = '', 0, ({gone}) div octet_length({part}))"
    return f"CAST({count} AS DECIMAL(20, 0))"


def _lowered(sql: str) -> str:
    upper, lower = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
    return f"translate({sql}, '{upper}', '{lower}')"


def _pieces(between: str) -> tuple[S, ...]:
    """What stands between matches, unless it is empty."""

    def build(arguments: Sequence[Expr]) -> str:
        return f"filter(split({arguments[0].sql}, {literal(between)}, -1), x -> x <> '')"

    return one(("String",), build, array_of(STRING))


def _ending(arguments: Sequence[Expr]) -> str:
    text, end = arguments[0].sql, arguments[1].sql
    return f"if({text} = '' OR endswith({text}, {end}), {text}, concat({text}, {end}))"


def _digest(bits: int) -> tuple[S, ...]:
    raw = f"CAST(unhex(sha2({{0}}, {bits})) AS STRING)"
    return one(("string",), raw, DataType("FIXEDSTRING", bits // 8, nullable=False))


WORDS: Table = {
    "leftPad": _pads("lpad"),
    "rightPad": _pads("rpad"),
    "leftPadUTF8": _pads("lpad", utf8=True),
    "rightPadUTF8": _pads("rpad", utf8=True),
    "countSubstrings": one(
        ("String", "String"), lambda a: _occurrences(a[0].sql, a[1].sql), UINT64
    ),
    "countSubstringsCaseInsensitive": one(
        ("String", "String"),
        lambda a: _occurrences(_lowered(a[0].sql), _lowered(a[1].sql)),
        UINT64,
    ),
    "splitByWhitespace": _pieces(r"[ \t\n\r\x0B\f]+"),
    "splitByNonAlpha": _pieces(r"[\x00-\x20!-/:-@\[-`{-~\x7f]+"),
    "alphaTokens": _pieces("[^A-Za-z]+"),
    "appendTrailingCharIfAbsent": one(("String", "literal string"), _ending, STRING),
    "isValidUTF8": one(("string",), "is_valid_utf8({0})", TRUTH),
    "ascii": one(
        ("string",),
        "CAST(conv(if({0} = '', '0', hex(substring(CAST({0} AS BINARY), 1, 1))), 16, 10) AS INT)",
        DataType("INT", nullable=False),
    ),
    "space": one(("integer",), "space(CAST({0} AS INT))", STRING),
    "SHA224": _digest(224),
    "SHA384": _digest(384),
    "SHA512": _digest(512),
}
