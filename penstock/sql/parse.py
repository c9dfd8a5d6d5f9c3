"""Text → statements: splits a script, parses each part with its dialect, keeps every position.

`parse` is called by `catalog` and the command line; it needs neither Spark nor Kafka.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from penstock.errors import SqlError
from penstock.model.span import Span
from penstock.sql import ddl
from penstock.sql.flink import Flink
from penstock.sql.spans import node_span, token_span
from penstock.sql.statements import (
    CreateView,
    Drop,
    Insert,
    Mistake,
    ResetOption,
    Script,
    SetOption,
    Statement,
)
from penstock.sql.understood import check_understood

if TYPE_CHECKING:
    from collections.abc import Mapping

_VARIABLE = re.compile(r"\$\{([A-Za-z_][\w.-]*)\}")
_MISSING = re.compile(r"Required keyword: '\w+' missing for <class '[\w.]+\.(\w+)'>")
_SUPPORTED = (
    "CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW, INSERT INTO … SELECT, SET, RESET, "
    "EXECUTE STATEMENT SET BEGIN … END"
)
_OTHER_OBJECTS = ("CATALOG", "DATABASE", "FUNCTION", "MODEL", "CONNECTION")
# Lines that only open or close a statement set: each INSERT inside is a query of its own.
_SET_OPENERS = (("EXECUTE", "STATEMENT", "SET", "BEGIN"), ("BEGIN", "STATEMENT", "SET"))


def parse(text: str) -> Script:
    """The statements of a script, in order; one that cannot be read is a `Mistake` in its place."""
    dialect = Flink()
    statements: list[Statement] = []
    for tokens in _split(_tokenize(dialect, text)):
        try:
            statements.append(_statement(dialect, tokens, text))
        except SqlError as error:
            statements.append(Mistake(error))
    if not statements:
        raise SqlError("EMPTY_SCRIPT")
    return Script(tuple(statements), "flink", "it is the only one")


def fill_variables(text: str, values: Mapping[str, str]) -> str:
    """The text with each `${NAME}` replaced by its value."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in values:
            line = text.count("\n", 0, match.start()) + 1
            column = match.start() - text.rfind("\n", 0, match.start())
            raise SqlError("UNDEFINED_VARIABLE", span=Span(line, column, len(match[0])), name=name)
        return values[name]

    return _VARIABLE.sub(value, text)


def _tokenize(dialect: Flink, text: str) -> list[Token]:
    try:
        return dialect.tokenize(text)
    except TokenError as error:
        raise SqlError(
            "SYNTAX_ERROR",
            span=_last_open_quote(text),
            problem="A quoted text, quoted name or comment is not closed.",
            dialect_note="",
        ) from error


def _last_open_quote(text: str) -> Span:
    """Where the tokenizer gave up: the quote or comment that nothing closes."""
    opener, at, position = "", 0, 0
    closers = {"'": "'", '"': '"', "`": "`", "/*": "*/", "--": "\n"}
    while position < len(text):
        two, one = text[position : position + 2], text[position]
        if opener:
            if text.startswith(closers[opener], position):
                position += len(closers[opener]) - 1
                opener = ""
        elif two in closers or one in closers:
            opener, at = (two if two in closers else one), position
            position += len(opener) - 1
        position += 1
    line = text.count("\n", 0, at) + 1
    return Span(line, at - text.rfind("\n", 0, at), max(1, len(opener)))


def _split(tokens: list[Token]) -> list[list[Token]]:
    chunks: list[list[Token]] = [[]]
    for token in tokens:
        if token.token_type == TokenType.SEMICOLON:
            chunks.append([])
        else:
            chunks[-1].append(token)
    return [chunk for chunk in map(_without_statement_set, chunks) if chunk]


def _without_statement_set(chunk: list[Token]) -> list[Token]:
    words = tuple(token.text.upper() for token in chunk[:4])
    if words == ("END",):
        return []
    for opener in _SET_OPENERS:
        if words[: len(opener)] == opener:
            return chunk[len(opener) :]
    return chunk


