"""A key of a table as the script wrote it → its expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.sql.clickhouse.cursor import Cursor
from penstock.sql.clickhouse.dialect import ClickHouse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlglot.tokenizer_core import Token


def parts_of(text: str) -> list[exp.Expr]:
    """The expressions of a key."""
    return elements(expression_of(text))


def elements(node: exp.Expr) -> list[exp.Expr]:
    """What stands in a tuple, or the one expression."""
    node = _bare(node)
    return list(node.expressions) if _is_tuple(node) else [node]


def _bare(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def leaves_of(text: str) -> list[exp.Expr]:
    """The expressions of a key, those of a tuple inside of it one by one."""
    return _leaves(expression_of(text)) if text else []


def _leaves(node: exp.Expr) -> list[exp.Expr]:
    node = _bare(node)
    return (
        [leaf for one in node.expressions for leaf in _leaves(one)] if _is_tuple(node) else [node]
    )


def inner_text(text: str) -> str:
    """A key as system tables show it: a tuple without the parentheses around it."""
    text = without_directions(text)
    if not text or not _is_tuple(expression_of(text)):
        return text
    return text[text.index("(") + 1 : text.rindex(")")].strip()


def expression_of(text: str) -> exp.Expr:
    """A key, or one of its expressions."""
    plain = without_directions(text)
    return Cursor(ClickHouse().tokenize(plain), plain).expression()


def without_directions(text: str) -> str:
    """A key without ASC and DESC behind its expressions: rows are laid out from the least on."""
    tokens = ClickHouse().tokenize(text)
    for token in reversed([tokens[at] for at in _directions(tokens)]):
        text = text[: token.start].rstrip() + text[token.end + 1 :]
    return text


def _directions(tokens: list[Token]) -> Iterator[int]:
    """Where the directions are: behind the one expression, or behind those of the outer tuple."""
    words = [token.text.upper() for token in tokens]
    outer, depth = int(words[:1] == ["("] or words[:2] == ["TUPLE", "("]), 0
    for at, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        is_last = [*words, ")"][at + 1] in (",", ")")
        is_first = at == 0 or words[at - 1] in (",", "(")
        if word in ("ASC", "DESC") and depth <= outer and is_last and not is_first:
            yield at


def _is_tuple(node: exp.Expr) -> bool:
    is_call = isinstance(node, exp.Anonymous) and node.name.lower() == "tuple"
    return is_call or isinstance(node, exp.Tuple)


def columns_of(text: str) -> frozenset[str]:
    """The columns that a key is made of, also those inside of its expressions."""
    parts = parts_of(text) if text else []
    found = (column for part in parts for column in part.find_all(exp.Column))
    return frozenset(map(dotted, found))


def dotted(column: exp.Column) -> str:
    """The name of a column, of a Nested with its part."""
    return ".".join(part.name for part in column.parts)
