"""Flink's SQL as a sqlglot dialect: what its grammar has beyond the common one.

Function calls keep the name the script wrote (they become `exp.Anonymous`): what a name means in
Flink is decided by `sql.functions`, never by another dialect's function of the same name.
"""

from __future__ import annotations

from typing import ClassVar

from sqlglot import exp, tokens
from sqlglot.dialects.dialect import Dialect, NormalizationStrategy
from sqlglot.parser import Parser as BaseParser
from sqlglot.tokenizer_core import Token, TokenType


class MetadataColumnConstraint(exp.Expression, exp.ColumnConstraintKind):
    """`METADATA [FROM 'key'] [VIRTUAL]`."""

    arg_types: ClassVar[dict[str, bool]] = {"this": False, "virtual": False}


class TableArgument(exp.Expression):
    """`TABLE t` as an argument of a table function."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True}


def _positioned(node: exp.Expr, token: Token) -> exp.Expr:
    node.update_positions(token)
    return node


def _timestamp_literal(parser: BaseParser, text: exp.Literal, type_: exp.DataType) -> exp.Expr:
    """`TIMESTAMP '…'` is as precise as it is written, unlike CAST('…' AS TIMESTAMP)."""
    digits = len(text.name.partition(".")[2])
    type_.set("expressions", [exp.DataTypeParam(this=exp.Literal.number(digits))])
    return parser.expression(exp.Cast(this=text, to=type_))


_SPECIAL_CALLS = ("CAST", "TRY_CAST", "EXTRACT", "TRIM", "POSITION", "CEIL", "FLOOR", "SUBSTRING")


class FlinkParser(BaseParser):
    """The grammar."""

    STRICT_CAST = True
    FUNCTIONS: ClassVar[dict] = {}  # type: ignore[type-arg]  # sqlglot's own annotation
    FUNCTION_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        name: BaseParser.FUNCTION_PARSERS[name] for name in _SPECIAL_CALLS
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        "CASE": BaseParser.NO_PAREN_FUNCTION_PARSERS["CASE"]
    }
    CONSTRAINT_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        **BaseParser.CONSTRAINT_PARSERS,
        "METADATA": lambda self: self._parse_metadata(),
        "WATERMARK": lambda self: self._parse_watermark(),
    }
    PRIMARY_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        **BaseParser.PRIMARY_PARSERS,
        TokenType.STRING: lambda self, token: _positioned(exp.Literal.string(token.text), token),
        TokenType.NUMBER: lambda self, token: _positioned(exp.Literal.number(token.text), token),
    }
    TYPE_LITERAL_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        exp.DType.TIMESTAMP: _timestamp_literal
    }
    SCHEMA_UNNAMED_CONSTRAINTS: ClassVar[set[str]] = {
        *BaseParser.SCHEMA_UNNAMED_CONSTRAINTS,
        "WATERMARK",
    }

    def _parse_metadata(self) -> exp.Expression:
        key = self._parse_string() if self._match(TokenType.FROM) else None
        virtual = self._match_text_seq("VIRTUAL")
        return self.expression(MetadataColumnConstraint(this=key, virtual=bool(virtual)))

    def _parse_watermark(self) -> exp.Expression:
        if not self._match(TokenType.FOR):
            self.raise_error("Expected FOR after WATERMARK")
        column = self._parse_column()
        if not self._match(TokenType.ALIAS):
            self.raise_error("Expected AS after the column of WATERMARK FOR")
        return self.expression(
            exp.WatermarkColumnConstraint(this=column, expression=self._parse_disjunction())
        )

    def _parse_as_command(self, start: Token) -> exp.Command:
        """What cannot be parsed is an error at its place, not a statement of another kind."""
        self.raise_error("Invalid expression", self._curr or start)
        return super()._parse_as_command(start)

    def _parse_types(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        """A type may say NOT NULL of itself, also inside ARRAY<…>, MAP<…> and ROW<…>."""
        parsed = super()._parse_types(*args, **kwargs)
        if isinstance(parsed, exp.DataType):
            if self._match_text_seq("NOT", "NULL"):
                parsed.set("nullable", False)
            else:
                self._match(TokenType.NULL)
        return parsed

    def _parse_table(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        """`TABLE(f(…))` stands for the rows of a table function, as `f(…)` does by itself."""
        if not (self._curr and self._curr.token_type == TokenType.TABLE):
            return super()._parse_table(*args, **kwargs)
        if not (self._next and self._next.token_type == TokenType.L_PAREN):
            return super()._parse_table(*args, **kwargs)
        self._advance(2)
        call = self._parse_function()
        self._match_r_paren()
        alias = self._parse_table_alias()
        return self.expression(exp.Table(this=call, alias=alias))

    def _parse_lambda(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        """Arguments of a call: `TABLE t` and `DATA => TABLE t` are allowed among them."""
        if self._curr and self._next and self._next.token_type == TokenType.FARROW:
            name = exp.Var(this=self._curr.text.upper())
            self._advance(2)
            value = self._parse_lambda()  # type: ignore[no-untyped-call]
            return self.expression(exp.Kwarg(this=name, expression=value))
        if self._curr and self._curr.token_type == TokenType.TABLE:
            self._advance()
            return self.expression(TableArgument(this=self._parse_table_parts()))
        return super()._parse_lambda(*args, **kwargs)


class Flink(Dialect):
    """Register as `flink` by importing this module."""

    NORMALIZATION_STRATEGY = NormalizationStrategy.CASE_SENSITIVE
    SUPPORTS_USER_DEFINED_TYPES = False

    class Tokenizer(tokens.Tokenizer):
        """Back-ticks quote names; a quote is doubled inside a text."""

        IDENTIFIERS: ClassVar[list[str | tuple[str, str]]] = ["`"]
        QUOTES: ClassVar[list[tuple[str, str] | str]] = ["'", '"']
        STRING_ESCAPES: ClassVar[list[str]] = ["'", '"']
        HEX_STRINGS: ClassVar[list[str | tuple[str, str]]] = [("x'", "'"), ("X'", "'")]
        NESTED_COMMENTS = False
        COMMANDS: ClassVar[set[TokenType]] = set()
        KEYWORDS: ClassVar[dict[str, TokenType]] = {
            **tokens.Tokenizer.KEYWORDS,
            "BYTES": TokenType.VARBINARY,
            "ROW": TokenType.STRUCT,
            "STRING": TokenType.TEXT,
            "TIMESTAMP": TokenType.TIMESTAMP,
            "TIMESTAMP_LTZ": TokenType.TIMESTAMPLTZ,
        }

    Parser = FlinkParser
