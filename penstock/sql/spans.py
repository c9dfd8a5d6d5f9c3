"""Where a parsed node or a token stands in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot.tokenizer_core import TokenType

from penstock.model.span import Span

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.tokenizer_core import Token


_SOME_TEXT = "'…'"


def token_span(token: Token) -> Span:
    """The span of one token; sqlglot counts the line and the column of its last character."""
    length = max(1, token.end - token.start + 1)
    lines = token.text.count("\n")
    return Span(token.line - lines, max(1, token.col - length + 1), length)


def shown_token(token: Token | str) -> str:
    """A token, or a piece of the script, in an error; a text may be a password."""
    if isinstance(token, str):
        return _SOME_TEXT if token[:1] == "'" else token
    return _SOME_TEXT if token.token_type == TokenType.STRING else str(token.text)


def between(first: Token, last: Token) -> Span:
    """From one token to another if they stand on one line, else the first."""
    if first.line != last.line or last.end < first.start:
        return token_span(first)
    return Span(first.line, token_span(first).column, last.end - first.start + 1)


def span_at(text: str, start: int, length: int = 1) -> Span:
    """The span of a piece of the text, given by its offset."""
    line = text.count("\n", 0, start) + 1
    return Span(line, start - text.rfind("\n", 0, start), max(1, length))


def cover(node: exp.Expr, first: Token, last: Token) -> None:
    """Tell a node its place: from one token to another if they stand on one line."""
    if first.line == last.line:
        node.update_positions(line=first.line, col=last.col, start=first.start, end=last.end)
    else:
        node.update_positions(first)


def node_span(node: exp.Expr | None) -> Span | None:
    """The span of a node: all of it if it stands on one line, else its beginning."""
    if node is None:
        return None
    placed = [part.meta for part in node.walk() if "line" in part.meta]
    if not placed:
        return None
    first = min(placed, key=lambda meta: (meta["start"], -meta["end"]))
    last = max(placed, key=lambda meta: meta["end"])
    length = first["end"] - first["start"] + 1
    column = max(1, first["col"] - length + 1)
    if first["line"] == last["line"]:
        length = last["end"] - first["start"] + 1
    return Span(first["line"], column, max(1, length))
