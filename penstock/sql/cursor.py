"""Reads one statement word by word: what every statement's grammar is written with.

A `Cursor` is the query parser with the few steps that statements need beside queries: words, names,
texts, lists. What does not fit raises sqlglot's ParseError, which `sql.grammar` turns into ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NoReturn, TypeVar

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from penstock.errors import SqlError
from penstock.model.option import OptionValue
from penstock.sql.flink import FlinkParser
from penstock.sql.names import joined, parts_of
from penstock.sql.spans import between, cover, token_span
from penstock.sql.understood import check_understood

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from penstock.model.span import Span

T = TypeVar("T")

_NOT_NAMES = frozenset(
    {
        *(TokenType.STRING, TokenType.NUMBER, TokenType.HINT, TokenType.PRIMARY_KEY),
        *(TokenType.PARTITION_BY, TokenType.PARAMETER, TokenType.HEX_STRING),
    }
)


class Cursor(FlinkParser):
    """A place in the tokens of one statement."""

    # Flink reads a key that does not say so as ENFORCED, and refuses it.
    KEY_MUST_SAY_NOT_ENFORCED: ClassVar[bool] = True

    def begin(self, tokens: list[Token], text: str) -> None:
        """Stand before the first token of a statement of this script."""
        self.reset()
        self.hints = []
        self.sql = text
        self._chunks = [tokens]
        self._advance_chunk()

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return not self._curr

    @property
    def place(self) -> Span:
        """Where the next token stands, or the last one at the end."""
        return token_span(self._curr or self._prev)

    @property
    def index(self) -> int:
        """How many tokens were read."""
        return int(self._index)

    def since(self, index: int) -> Span:
        """What was read since then."""
        return between(self._tokens[index], self._tokens[max(index, self._index - 1)])

    def text_since(self, index: int) -> str:
        """The script's own words since then."""
        first, last = self._tokens[index], self._tokens[max(index, self._index - 1)]
        return self.sql[first.start : last.end + 1]

    def word(self, *words: str) -> bool:
        """Whether these words come next; if so they are read."""
        return bool(self._match_text_seq(*words)) if self._curr else False

    def sees(self, *words: str) -> bool:
        """Whether these words come next; nothing is read."""
        return bool(self._match_text_seq(*words, advance=False)) if self._curr else False

    def words(self, count: int, *, upper: bool = True) -> tuple[str, ...]:
        """The next words; nothing is read."""
        ahead = self._tokens[self._index : self._index + count]
        return tuple(token.text.upper() if upper else token.text for token in ahead)

    def skip(self, count: int) -> None:
        """Read some tokens whatever they are."""
        self._advance(count)

    def rewind(self, index: int) -> None:
        """Stand again where so many tokens were read."""
        self._retreat(index)

    def text_until(self, stop: str = "") -> str:
        """All up to a token, as the script wrote it; a quoted text loses its quotes."""
        first = self._index
        while self._curr and (not stop or self._curr.text != stop):
            self._advance()
        if self._index == first:
            self.fail("expected a key")
        if self._index == first + 1:
            return str(self._prev.text)
        return self.text_since(first)

    def one_of(self, words: tuple[str, ...] | Mapping[str, object]) -> str:
        """The next word if it is one of these, else nothing."""
        return self._prev.text.upper() if self._match_texts(words) else ""

    def expect(self, *words: str) -> None:
        """Read these words."""
        for word in words:
            if not self.word(word):
                self.fail(f"expected {word}")

    def fail(self, problem: str) -> NoReturn:
        """What comes next is wrong."""
        self.raise_error(problem if self._curr else f"{problem}, but the statement ends")
        raise ParseError(problem)

    def name(self, what: str = "a name") -> str:
        """One name, in back-ticks or not."""
        token = self._curr
        is_name = token and token.token_type not in _NOT_NAMES
        if not is_name or not (token.token_type == TokenType.IDENTIFIER or _is_word(token.text)):
            self.fail(f"expected {what}")
        self._advance()
        return str(token.text)

    def path(self, what: str = "a name") -> str:
        """A name with up to two others before it, joined by dots."""
        parts = [self.name(what)]
        while self._match(TokenType.DOT):
            parts.append(self.name(what))
        return joined(parts)

    def string(self, what: str) -> str:
        """A quoted text."""
        if not self._match(TokenType.STRING):
            self.fail(f"expected {what} in quotes")
        return str(self._prev.text)

    def listed(self, item: Callable[[], T], *, empty: bool = False) -> list[T]:
        """Items in brackets, separated by commas; none behind the last one."""
        if not self._match(TokenType.L_PAREN):
            self.fail("expected (")
        items: list[T] = []
        if empty and self._match(TokenType.R_PAREN):
            return items
        items.append(item())
        while self._match(TokenType.COMMA):
            items.append(item())
        if not self._match(TokenType.R_PAREN):
            self.fail("expected , or )")
        return items

    def options(self) -> tuple[OptionValue, ...]:
        """`('key' = 'value', …)`; of a key that stands twice the last one counts."""
        return tuple({option.key: option for option in self.listed(self.option)}.values())

    def option(self) -> OptionValue:
        """`'key' = 'value'`."""
        if self.sees(".", ".", "."):
            raise SqlError(
                "SYNTAX_ERROR",
                span=self.place,
                problem="`...` stands for options that the example leaves out.",
                dialect_note="Write them here, such as 'topic' = '…'.",
            )
        span = self.place
        key = self.option_key()
        if not self._match(TokenType.EQ):
            self.fail("expected =")
        return OptionValue(key, self.string(f"the value of '{key}'"), span)

    def option_key(self) -> str:
        """The key of an option."""
        return self.string("the key of an option")

    def watermark_name(self) -> None:
        """What may stand between WATERMARK and FOR: nothing."""

    def watermark_expression(self) -> exp.Expr:
        """What stands behind WATERMARK FOR column AS."""
        return self.expression_()

    def column_attribute(self, name: str) -> tuple[str, str, bool]:
        """`METADATA [FROM 'key'] [VIRTUAL]`: the column's kind, key, whether it is virtual."""
        if not self.word("METADATA"):
            return "physical", "", False
        key = self.string("the metadata's key") if self.word("FROM") else name
        return "metadata", key, self.word("VIRTUAL")

    def type_(self) -> exp.DataType:
        """A data type."""
        first = self._curr
        parsed = self._parse_types(schema=True)
        if not isinstance(parsed, exp.DataType):
            self.fail("expected a data type")
        if "line" not in parsed.meta:
            parsed.update_positions(first)
        return parsed

    def expression_(self) -> exp.Expr:
        """A scalar expression."""
        parsed = self._parse_disjunction()
        if parsed is None:
            self.fail("expected an expression")
        return parsed

    def query(self) -> exp.Query | exp.Values:
        """SELECT, WITH or VALUES, to its end."""
        parsed = self._parse_ddl_select()
        if not isinstance(parsed, exp.Query | exp.Values):
            self.fail("expected a query")
        return parsed

    def select(self) -> exp.Query:
        """The query of a view."""
        parsed = self.query()
        check_understood(parsed)
        return parsed  # type: ignore[return-value]  # VALUES stands wherever a query does

    def table(self) -> exp.Table:
        """A table's name, with its hint."""
        first = self.index
        parts = [exp.to_identifier(part) for part in parts_of(self.path("the name of a table"))]
        *qualifiers, name = parts
        database, catalog = (*reversed(qualifiers), None, None)[:2]
        table = exp.Table(this=name, db=database, catalog=catalog)
        cover(table, self._tokens[first], self._prev)
        self.read_hint(table)
        return table

    def end(self) -> None:
        """Nothing may follow."""
        if self._curr:
            self.fail("this was not expected here")


def _is_word(text: str) -> bool:
    return bool(text) and (text[0].isalpha() or text[0] in "_$") and "\n" not in text
