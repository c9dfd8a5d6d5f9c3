"""Text → statements: decides the dialect, has its grammar read the script.

`parse` is called by the command line and by `Session`; it needs neither Spark nor Kafka.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.errors import PenstockError, SqlError
from penstock.sql.depth import nesting
from penstock.sql.detect import detect, said
from penstock.sql.dialects import grammar
from penstock.sql.spans import span_at
from penstock.sql.statements import Mistake, Script

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.model.span import Span
    from penstock.sql.dialects import Grammar
    from penstock.sql.statements import Statement

_VARIABLE = re.compile(r"\$\{([A-Za-z_][\w.-]*)\}")


def parse(text: str, dialect: str | None = None) -> Script:
    """The statements of a script, in order; one that cannot be read is a `Mistake` in its place."""
    chosen, reason = _choose(text, dialect)
    note = (
        f"The script is read as {chosen.title}, because {reason}; `-- dialect: NAME` at the top "
        "decides otherwise."
    )
    with nesting(_deepest(text)):
        statements = tuple(_explained(statement, note) for statement in chosen.statements(text))
    if not statements:
        raise SqlError("EMPTY_SCRIPT")
    return Script(statements, chosen.name, reason)


def _deepest(text: str) -> Span:
    """Where the most brackets are open."""
    depth, most, place = 0, 0, 0
    for position, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth > most:
            most, place = depth, position
    return span_at(text, place, 1)


def _choose(text: str, dialect: str | None) -> tuple[Grammar, str]:
    if dialect:
        return grammar(dialect, None), f"`{dialect}` was asked for"
    if found := said(text):
        name, span = found
        return grammar(name, span), f"line {span.line} says so"
    name, reason = detect(text)
    return grammar(name, None), reason


def _explained(statement: Statement, note: str) -> Statement:
    """A syntax error that gives no advice tells which dialect was assumed."""
    if not isinstance(statement, Mistake):
        return statement
    return replace(statement, error=_with_note(statement.error, note))


def _with_note(error: PenstockError, note: str) -> PenstockError:
    if error.code != "SYNTAX_ERROR" or error.advice:
        return error
    noted = SqlError(
        "SYNTAX_ERROR", span=error.span, problem=error.facts["problem"], dialect_note=note
    )
    noted.also = error.also
    return noted


def fill_variables(text: str, values: Mapping[str, str]) -> str:
    """The text with each `${NAME}` replaced by its value."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in values:
            span = span_at(text, match.start(), len(match[0]))
            raise SqlError("UNDEFINED_VARIABLE", span=span, name=name)
        return values[name]

    return _VARIABLE.sub(value, text)
