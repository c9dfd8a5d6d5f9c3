"""Text → ClickHouse's statements, in order; one that cannot be read is a `Mistake` in its place.

`statements` is called by `sql.parse` when the script's dialect is ClickHouse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from penstock.errors import SqlError
from penstock.sql.clickhouse import collections, ddl, upkeep
from penstock.sql.clickhouse.cursor import Cursor
from penstock.sql.clickhouse.dialect import ClickHouse
from penstock.sql.clickhouse.engine import read_settings
from penstock.sql.clickhouse.inline import Inline, without_data
from penstock.sql.clickhouse.query_settings import with_settings
from penstock.sql.clickhouse.statements import Formatted, InsertRows, Replace, SetSettings
from penstock.sql.spans import span_at, token_span
from penstock.sql.statements import (
    Describe,
    Explain,
    Insert,
    Mistake,
    Note,
    Select,
    SetOption,
    Show,
    Use,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from penstock.model.span import Span
    from penstock.sql.clickhouse.statements import AnyStatement


_SUPPORTED = (
    "CREATE DATABASE, TABLE, VIEW, MATERIALIZED VIEW and NAMED COLLECTION, ALTER TABLE and NAMED "
    "COLLECTION, ATTACH, DETACH, DROP, "
    "TRUNCATE, RENAME TABLE, REPLACE TABLE, EXCHANGE TABLES, DELETE, OPTIMIZE, SYSTEM, INSERT, "
    "SELECT, SET, USE, SHOW, DESCRIBE, EXISTS, EXPLAIN"
)


_NOT_CREATED = {
    "TEMPORARY": "Write CREATE TABLE, and DROP TABLE where it is no longer used.",
}

# What is created with rows or of them.
_MADE_OF_ROWS = ("MATERIALIZED", "TABLE", "VIEW")
# What answers without a query, and how many words it has at least.
_ANSWERED = ("DESC", "DESCRIBE", "EXISTS", "SHOW")
_LEAST_WORDS = 2


def statements(text: str) -> Iterator[AnyStatement]:
    """The statements of a script."""
    inline = without_data(text)
    for tokens in _split(_tokenize(inline.text)):
        try:
            # Notes of a statement come with it, or not at all.
            yield from [*_Reader(tokens, text, inline).statement()]
        except SqlError as error:
            yield Mistake(error)


def _tokenize(text: str) -> list[Token]:
    try:
        return ClickHouse().tokenize(text)
    except TokenError as error:
        raise SqlError(
            "SYNTAX_ERROR",
            span=span_at(text, max(0, len(text.rstrip()) - 1)),
            problem="A quoted text, quoted name or comment is not closed.",
            dialect_note="The script is read as ClickHouse SQL.",
        ) from error


def _split(tokens: list[Token]) -> list[list[Token]]:
    chunks: list[list[Token]] = [[]]
    for token in tokens:
        if token.token_type == TokenType.SEMICOLON:
            chunks.append([])
        else:
            chunks[-1].append(token)
    return [chunk for chunk in chunks if chunk]


def _upkeep(
    read: Callable[[Cursor, Span], Iterator[AnyStatement]],
) -> Callable[[_Reader], Iterator[AnyStatement]]:
    return lambda reader: read(reader.cursor, reader.span)


class _Reader:
    """Reads one statement: a method for each first word."""

    def __init__(self, tokens: list[Token], text: str, inline: Inline) -> None:
        self.cursor = Cursor(tokens, text)
        self.inline = inline
        self.span = token_span(tokens[0])
        self.start, self.end = tokens[0].start, tokens[-1].end + 1

    def statement(self) -> Iterator[AnyStatement]:
        word = self.cursor.word()
        reader = self.READERS.get(word)
        if reader is None:
            raise self.unsupported()
        if word not in ("SELECT", "WITH", "("):
            self.cursor.at += 1
        yield from self._formatted(reader) if word in _ANSWERED else reader(self)

    def _formatted(
        self, reader: Callable[[_Reader], Iterator[AnyStatement]]
    ) -> Iterator[AnyStatement]:
        """A statement that answers, perhaps with a FORMAT behind it."""
        *before, word, name = self.cursor.tokens
        if len(before) < _LEAST_WORDS or word.text.upper() != "FORMAT":
            yield from reader(self)
            return
        self.cursor.tokens = before
        for statement in reader(self):
            yield Formatted(statement, name.text, token_span(name))  # type: ignore[arg-type]

    def unsupported(self) -> SqlError:
        words = " ".join(token.text for token in self.cursor.tokens[:2])
        return SqlError(
            "UNSUPPORTED_STATEMENT", span=self.span, statement=words, supported=_SUPPORTED
        )

    @property
    def text(self) -> str:
        """What the script wrote."""
        return self.cursor.text[self.start : self.end]

    def _create(self) -> Iterator[AnyStatement]:
        cursor = self.cursor
        for words, instead in _NOT_CREATED.items():
            if cursor.accept(*words.split()):
                raise SqlError(
                    "UNSUPPORTED_CLAUSE", span=self.span, clause=f"CREATE {words}", instead=instead
                )
        if cursor.accept("OR", "REPLACE"):
            yield from self._replaced(must_exist=False)
        elif cursor.accept("DATABASE"):
            yield from ddl.create_database(cursor, self.span)
        elif cursor.word() in _MADE_OF_ROWS:
            yield from self._made(self.text)
        elif cursor.accept("NAMED", "COLLECTION"):
            yield from collections.create(cursor, self.span, self.text)
        else:
            raise self.unsupported()

    def _replace(self) -> Iterator[AnyStatement]:
        if self.cursor.word() != "TABLE":
            self.cursor.at = 0
            raise self.unsupported()
        yield from self._replaced(must_exist=True)

    def _replaced(self, *, must_exist: bool) -> Iterator[AnyStatement]:
        """What is created in the place of what is there: its text says only CREATE."""
        cursor = self.cursor
        if cursor.word() not in _MADE_OF_ROWS or cursor.token is None:
            cursor.fail("TABLE, VIEW or MATERIALIZED VIEW is expected")
        name = 2 if cursor.word() == "MATERIALIZED" else 1
        if cursor.word(name) == "IF":
            cursor.at += name
            cursor.fail("a name is expected")
        text = f"CREATE {cursor.text[cursor.token.start : self.end]}"
        for one in self._made(text):
            yield one if isinstance(one, Note) else Replace(one, must_exist, self.span)  # type: ignore[arg-type]

    def _made(self, text: str) -> Iterator[AnyStatement]:
        cursor = self.cursor
        if cursor.accept("TABLE"):
            yield from ddl.create_table(cursor, self.span, text)
        elif cursor.accept("VIEW"):
            yield from ddl.create_view(cursor, self.span)
        elif cursor.accept("MATERIALIZED", "VIEW"):
            yield from ddl.create_materialized_view(cursor, self.span, text)
        else:
            cursor.fail("MATERIALIZED VIEW is expected")

    def _alter(self) -> Iterator[AnyStatement]:
        if self.cursor.accept("NAMED", "COLLECTION"):
            yield from collections.alter(self.cursor, self.span)
        elif self.cursor.accept("TABLE"):
            yield from ddl.alter_table(self.cursor, self.span)
        else:
            raise self.unsupported()

    def _drop(self) -> Iterator[AnyStatement]:
        if self.cursor.accept("NAMED", "COLLECTION"):
            yield from collections.drop(self.cursor, self.span)
        else:
            yield from ddl.drop(self.cursor, self.span)

    def _use(self) -> Iterator[AnyStatement]:
        self.cursor.accept("DATABASE")
        yield Use(self.cursor.database(), "DATABASE", self.span)
        self.cursor.finish()

    def _show(self) -> Iterator[AnyStatement]:
        cursor = self.cursor
        what = cursor.word()
        cursor.at += 1
        if what == "CREATE":
            kind = cursor.word() if cursor.word() in ("TABLE", "VIEW", "DATABASE") else "TABLE"
            cursor.accept(kind)
            yield Show(f"CREATE {kind}", cursor.name(), self.span)
        elif what in ("TABLES", "DATABASES", "COLUMNS"):
            of = cursor.name() if cursor.accept("FROM") or cursor.accept("IN") else ""
            negated = cursor.accept("NOT")
            ignore_case = cursor.word() == "ILIKE"
            like = cursor.accept("LIKE") or cursor.accept("ILIKE")
            pattern = cursor.string() if like else None
            yield Show(what, of, self.span, pattern, negated, ignore_case)
        else:
            raise self.unsupported()
        cursor.finish()

    def _describe(self) -> Iterator[AnyStatement]:
        self.cursor.accept("TABLE")
        yield Describe(self.cursor.name(), self.span)
        self.cursor.finish()

    def _explain(self) -> Iterator[AnyStatement]:
        details = []
        for word in ("AST", "SYNTAX", "PLAN", "PIPELINE", "ESTIMATE"):
            if self.cursor.accept(word):
                details.append(word)
        inner = _Reader(self.cursor.tokens[self.cursor.at :], self.cursor.text, self.inline)
        *notes, statement = inner.statement()
        yield from notes
        yield Explain(statement, tuple(details), self.span)  # type: ignore[arg-type]

    def _set(self) -> Iterator[AnyStatement]:
        values = read_settings(self.cursor)
        self.cursor.finish()
        ours = [value for value in values if "." in value.key]
        yield from (SetOption(value.key, value.value, self.span) for value in ours)
        if len(ours) < len(values):
            yield SetSettings(tuple(v for v in values if v not in ours), self.span)

    def _select(self) -> Iterator[AnyStatement]:
        yield Select(self.cursor.query(), self.text, self.span)

    def _insert(self) -> Iterator[AnyStatement]:
        cursor = self.cursor
        cursor.accept("INTO")
        cursor.accept("TABLE")
        place = cursor.span
        table = cursor.name()
        columns = tuple(cursor.items(cursor.column)) if cursor.word() == "(" else ()
        settings = tuple(read_settings(cursor)) if cursor.accept("SETTINGS") else ()
        if cursor.accept("VALUES"):
            start = cursor.span
            data = cursor.text[cursor.tokens[cursor.at].start : self.end] if cursor.token else ""
            yield InsertRows(table, columns, "Values", data, self.text, place, settings, start)
        elif cursor.accept("FORMAT"):
            name = cursor.identifier()
            cursor.finish()
            data = self.inline.between(self.start, self.end + 1) or ""
            yield InsertRows(table, columns, name, data, self.text, place, settings)
        else:
            query = with_settings(cursor.query(), settings)
            yield Insert(table, columns, query, self.text, place)

    READERS: ClassVar[dict[str, Callable[[_Reader], Iterator[AnyStatement]]]] = {
        "ALTER": _alter,
        "ATTACH": _upkeep(upkeep.attach),
        "CREATE": _create,
        "DELETE": _upkeep(upkeep.delete),
        "DESC": _describe,
        "DESCRIBE": _describe,
        "DETACH": _upkeep(upkeep.detach),
        "DROP": _drop,
        "EXCHANGE": _upkeep(upkeep.exchange),
        "EXISTS": _upkeep(upkeep.exists),
        "EXPLAIN": _explain,
        "INSERT": _insert,
        "OPTIMIZE": _upkeep(upkeep.optimize),
        "RENAME": _upkeep(upkeep.rename),
        "REPLACE": _replace,
        "SELECT": _select,
        "SET": _set,
        "SHOW": _show,
        "SYSTEM": _upkeep(upkeep.system),
        "TRUNCATE": _upkeep(upkeep.truncate),
        "USE": _use,
        "WITH": _select,
        "(": _select,
    }
