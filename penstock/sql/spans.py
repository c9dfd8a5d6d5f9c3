"""Where a parsed node or a token stands in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.span import Span

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.tokenizer_core import Token


def token_span(token: Token) -> Span:
    """The span of one token; sqlglot counts the column of its last character."""
    length = max(1, token.end - token.start + 1)
    return Span(token.line, max(1, token.col - length + 1), length)


def node_span(node: exp.Expr | None) -> Span | None:
    """The span of the first part of a node that knows its place."""
    if node is None:
        return None
    for part in node.walk(bfs=False):
        if "line" in part.meta:
            start, end = part.meta["start"], part.meta["end"]
            length = max(1, end - start + 1)
            return Span(part.meta["line"], max(1, part.meta["col"] - length + 1), length)
    return None
