"""Flink's statements: a script's text → `Statement`s, each mistake in its place.

`statements` is what `sql.dialects` lists for Flink; a dialect that is nearly Flink's subclasses
`FlinkGrammar` and replaces its cursor or entries of its tables.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from sqlglot.errors import ParseError

from penstock.errors import SqlError
from penstock.model.span import Span
from penstock.sql.cursor import Cursor
from penstock.sql.flink import Flink
from penstock.sql.grammar import alter, databases, queries, settings, show, tables
from penstock.sql.grammar.refused import REFUSED, refuse
from penstock.sql.spans import shown_token, token_span
from penstock.sql.split import created_name, split
from penstock.sql.statements import Mistake, Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlglot.tokenizer_core import Token

    from penstock.sql.hints import Hint
    from penstock.sql.statements import Statement

_MISSING = re.compile(r"Required keyword: '\w+' missing for <class '[\w.]+\.(\w+)'>")
_LONGEST = 4
_SUPPORTED = (
    "CREATE/ALTER/DROP TABLE, VIEW and DATABASE, CREATE/DROP CATALOG and FUNCTION, USE, INSERT, "
    "SELECT, EXECUTE STATEMENT SET BEGIN … END, SET, RESET, SHOW, DESCRIBE, EXPLAIN"
)


class FlinkGrammar:
    """One reading of a script."""

    DIALECT: ClassVar[type[Flink]] = Flink
    CURSOR: ClassVar[type[Cursor]] = Cursor

    def __init__(self, text: str) -> None:
        self._text = text
        self._dialect = self.DIALECT()
        self._cursor = self.CURSOR(dialect=self._dialect)
        self._set: Span | None = None
        self._explained = False

    def statements(self) -> Iterator[Statement]:
        """The statements in order; one that cannot be read is a `Mistake` in its place."""
        for part in split(self._dialect, self._text):
            if isinstance(part, SqlError):
                yield Mistake(part)
                continue
            try:
                statement = self._read(part)
            except SqlError as error:
                yield Mistake(error, created_name(part))
                continue
            yield from map(_note, self._cursor.hints)
            if statement:
                yield statement
        if self._set:
            yield Mistake(_syntax(self._set, "The statement set has no END."))

    def _read(self, tokens: list[Token]) -> Statement | None:
        cursor = self._cursor
        cursor.begin(tokens, self._text)
        try:
            statement = self._in_set(cursor) if self._set else self._opened(cursor)
            cursor.end()
        except ParseError as error:
            raise _located(error, tokens) from error
        return statement

    def _opened(self, cursor: Cursor) -> Statement | None:
        span = cursor.place
        for opener in (("EXECUTE", "STATEMENT", "SET", "BEGIN"), ("BEGIN", "STATEMENT", "SET")):
            if cursor.word(*opener):
                self._set, self._explained = span, False
                return None if cursor.at_end else self._in_set(cursor)
        if cursor.word("EXPLAIN", "STATEMENT", "SET", "BEGIN"):
            self._set, self._explained = span, True
            return self._in_set(cursor)
        return self._statement(cursor)

    def _in_set(self, cursor: Cursor) -> Statement | None:
        """Each INSERT of a statement set is a query of its own."""
        if cursor.word("END"):
            self._set = None
            return None
        if not cursor.sees("INSERT"):
            cursor.fail("expected INSERT or END inside a statement set")
        if self._explained:
            return queries.explain(cursor, cursor.place, self._statement)
        return self._statement(cursor)

    def _statement(self, cursor: Cursor) -> Statement:
        words = cursor.words(_LONGEST)
        for length in range(len(words), 0, -1):
            read = self.STATEMENTS.get(words[:length])
            if read:
                first, span = cursor.index, cursor.place
                cursor.skip(length)
                return read(self, cursor, first, span)
            if words[:length] in REFUSED:
                raise refuse(words[:length], cursor.place)
        raise SqlError(
            "UNSUPPORTED_STATEMENT",
            span=cursor.place,
            statement=" ".join(cursor.words(2, upper=False)),
            supported=_SUPPORTED,
        )

    def _create(self, cursor: Cursor, first: int, span: Span) -> Statement:
        replaces = cursor.word("OR", "REPLACE") or cursor.word("OR", "ALTER")
        temporary = cursor.word("TEMPORARY")
        system = temporary and cursor.word("SYSTEM")
        if cursor.word("FUNCTION") and not replaces:
            return databases.create_function(cursor, temporary=temporary, span=span)
        if system or replaces:
            raise refuse(("CREATE OR REPLACE",) if replaces else ("CREATE SYSTEM",), span)
        if cursor.word("TABLE"):
            return tables.create_table(cursor, temporary=temporary, span=span)
        if cursor.word("VIEW"):
            return queries.create_view(cursor, temporary=temporary, span=span)
        if not temporary:
            for kind in ("DATABASE", "CATALOG"):
                if cursor.word(kind):
                    return databases.create_database(cursor, kind, span)
        return self._unknown(cursor, first, span)

    def _drop(self, cursor: Cursor, first: int, span: Span) -> Statement:
        temporary = cursor.word("TEMPORARY")
        if temporary:
            cursor.word("SYSTEM")
        if cursor.word("FUNCTION"):
            return databases.drop_function(cursor, span)
        for kind in ("TABLE", "VIEW"):
            if cursor.word(kind):
                return databases.drop_table(cursor, kind, temporary=temporary, span=span)
        if not temporary:
            for database in ("DATABASE", "CATALOG"):
                if cursor.word(database):
                    return databases.drop_database(cursor, database, span)
        return self._unknown(cursor, first, span)

    def _unknown(self, cursor: Cursor, first: int, span: Span) -> Statement:
        cursor.rewind(first)
        raise SqlError(
            "UNSUPPORTED_STATEMENT",
            span=span,
            statement=" ".join(cursor.words(2, upper=False)),
            supported=_SUPPORTED,
        )

    def _execute(self, cursor: Cursor, first: int, span: Span) -> Statement:
        """`EXECUTE INSERT …` is the INSERT."""
        if not cursor.sees("INSERT") and not cursor.sees("SELECT") and not cursor.sees("WITH"):
            cursor.fail("expected INSERT, SELECT or STATEMENT SET BEGIN")
        return self._statement(cursor)

    STATEMENTS: ClassVar[dict[tuple[str, ...], Callable[..., Statement]]] = {
        ("ADD", "JAR"): lambda self, c, first, span: settings.without_effect(c, "ADD JAR", span),
        ("ALTER", "DATABASE"): lambda self, c, first, span: alter.alter_database(c),
        ("ALTER", "TABLE"): lambda self, c, first, span: alter.alter_table(c),
        ("ALTER", "VIEW"): lambda self, c, first, span: alter.alter_view(c),
        ("CREATE",): _create,
        ("DESC",): lambda self, c, first, span: show.describe(c),
        ("DESCRIBE",): lambda self, c, first, span: show.describe(c),
        ("DROP",): _drop,
        ("EXECUTE",): _execute,
        ("EXPLAIN",): lambda self, c, first, span: queries.explain(c, span, self._statement),
        ("INSERT",): lambda self, c, first, span: queries.insert(c, first),
        ("REMOVE", "JAR"): lambda self, c, first, span: settings.without_effect(
            c, "REMOVE JAR", span
        ),
        ("RESET",): lambda self, c, first, span: settings.reset_option(c, span),
        ("SELECT",): lambda self, c, first, span: queries.select(c, first),
        ("SET",): lambda self, c, first, span: settings.set_option(c, span),
        ("SHOW",): lambda self, c, first, span: show.show(c, span),
        ("USE",): lambda self, c, first, span: databases.use(c, span),
        ("VALUES",): lambda self, c, first, span: queries.select(c, first),
        ("WITH",): lambda self, c, first, span: queries.select(c, first),
        ("(",): lambda self, c, first, span: queries.select(c, first),
    }


def statements(text: str) -> Iterator[Statement]:
    """The statements of a script in Flink's SQL."""
    return FlinkGrammar(text).statements()


def _note(hint: Hint) -> Note:
    return Note(f"the hint {hint.name} has no effect here", hint.span)


def _syntax(span: Span, problem: str) -> SqlError:
    return SqlError("SYNTAX_ERROR", span=span, problem=problem, dialect_note="")


def _located(error: ParseError, tokens: list[Token]) -> SqlError:
    """sqlglot's error as ours."""
    facts = error.errors[0] if error.errors else {}
    shown = facts.get("highlight") or ""
    description = _readable(facts.get("description") or str(error))
    if not shown or "\n" in shown:
        return _syntax(token_span(tokens[-1]), f"Syntax error: {description}.")
    column = max(1, facts["col"] - len(shown) + 1)
    span = Span(facts["line"], column, max(1, len(shown)))
    return _syntax(span, f"Syntax error at `{shown_token(shown)}`: {description}.")


def _readable(description: str) -> str:
    """sqlglot's sentence in a user's words."""
    missing = _MISSING.match(description)
    if missing:
        return f"an expression is missing in {missing[1].upper()}"
    if description.startswith("Invalid expression"):
        return "this was not expected here"
    sentence = description.split(" but got <Token")[0].rstrip(".")
    return sentence[:1].lower() + sentence[1:]
