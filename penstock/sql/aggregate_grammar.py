"""The syntax of aggregates with words of their own: `ARRAY_AGG(x IGNORE NULLS)` and the JSON ones.

A call becomes an `exp.Anonymous` whose last argument is a literal that says what becomes of NULLs;
`sql.functions.aggregate` has a signature for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

if TYPE_CHECKING:
    from collections.abc import Callable

# The parser's own helpers are protected; these functions are a part of it.
Parser = Any


def _value(parser: Parser) -> exp.Expr:
    """`[ALL | DISTINCT] value`."""
    distinct = parser._match(TokenType.DISTINCT)
    if not distinct:
        parser._match_text_seq("ALL")
    value = parser._parse_disjunction()
    return exp.Distinct(expressions=[value]) if distinct else value


def _array_agg(parser: Parser) -> exp.Expr:
    arguments = [_value(parser)]
    if parser._match_text_seq("IGNORE", "NULLS"):
        arguments.append(exp.Boolean(this=True))
    else:
        parser._match_text_seq("RESPECT", "NULLS")
    return exp.Anonymous(this="ARRAY_AGG", expressions=arguments)


def _nulls(parser: Parser, *, default: bool) -> exp.Boolean:
    if parser._match_text_seq("NULL", "ON", "NULL"):
        return exp.Boolean(this=True)
    return exp.Boolean(this=default and not parser._match_text_seq("ABSENT", "ON", "NULL"))


def _json_arrayagg(parser: Parser) -> exp.Expr:
    value = _value(parser)
    parser._match_text_seq("ABSENT", "ON", "NULL")
    nulls = _nulls(parser, default=False)
    return exp.Anonymous(this="JSON_ARRAYAGG", expressions=[value, nulls])


def _json_objectagg(parser: Parser) -> exp.Expr:
    if parser._next and parser._next.text.upper() not in ("VALUE", ":", "."):
        parser._match_text_seq("KEY")
    key = parser._parse_column() or parser._parse_primary()
    if key is None or not (parser._match_text_seq("VALUE") or parser._match(TokenType.COLON)):
        parser.raise_error("Expected `KEY name VALUE value`")
    value = parser._parse_disjunction()
    nulls = _nulls(parser, default=True)
    return exp.Anonymous(this="JSON_OBJECTAGG", expressions=[key, value, nulls])


AGGREGATE_CALLS: dict[str, Callable[[Parser], exp.Expr]] = {
    "ARRAY_AGG": _array_agg,
    "JSON_ARRAYAGG": _json_arrayagg,
    "JSON_OBJECTAGG": _json_objectagg,
}
