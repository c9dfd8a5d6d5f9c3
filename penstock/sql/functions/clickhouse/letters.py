"""More of ClickHouse's functions of texts: bytes by their numbers, tokens, readable sizes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.sql.clickhouse.numbers import INTEGERS, TRUTH, UINT64
from penstock.sql.clickhouse.types import array_of
from penstock.sql.functions.clickhouse.base import COUNT, STRING, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.bits import bits_of
from penstock.sql.functions.clickhouse.patterns import group_count, regex
from penstock.sql.functions.clickhouse.texts import lowered
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_STRINGS = array_of(STRING)
_BINARY_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB")
_DECIMAL_UNITS = ("B", "KB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB")
_QUANTITIES: tuple[str, ...] = ("", "thousand", "million", "billion", "trillion", "quadrillion")
_QUANTITIES += ("quintillion", "sextillion", "septillion", "octillion", "nonillion", "decillion")
_QUANTITIES += ("undecillion", "duodecillion", "tredecillion", "quattuordecillion")
_QUANTITIES += ("quindecillion", "sexdecillion", "septendecillion", "octodecillion")
_QUANTITIES += ("novemdecillion", "vigintillion")
_SIGNS = r"[\x00-/:-@\[-`{-\x7f]"
_PLAIN_BASE64 = "translate({0}, '-_', '+/')"


def _readable(units: tuple[str, ...], base: int) -> tuple[S, ...]:
    """A number in the largest unit that it has at least one of, with two digits."""
    names = literal(",".join(units))
    sql = f"penstock_ch_readable(CAST({{0}} AS DOUBLE), {base}D, {names})"
    return one(("number",), sql, STRING)


def _bits(arguments: Sequence[Expr]) -> str:
    """All bits of a number, in whole bytes without those that are 0 in front."""
    value = arguments[0]
    size, _ = INTEGERS[value.type.root]
    bits = f"bin({bits_of(value)})"
    own = f"if(length({bits}) > {size}, right({bits}, {size}), {bits})"
    return f"lpad({own}, CAST(ceil(length({own}) / 8.0D) * 8 AS INT), '0')"


def _bytes(arguments: Sequence[Expr]) -> str:
    """Bytes by their numbers, of which the last eight bits count."""
    each = (f"lpad(hex({bits_of(argument)} & 255L), 2, '0')" for argument in arguments)
    return f"CAST(unhex(concat({', '.join(each)})) AS STRING)"


def _group(arguments: Sequence[Expr]) -> str:
    """A group of the first match, the first one unless its number is given."""
    text, pattern = arguments[0].sql, arguments[1].sql
    place = arguments[2].sql if len(arguments) > 2 else str(min(group_count(pattern), 1))
    return f"regexp_extract({text}, {regex(pattern)}, CAST({place} AS INT))"


def _translated(arguments: Sequence[Expr]) -> str:
    text, known, others = (argument.sql for argument in arguments)
    sizes = [len((text_of(sql) or "").encode()) for sql in (known, others)]
    letters = [len(text_of(sql) or "") for sql in (known, others)]
    if sizes[1] > sizes[0] or sizes != letters:
        raise PlanError(
            "INVALID_QUERY",
            problem="translate takes letters of ASCII, and no more to write than to look for.",
            instead="",
        )
    return f"translate({text}, {known}, {others})"


def _token(arguments: Sequence[Expr]) -> str:
    """A word between other signs than letters and digits of ASCII."""
    word = text_of(arguments[1].sql) or ""
    if not re.fullmatch("[A-Za-z0-9\x80-\U0010ffff]+", word):
        raise PlanError(
            "INVALID_QUERY",
            problem="hasToken looks for one word of letters and digits.",
            instead="",
        )
    found = literal(f"(?s)(^|{_SIGNS}){re.escape(word)}($|{_SIGNS})")
    return f"({arguments[0].sql} RLIKE {found})"


def _any_case(build: Callable[[Sequence[Expr]], str]) -> Callable[[Sequence[Expr]], str]:
    def built(arguments: Sequence[Expr]) -> str:
        text, word = arguments
        low = literal((text_of(word.sql) or "").lower())
        return build([Expr(lowered(text.sql), text.type), Expr(low, word.type)])

    return built


def _decoded(form: str) -> tuple[S, ...]:
    return one(("string",), f"CAST(to_binary({form}, 'base64') AS STRING)", STRING)


_TWO = ("String", "literal string")
LETTERS: Table = {
    "formatReadableSize": _readable(_BINARY_UNITS, 1024),
    "formatReadableDecimalSize": _readable(_DECIMAL_UNITS, 1000),
    "formatReadableQuantity": _readable(_QUANTITIES, 1000),
    "bin": (
        S(("integer",), _bits, STRING),
        S(
            ("string",),
            "array_join(transform(regexp_extract_all(hex({0}), '..', 0), "
            "x -> lpad(conv(x, 16, 2), 8, '0')), '')",
            STRING,
        ),
    ),
    "char": one(("integer",), _bytes, STRING, variadic=True),
    "regexpExtract": (
        S(_TWO, _group, STRING),
        S((*_TWO, "literal integer"), _group, STRING),
    ),
    "translate": one(("String", "literal string", "literal string"), _translated, STRING),
    "translateUTF8": one(
        ("String", "literal string", "literal string"), "translate({0}, {1}, {2})", STRING
    ),
    "hasToken": one(_TWO, _token, TRUTH),
    "hasTokenCaseInsensitive": one(_TWO, _any_case(_token), TRUTH),
    "tokens": one(
        ("String",),
        lambda a: f"filter(split({a[0].sql}, {literal(f'{_SIGNS}+')}, -1), x -> x <> '')",
        _STRINGS,
    ),
    "startsWithUTF8": one(("string", "string"), "startswith({0}, {1})", TRUTH),
    "endsWithUTF8": one(("string", "string"), "endswith({0}, {1})", TRUTH),
    "editDistanceUTF8": one(
        ("String", "String"),
        # Beside nothing the bytes of the other are counted.
        COUNT.format(
            "if({0} = '' OR {1} = '', octet_length(concat({0}, {1})), levenshtein({0}, {1}))"
        ),
        UINT64,
    ),
    "toValidUTF8": one(("String",), "make_valid_utf8({0})", STRING),
    "tryBase64Decode": one(
        ("string",), "coalesce(CAST(try_to_binary({0}, 'base64') AS STRING), '')", STRING
    ),
    "base64URLEncode": one(
        ("string",),
        "rtrim('=', translate(base64(CAST({0} AS BINARY)), '+/', '-_'))",
        STRING,
    ),
    "base64URLDecode": _decoded(_PLAIN_BASE64),
}
