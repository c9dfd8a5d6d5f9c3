"""Alibaba's Blink SQL: Flink's, with unquoted option keys, WITHOFFSET, HEADER and `type`.

`type` of a table is what Flink calls its connector; keys are matched in any letter case later, by
the connector itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from penstock.sql.cursor import Cursor
from penstock.sql.flink import Flink
from penstock.sql.grammar.flink import FlinkGrammar
from penstock.sql.statements import CreateTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlglot.tokenizer_core import Token

    from penstock.model.option import OptionValue
    from penstock.sql.statements import Statement

_MILLIS = 1000


class Blink(Flink):
    """Register as `blink` by importing this module; queries are Flink's."""


class BlinkCursor(Cursor):
    """Where Blink's grammar is not Flink's."""

    KEY_MUST_SAY_NOT_ENFORCED = False

    def option_key(self) -> str:
        """A key in quotes or without, with dots in it."""
        if self._curr and self._curr.token_type == TokenType.STRING:
            return self.string("the key of an option")
        first = self.index
        self.name("the key of an option")
        while self._curr and self._curr.token_type != TokenType.EQ and self._is_connected():
            self._advance()
        return self.text_since(first).replace("`", "")

    def watermark_name(self) -> None:
        """WATERMARK may have a name."""
        if not self.sees("FOR"):
            self.name("FOR")

    def watermark_expression(self) -> exp.Expr:
        """`WITHOFFSET(ts, 4000)` is `ts` less so many milliseconds."""
        expression = self.expression_()
        if not isinstance(expression, exp.Anonymous) or expression.name.upper() != "WITHOFFSET":
            return expression
        column, offset = (*expression.expressions, None, None)[:2]
        if offset is None or not offset.name.isdigit() or len(expression.expressions) > 2:
            self.fail("expected WITHOFFSET(column, milliseconds)")
        amount = exp.Literal.string(f"{int(offset.name) / _MILLIS:.3f}")
        return exp.Sub(this=column, expression=exp.Interval(this=amount, unit=exp.var("SECOND")))

    def column_attribute(self, name: str) -> tuple[str, str, bool]:
        """A HEADER column is of the record's own attributes, not of its content."""
        if self.word("HEADER"):
            return "metadata", name, True
        return super().column_attribute(name)


class BlinkGrammar(FlinkGrammar):
    """One reading of a script."""

    DIALECT: ClassVar[type[Flink]] = Blink
    CURSOR: ClassVar[type[Cursor]] = BlinkCursor

    def _read(self, tokens: list[Token]) -> Statement | None:
        statement = super()._read(tokens)
        if not isinstance(statement, CreateTable):
            return statement
        options = tuple(_renamed(option) for option in statement.table.options)
        return replace(statement, table=replace(statement.table, options=options))


def statements(text: str) -> Iterator[Statement]:
    """The statements of a script in Blink's SQL."""
    return BlinkGrammar(text).statements()


def _renamed(option: OptionValue) -> OptionValue:
    if option.key.lower() != "type":
        return option
    return replace(option, key="connector", value=option.value.lower())