def _statement(dialect: Flink, tokens: list[Token], text: str) -> Statement:
    word = tokens[0].text.upper()
    span = token_span(tokens[0])
    if word == "SET":
        return _set(tokens, text)
    if word == "RESET":
        return ResetOption(_key_text(tokens[1:]), span)
    _refuse_hints(tokens, text)
    kind = tokens[1].text.upper() if len(tokens) > 1 else ""
    if word not in ("CREATE", "INSERT", "DROP") or kind in _OTHER_OBJECTS:
        raise SqlError(
            "UNSUPPORTED_STATEMENT",
            span=span,
            statement=" ".join(token.text for token in tokens[:2]),
            supported=_SUPPORTED,
        )
    node = _parse_with_sqlglot(dialect, tokens, text)
    if isinstance(node, exp.Drop) and node.kind in ("TABLE", "VIEW"):
        return Drop(ddl.table_name(node.this), bool(node.args.get("exists")), span)
    if isinstance(node, exp.Insert):
        return _insert(node, text[tokens[0].start : tokens[-1].end + 1], span)
    if isinstance(node, exp.Create) and node.kind == "TABLE":
        return ddl.create_table(node, span)
    if isinstance(node, exp.Create) and node.kind == "VIEW":
        return _create_view(node, span)
    raise SqlError(
        "UNSUPPORTED_STATEMENT",
        span=span,
        statement=" ".join(token.text for token in tokens[:3]),
        supported=_SUPPORTED,
    )


def _parse_with_sqlglot(dialect: Flink, tokens: list[Token], text: str) -> exp.Expr:
    try:
        parsed = dialect.parser().parse(tokens, text)[0]
    except ParseError as error:
        facts = error.errors[0]
        shown = facts.get("highlight") or ""
        span = Span(facts["line"], max(1, facts["col"] - len(shown) + 1), max(1, len(shown)))
        raise SqlError(
            "SYNTAX_ERROR",
            span=span,
            problem=f"Syntax error at `{shown}`: {_readable(facts['description'])}.",
            dialect_note="The script is read as Flink SQL.",
        ) from error
    assert isinstance(parsed, exp.Expr)  # noqa: S101 — one chunk is one statement
    check_understood(parsed)
    return parsed


def _readable(description: str) -> str:
    """sqlglot's sentence in a user's words."""
    missing = _MISSING.match(description)
    if missing:
        return f"an expression is missing in {missing[1].upper()}"
    if description.startswith("Invalid expression"):
        return "this was not expected here"
    sentence = description.split(" but got <Token")[0]
    return sentence[0].lower() + sentence[1:]


def _refuse_hints(tokens: list[Token], text: str) -> None:
    ends = [*(token.start for token in tokens[1:]), len(text)]
    for token, end in zip(tokens, ends, strict=True):
        if "/*+" in text[token.end + 1 : end].partition(";")[0]:
            raise SqlError(
                "UNSUPPORTED_CLAUSE",
                span=token_span(token),
                clause="The hint `/*+ … */`",
                instead="Write the options into the WITH clause of the table.",
            )


def _set(tokens: list[Token], text: str) -> SetOption:
    span = token_span(tokens[0])
    equals = next((i for i, t in enumerate(tokens) if t.token_type == TokenType.EQ), 0)
    if equals < 2 or equals == len(tokens) - 1:
        raise SqlError(
            "SYNTAX_ERROR",
            span=span,
            problem="SET needs a key and a value.",
            dialect_note="Write SET 'key' = 'value'.",
        )
    value = tokens[equals + 1 :]
    raw = value[0].text if len(value) == 1 else text[value[0].start : value[-1].end + 1]
    return SetOption(_key_text(tokens[1:equals]), raw, span)


def _key_text(tokens: list[Token]) -> str:
    return "".join(token.text for token in tokens)


def _insert(node: exp.Insert, text: str, span: Span) -> Insert:
    if node.args.get("overwrite") or node.args.get("partition"):
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=span,
            clause="INSERT OVERWRITE or PARTITION",
            instead="Write INSERT INTO table SELECT ….",
        )
    target = node.this
    columns: tuple[str, ...] = ()
    if isinstance(target, exp.Schema):
        columns = tuple(column.name for column in target.expressions)
        target = target.this
    query = node.expression
    if not isinstance(query, exp.Query):
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=node_span(query) or span,
            clause="INSERT INTO … VALUES",
            instead="Use INSERT INTO … SELECT.",
        )
    return Insert(ddl.table_name(target), columns, query, text, node_span(target) or span)


def _create_view(node: exp.Create, span: Span) -> CreateView:
    target, columns = node.this, ()
    if isinstance(target, exp.Schema):
        columns = tuple(column.name for column in target.expressions)
        target = target.this
    return CreateView(
        ddl.table_name(target), columns, node.expression, bool(node.args.get("exists")), span
    )
