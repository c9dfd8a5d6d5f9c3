"""Hints: `/*+ OPTIONS('k' = 'v') */` behind a table, and those that change nothing here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import SqlError
from penstock.model.option import OptionValue
from penstock.sql.spans import span_at

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.tokenizer_core import Token

    from penstock.model.span import Span

OPTIONS = "OPTIONS"
_META = "hint_options"
_TEXT = r"""'(?:[^']|'')*'|"(?:[^"]|"")*\""""
_HINT = re.compile(rf"\s*([A-Za-z_]\w*)\s*(?:\(((?:{_TEXT}|[^()'\"])*)\))?\s*(,|$)?", re.DOTALL)
_PAIR = re.compile(rf"\s*({_TEXT}|[\w.-]+)\s*=\s*({_TEXT})\s*(,|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint by its upper-case name; `options` are those of OPTIONS."""

    name: str
    options: tuple[OptionValue, ...]
    span: Span


def read_hints(token: Token, text: str, *, allow_options: bool) -> list[Hint]:
    """The hints inside one `/*+ … */` of the script `text`."""
    begin = token.start + len("/*+")
    inside = text[begin : token.end + 1 - len("*/")]
    hints, position = [], 0
    while inside[position:].strip():
        match = _HINT.match(inside, position)
        if not match or (match.end() == position):
            raise _malformed(text, begin + position)
        name, span = match[1].upper(), span_at(text, begin + match.start(1), len(match[1]))
        if name == OPTIONS and not allow_options:
            raise SqlError(
                "SYNTAX_ERROR",
                span=span,
                problem="The hint OPTIONS stands behind the name of a table.",
                dialect_note="",
            )
        given = _pairs(match, begin, text) if name == OPTIONS else ()
        hints.append(Hint(name, given, span))
        position = match.end()
    return hints


def set_options(table: exp.Table, hints: list[Hint]) -> None:
    """Keep a table's options beside its name, where `hint_options` finds them."""
    given = tuple(option for hint in hints for option in hint.options)
    if given:
        table.meta[_META] = given


def give_option(table: exp.Table, option: OptionValue) -> None:
    """Say one option of a table as a hint would."""
    table.meta[_META] = (*hint_options(table), option)


def hint_options(table: exp.Expr) -> tuple[OptionValue, ...]:
    """The options that a hint gives a table where it is used."""
    found: tuple[OptionValue, ...] = table.meta.get(_META, ())
    return found


def _pairs(hint: re.Match[str], begin: int, text: str) -> tuple[OptionValue, ...]:
    body, offset = hint[2] or "", begin + hint.start(2)
    options: list[OptionValue] = []
    position = 0
    while position < len(body) or not options:
        pair = _PAIR.match(body, position)
        if not pair:
            raise _malformed(text, offset + position)
        span = span_at(text, offset + pair.start(1), len(pair[1]))
        options.append(OptionValue(_unquoted(pair[1]), _unquoted(pair[2]), span))
        position = pair.end()
    if body.rstrip().endswith(","):
        raise _malformed(text, offset + len(body.rstrip()) - 1)
    return tuple(options)


def _unquoted(text: str) -> str:
    quote = text[0]
    return text[1:-1].replace(quote * 2, quote) if quote in "'\"" else text


def _malformed(text: str, start: int) -> SqlError:
    return SqlError(
        "SYNTAX_ERROR",
        span=span_at(text, start),
        problem="The hint cannot be read.",
        dialect_note="Write /*+ OPTIONS('key' = 'value', …) */ behind the name of a table.",
    )
