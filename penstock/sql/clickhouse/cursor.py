"""A place in the tokens of one statement, and what can be read from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from penstock.errors import SqlError
from penstock.model.span import Span
from penstock.sql.clickhouse.dialect import ClickHouse
from penstock.sql.names import joined
from penstock.sql.spans import shown_token, token_span

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

_OPENING = (TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE)
_CLOSING = (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE)
_NOTE = "The script is read as ClickHouse SQL."


class Cursor:
    """Reads one statement from its first token on."""

    def __init__(self, tokens: list[Token], text: str) -> None:
        self.tokens = tokens
        self.text = text
        self.at = 0

    @property
    def token(self) -> Token | None:
        """The next token, None at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    @property
    def span(self) -> Span:
        """Where the next token stands; at the end, the last one."""
        return token_span(self.token or self.tokens[-1])

    @property
    def done(self) -> bool:
        """Whether all was read."""
        return self.token is None

    def word(self, ahead: int = 0) -> str:
        """The next word in upper case; a quoted one is none. `ORDER BY` and its like are one."""
        place = self.at + ahead
        if place >= len(self.tokens):
            return ""
        token = self.tokens[place]
        quoted = token.token_type in (TokenType.STRING, TokenType.IDENTIFIER)
        return "" if quoted else " ".join(token.text.upper().split())

    def accept(self, *words: str) -> bool:
        """Step over these words if they come next."""
        if any(self.word(ahead) != word for ahead, word in enumerate(words)):
            return False
        self.at += len(words)
        return True

    def expect(self, *words: str) -> None:
        """Step over these words, which must come next."""
        if not self.accept(*words):
            self.fail(f"expected `{' '.join(words)}`")

    def finish(self) -> None:
        """Nothing may follow."""
        if not self.done:
            self.fail("this was not expected here")

    def fail(self, problem: str) -> NoReturn:
        """Raise the error of what stands here."""
        shown = shown_token(self.token) if self.token else "the end of the statement"
        raise SqlError(
            "SYNTAX_ERROR",
            span=self.span,
            problem=f"Syntax error at `{shown}`: {problem}.",
            dialect_note=_NOTE,
        )

    def identifier(self) -> str:
        """A name: a word that is no operator or literal, or quoted."""
        token = self.token
        kinds = (TokenType.STRING, TokenType.NUMBER, TokenType.HEREDOC_STRING)
        if token is None or not token.text or token.token_type in kinds or not _is_name(token):
            self.fail("a name is expected")
        self.at += 1
        return token.text

    def database(self) -> str:
        """The name of a database."""
        return joined((database_name(self.identifier()),))

    def name(self) -> str:
        """The name of a table or view, perhaps with its database before it."""
        parts = [self.identifier()]
        while self.accept("."):
            parts.append(self.identifier())
        return joined([*map(database_name, parts[:-1]), parts[-1]])

    def column(self) -> str:
        """The name of a column, which may have dots: `n.a` of a Nested."""
        name = self.identifier()
        while self.accept("."):
            name += f".{self.identifier()}"
        return name

    def string(self) -> str:
        """A text in quotes."""
        token = self.token
        if token is None or token.token_type not in (TokenType.STRING, TokenType.HEREDOC_STRING):
            self.fail("a text in quotes is expected")
        self.at += 1
        return token.text

    def number(self) -> int:
        """A whole number, perhaps with a sign."""
        sign = -1 if self.accept("-") else 1
        token = self.token
        if token is None or not token.text.isdigit() or token.token_type != TokenType.NUMBER:
            self.fail("a whole number is expected")
        self.at += 1
        return sign * int(token.text)

    def items(self, read: Callable[[], T]) -> list[T]:
        """`(item, …)`, perhaps empty; a comma may end it."""
        self.expect("(")
        found: list[T] = []
        while not self.accept(")"):
            found.append(read())
            if not self.accept(",") and self.word() != ")":
                self.fail("expected `,` or `)`")
        return found

    def comma_list(self, read: Callable[[], T]) -> list[T]:
        """`item, …`."""
        found = [read()]
        while self.accept(","):
            found.append(read())
        return found

    def until(self, *words: str) -> list[Token]:
        """The tokens up to one of these words or to a closing bracket of the same depth."""
        start, depth = self.at, 0
        while self.token is not None:
            kind = self.token.token_type
            if depth == 0 and (kind in _CLOSING or self._is_at(words)):
                break
            depth += (kind in _OPENING) - (kind in _CLOSING)
            self.at += 1
        if self.at == start:
            self.fail("an expression is missing")
        return self.tokens[start : self.at]

    def _is_at(self, words: tuple[str, ...]) -> bool:
        """Whether one of these comes next; it may be two words."""
        return self.word() in words or f"{self.word()} {self.word(1)}" in words

    def expression(self, *words: str) -> exp.Expr:
        """The expression up to one of these words."""
        chunk = self.until(*words)
        found = self._parsed([_SELECT, *chunk], chunk)
        if not isinstance(found, exp.Select) or len(found.expressions) != 1:
            raise _invalid(chunk[0])
        expression: exp.Expr = found.expressions[0]
        return expression

    def written(self, *words: str) -> str:
        """The text up to one of these words, as the script wrote it."""
        chunk = self.until(*words)
        return self.text[chunk[0].start : chunk[-1].end + 1]

    def rest(self) -> str:
        """What is left of the statement, as it was written; it stays to be read."""
        left = self.tokens[self.at :]
        return self.text[left[0].start : left[-1].end + 1] if left else ""

    def query(self) -> exp.Query:
        """The query that the rest of the statement is."""
        chunk = self.tokens[self.at :]
        if not chunk:
            self.fail("a query is missing")
        found = self._parsed(chunk, chunk)
        if not isinstance(found, exp.Query) or not found.selects:
            self.fail("a query is expected")
        self.at = len(self.tokens)
        return found

    def values(self) -> exp.Values:
        """The rows that the rest of the statement lists, from VALUES on."""
        chunk = self.tokens[self.at :]
        found = self._parsed(chunk, chunk)
        if not isinstance(found, exp.Values):
            self.fail("VALUES lists rows in brackets")
        return found

    def _parsed(self, tokens: list[Token], chunk: list[Token]) -> exp.Expr:
        try:
            parsed = ClickHouse().parser().parse(tokens, self.text)
        except ParseError as error:
            facts = error.errors[0]
            shown = facts.get("highlight") or ""
            description = _readable(facts["description"])
            span = Span(facts["line"], max(1, facts["col"] - len(shown) + 1), max(1, len(shown)))
            raise SqlError(
                "SYNTAX_ERROR",
                span=span,
                problem=f"Syntax error at `{shown_token(shown)}`: {description}.",
                dialect_note=_NOTE,
            ) from error
        if len(parsed) != 1 or parsed[0] is None:
            raise _invalid(chunk[0])
        return parsed[0]


_SELECT = ClickHouse().tokenize("SELECT")[0]


def database_name(name: str) -> str:
    """ClickHouse's database `default` is the catalog's own."""
    return "default_database" if name == "default" else name


def _is_name(token: Token) -> bool:
    first = token.text[:1]
    return token.token_type == TokenType.IDENTIFIER or first.isalnum() or first in ("_", "$")


def _invalid(token: Token) -> SqlError:
    return SqlError(
        "SYNTAX_ERROR",
        span=token_span(token),
        problem=f"Syntax error at `{shown_token(token)}`: this is not one expression.",
        dialect_note=_NOTE,
    )


def _readable(description: str) -> str:
    """sqlglot's sentence in a user's words."""
    if description.startswith(("Invalid expression", "Required keyword")):
        return "this was not expected here, or something is missing"
    sentence = description.split(" but got <Token")[0]
    return sentence[0].lower() + sentence[1:]
