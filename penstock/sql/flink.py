"""Flink's SQL as a sqlglot dialect: what its grammar has beyond the common one.

Function calls keep the name the script wrote (they become `exp.Anonymous`): what a name means in
Flink is decided by `sql.functions`, never by another dialect's function of the same name.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sqlglot import exp, tokens
from sqlglot.dialects.dialect import Dialect, NormalizationStrategy
from sqlglot.generator import Generator as BaseGenerator
from sqlglot.parser import Parser as BaseParser
from sqlglot.tokenizer_core import Token, TokenType

from penstock.sql.aggregate_grammar import AGGREGATE_CALLS
from penstock.sql.case_grammar import parse_case
from penstock.sql.hints import OPTIONS, Hint, read_hints, set_options
from penstock.sql.json_grammar import JSON_CALLS
from penstock.sql.spans import cover
from penstock.sql.type_grammar import TypeParser


class TableArgument(exp.Expression):
    """`TABLE t [PARTITION BY k]` as an argument of a table function."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "partition": False}


def _table_argument(generator: BaseGenerator, node: TableArgument) -> str:
    keys = ", ".join(map(generator.sql, node.args.get("partition") or ()))
    return f"TABLE {generator.sql(node, 'this')}{' PARTITION BY ' * bool(keys)}{keys}"


def _positioned(node: exp.Expr, token: Token) -> exp.Expr:
    node.update_positions(token)
    return node


def _time_literal(parser: BaseParser, text: exp.Literal, type_: exp.DataType) -> exp.Expr:
    """`TIMESTAMP '…'` is as precise as it is written, unlike CAST('…' AS TIMESTAMP)."""
    digits = len(text.name.partition(".")[2])
    type_.set("expressions", [exp.DataTypeParam(this=exp.Literal.number(digits))])
    return parser.expression(exp.Cast(this=text, to=type_))


_SPECIAL_CALLS = (
    *("CAST", "TRY_CAST", "EXTRACT", "TRIM", "POSITION", "CEIL", "FLOOR", "SUBSTRING"),
    "OVERLAY",
)


class FlinkParser(TypeParser):
    """The grammar."""

    STRICT_CAST = True
    FUNCTIONS: ClassVar[dict] = {}  # type: ignore[type-arg]  # sqlglot's own annotation
    FUNCTION_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        **{name: BaseParser.FUNCTION_PARSERS[name] for name in _SPECIAL_CALLS},
        "CEILING": BaseParser.FUNCTION_PARSERS["CEIL"],
        **JSON_CALLS,
        **AGGREGATE_CALLS,
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        "CASE": parse_case
    }
    PRIMARY_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        **BaseParser.PRIMARY_PARSERS,
        TokenType.STRING: lambda self, token: _positioned(exp.Literal.string(token.text), token),
        TokenType.NUMBER: lambda self, token: _positioned(exp.Literal.number(token.text), token),
    }
    TYPE_LITERAL_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        exp.DType.TIME: _time_literal,
        exp.DType.TIMESTAMP: _time_literal,
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hints: list[Hint] = []

    def _parse_csv(self, parse_method, sep=TokenType.COMMA):  # type: ignore[no-untyped-def]
        """A list ends with an item: nothing but the separator behind the last one is an error."""

        def item():  # type: ignore[no-untyped-def]
            parsed = parse_method()
            if parsed is None and self._prev and self._prev.token_type == sep:
                self.raise_error(f"something must follow the `{self._prev.text}`", self._prev)
            return parsed

        return super()._parse_csv(item, sep)

    def _parse_hint(self) -> None:
        """`/*+ … */` behind SELECT and INSERT: none of these changes what is computed."""
        if self._match(TokenType.HINT):
            self.hints += read_hints(self._prev, self.sql, allow_options=False)

    def _parse_table_parts(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        """A table's name, with the options its hint gives: `t /*+ OPTIONS('k' = 'v') */`."""
        table = super()._parse_table_parts(*args, **kwargs)
        if isinstance(table, exp.Table):
            self.read_hint(table)
        return table

    def read_hint(self, table: exp.Table) -> None:
        """The hint behind a table's name, if there is one."""
        if self._match(TokenType.HINT):
            found = read_hints(self._prev, self.sql, allow_options=True)
            self.hints += [hint for hint in found if hint.name != OPTIONS]
            set_options(table, found)

    def _parse_function_call(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        """A call knows where it begins and ends."""
        first = self._curr
        call = super()._parse_function_call(*args, **kwargs)
        if isinstance(call, exp.Expr):
            cover(call, first, self._prev)
        return call

    def _parse_as_command(self, start: Token) -> exp.Command:
        """What cannot be parsed is an error at its place, not a statement of another kind."""
        self.raise_error("Invalid expression", self._curr or start)
        return super()._parse_as_command(start)

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
            table = self._parse_table_parts()  # type: ignore[no-untyped-call]
            return self.expression(TableArgument(this=table, partition=self._parse_keys()))
        return super()._parse_lambda(*args, **kwargs)

    def _parse_match_recognize(self) -> exp.MatchRecognize | None:
        """The clause as a whole: what stands in its brackets is left to whoever can run it."""
        if not self._match(TokenType.MATCH_RECOGNIZE):
            return None
        start, depth = self._prev, 0
        while self._curr:
            depth += (self._curr.token_type == TokenType.L_PAREN) - (
                self._curr.token_type == TokenType.R_PAREN
            )
            self._advance()
            if depth <= 0:
                break
        self._parse_table_alias()
        clause = self.expression(exp.MatchRecognize())
        clause.update_positions(start)
        return clause

    def _parse_keys(self) -> list[exp.Expr]:
        """`PARTITION BY k` or `PARTITION BY (k, l)`: without brackets a comma ends the argument."""
        if not self._match(TokenType.PARTITION_BY):
            return []
        if self._curr and self._curr.token_type == TokenType.L_PAREN:
            return list(self._parse_wrapped_csv(self._parse_column))
        key = self._parse_column()
        return [key] if key else []


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
        # A hint is a token wherever it stands; the grammar refuses it where it has no place.
        TOKENS_PRECEDING_HINT: ClassVar[set[TokenType]] = set(TokenType)
        COMMANDS: ClassVar[set[TokenType]] = set()
        KEYWORDS: ClassVar[dict[str, TokenType]] = {
            **{k: v for k, v in tokens.Tokenizer.KEYWORDS.items() if k != "SESSION"},
            "BYTES": TokenType.VARBINARY,
            "MATCH_RECOGNIZE": TokenType.MATCH_RECOGNIZE,
            "ROW": TokenType.STRUCT,
            "STRING": TokenType.TEXT,
            "TIMESTAMP": TokenType.TIMESTAMP,
            "TIMESTAMP_LTZ": TokenType.TIMESTAMPLTZ,
        }

    Parser = FlinkParser

    class Generator(BaseGenerator):
        """How expressions are shown."""

        TRANSFORMS: ClassVar[dict] = {  # type: ignore[type-arg]
            **BaseGenerator.TRANSFORMS,
            TableArgument: _table_argument,
        }
