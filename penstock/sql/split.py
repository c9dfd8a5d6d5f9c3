"""A script's text → the tokens of each statement; what cannot be cut into tokens is an error.

Where a quote is not closed, the statements before it are still found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from penstock.errors import SqlError
from penstock.sql.names import joined
from penstock.sql.spans import span_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlglot.dialects.dialect import Dialect

# Texts, names in back-ticks, comments; what is left of one that nothing closes; the semicolon.
_PIECE = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|/\*.*?\*/|['"`]|/\*|;""", re.DOTALL
)
_OPENERS = ("'", '"', "`", "/*")
_HEX = re.compile(r"\b[xX]'(?![0-9a-fA-F]*')[^']*'")
_CREATED = ("TABLE", "VIEW")


def split(dialect: Dialect, text: str) -> Iterator[list[Token] | SqlError]:
    """The tokens of each statement, in order."""
    try:
        yield from _chunks(dialect.tokenize(text))
    except TokenError:
        yield from _piece_by_piece(dialect, text)


def _chunks(tokens: list[Token]) -> Iterator[list[Token]]:
    chunk: list[Token] = []
    for token in tokens:
        if token.token_type == TokenType.SEMICOLON:
            if chunk:
                yield chunk
            chunk = []
        else:
            chunk.append(token)
    if chunk:
        yield chunk


def _piece_by_piece(dialect: Dialect, text: str) -> Iterator[list[Token] | SqlError]:
    """Each statement by itself, as far as quotes are closed."""
    begin = 0
    for piece in _PIECE.finditer(text):
        if piece[0] == ";":
            yield from _part(dialect, text, begin, piece.start())
            begin = piece.end()
        elif piece[0] in _OPENERS:
            yield _not_closed(text, begin, piece.start())
            return
    yield from _part(dialect, text, begin, len(text))


def _part(dialect: Dialect, text: str, begin: int, end: int) -> Iterator[list[Token] | SqlError]:
    # Blanks in place of what stands before keep every position true.
    before = re.sub(r"[^\n]", " ", text[:begin])
    try:
        yield from _chunks(dialect.tokenize(before + text[begin:end]))
    except TokenError:
        bad = _HEX.search(text, begin, end)
        at = bad.start() if bad else begin + len(text[begin:end]) - len(text[begin:end].lstrip())
        yield _error(text, at, len(bad[0]) if bad else 1, "This cannot be read.")


def _not_closed(text: str, begin: int, at: int) -> SqlError:
    """A text that goes on behind `;` and a line's end is the one that was not closed."""
    for piece in _PIECE.finditer(text, begin, at):
        if piece[0][0] in "'\"`" and ";\n" in piece[0]:
            at = piece.start()
            break
    length = 2 if text.startswith("/*", at) else 1
    problem = "A quoted text, quoted name or comment is not closed."
    return _error(text, at, length, problem)


def _error(text: str, at: int, length: int, problem: str) -> SqlError:
    return SqlError(
        "SYNTAX_ERROR", span=span_at(text, at, length), problem=problem, dialect_note=""
    )


def created_name(tokens: list[Token]) -> str:
    """The table or view that a statement would create, as far as can be told."""
    words = [token.text.upper() for token in tokens[:8]]
    kind = next((i for i, word in enumerate(words) if word in _CREATED), 0)
    if words[0] != "CREATE" or not kind:
        return ""
    position = kind + 1 + (3 if words[kind + 1 : kind + 4] == ["IF", "NOT", "EXISTS"] else 0)
    parts = []
    while position < len(tokens):
        parts.append(tokens[position].text)
        if position + 1 >= len(tokens) or tokens[position + 1].token_type != TokenType.DOT:
            break
        position += 2
    return joined(parts)
