"""The syntax of Flink's JSON calls: `JSON_VALUE(… RETURNING … DEFAULT … ON EMPTY)` and such.

A call becomes an `exp.Anonymous` with its plain arguments first, then one `exp.Kwarg` per clause,
named by the clause's words: what it means is decided by `plan.json_forms`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

if TYPE_CHECKING:
    from collections.abc import Callable

# The parser's own helpers are protected; these functions are a part of it.
Parser = Any

_VALUE_BEHAVIOURS = ("NULL", "ERROR")
_QUERY_BEHAVIOURS = ("NULL", "ERROR", "EMPTY ARRAY", "EMPTY OBJECT")
_EXISTS_BEHAVIOURS = ("TRUE", "FALSE", "UNKNOWN", "ERROR")
_WRAPPERS = {
    "WITHOUT ARRAY WRAPPER": "WITHOUT",
    "WITHOUT WRAPPER": "WITHOUT",
    "WITH CONDITIONAL ARRAY WRAPPER": "CONDITIONAL",
    "WITH CONDITIONAL WRAPPER": "CONDITIONAL",
    "WITH UNCONDITIONAL ARRAY WRAPPER": "UNCONDITIONAL",
    "WITH UNCONDITIONAL WRAPPER": "UNCONDITIONAL",
    "WITH ARRAY WRAPPER": "UNCONDITIONAL",
    "WITH WRAPPER": "UNCONDITIONAL",
}


def _clause(name: str, value: exp.Expr | str) -> exp.Kwarg:
    return exp.Kwarg(
        this=exp.Var(this=name), expression=exp.Var(this=value) if isinstance(value, str) else value
    )


def _words(parser: Parser, text: str) -> bool:
    return bool(parser._match_text_seq(*text.split()))


def _value(parser: Parser) -> exp.Expr:
    value: exp.Expr | None = parser._parse_disjunction()
    if value is None:
        parser.raise_error("Expected a value")
    return value or exp.Null()


def _behaviours(parser: Parser, behaviours: tuple[str, ...], *ends: str) -> list[exp.Kwarg]:
    """`NULL ON EMPTY`, `DEFAULT x ON ERROR`, …, as long as they come."""
    found: list[exp.Kwarg] = []
    while True:
        for behaviour in behaviours:
            end = next((e for e in ends if _words(parser, f"{behaviour} ON {e}")), None)
            if end:
                found.append(_clause(f"ON {end}", behaviour))
                break
        else:
            return found


def _value_behaviours(parser: Parser) -> list[exp.Kwarg]:
    found: list[exp.Kwarg] = []
    while True:
        plain = _behaviours(parser, _VALUE_BEHAVIOURS, "EMPTY", "ERROR")
        found += plain
        if _words(parser, "DEFAULT"):
            value = _value(parser)
            end = next((e for e in ("EMPTY", "ERROR") if _words(parser, f"ON {e}")), None)
            if end is None:
                parser.raise_error("Expected ON EMPTY or ON ERROR after DEFAULT")
            found.append(_clause(f"DEFAULT ON {end}", value))
        elif not plain:
            return found


def _returning(parser: Parser) -> list[exp.Kwarg]:
    if not _words(parser, "RETURNING"):
        return []
    type_ = parser._parse_types()
    if type_ is None:
        parser.raise_error("Expected a type after RETURNING")
    if parser._prev.token_type == TokenType.NULL and parser._curr.text.upper() == "ON":
        # The NULL is not the type's but the one of NULL ON EMPTY.
        parser._retreat(parser._index - 1)
    return [_clause("RETURNING", type_)]


def _text_and_path(parser: Parser) -> list[exp.Expr]:
    arguments: list[exp.Expr] = parser._parse_csv(parser._parse_disjunction)
    return arguments


def _json_value(parser: Parser) -> exp.Expr:
    arguments = _text_and_path(parser)
    clauses = [*_returning(parser), *_value_behaviours(parser)]
    return exp.Anonymous(this="JSON_VALUE", expressions=[*arguments, *clauses])


def _json_query(parser: Parser) -> exp.Expr:
    arguments = _text_and_path(parser)
    clauses = _returning(parser)
    wrapper = next((kind for words, kind in _WRAPPERS.items() if _words(parser, words)), None)
    if wrapper:
        clauses.append(_clause("WRAPPER", wrapper))
    clauses += _behaviours(parser, _QUERY_BEHAVIOURS, "EMPTY", "ERROR")
    return exp.Anonymous(this="JSON_QUERY", expressions=[*arguments, *clauses])


def _json_exists(parser: Parser) -> exp.Expr:
    arguments = _text_and_path(parser)
    clauses = _behaviours(parser, _EXISTS_BEHAVIOURS, "ERROR")
    return exp.Anonymous(this="JSON_EXISTS", expressions=[*arguments, *clauses])


def _pair(parser: Parser) -> exp.Tuple:
    """`[KEY] key VALUE value` or `key : value`."""
    if parser._next and parser._next.token_type == TokenType.STRING:
        _words(parser, "KEY")
    key = parser._parse_primary()
    if key is None or not (_words(parser, "VALUE") or parser._match(TokenType.COLON)):
        parser.raise_error("Expected `KEY 'name' VALUE value`")
    return exp.Tuple(expressions=[key, _value(parser)])


def _constructed(name: str, item: Callable[[Parser], exp.Expr]) -> Callable[[Parser], exp.Expr]:
    def parse(parser: Parser) -> exp.Expr:
        items: list[exp.Expr] = []
        if not (parser._curr and parser._curr.token_type == TokenType.R_PAREN):
            items = parser._parse_csv(lambda: item(parser))
        clauses = _behaviours(parser, ("NULL", "ABSENT"), "NULL")
        return exp.Anonymous(this=name, expressions=[*items, *clauses])

    return parse


JSON_CALLS: dict[str, Callable[[Parser], exp.Expr]] = {
    "JSON_ARRAY": _constructed("JSON_ARRAY", _value),
    "JSON_EXISTS": _json_exists,
    "JSON_OBJECT": _constructed("JSON_OBJECT", _pair),
    "JSON_QUERY": _json_query,
    "JSON_VALUE": _json_value,
}
