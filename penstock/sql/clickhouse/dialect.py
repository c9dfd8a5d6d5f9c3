"""ClickHouse's SQL as a sqlglot dialect: sqlglot's own, with places and names kept.

Function calls keep the name the script wrote (they become `exp.Anonymous`): what a name means is
decided by `sql.functions.clickhouse`. An aggregate with parameters, `quantile(0.9)(x)`, becomes the
call `quantile()` of its arguments followed by its parameters.
"""

from __future__ import annotations

from typing import ClassVar

from sqlglot import exp
from sqlglot.dialects.clickhouse import ClickHouse as Base
from sqlglot.generators.clickhouse import ClickHouseGenerator as BaseGenerator
from sqlglot.parsers.clickhouse import ClickHouseParser as BaseParser
from sqlglot.tokenizer_core import Token, TokenType

# A call with parameters: the name it goes by in the table of functions.
PARAMETRIC = "()"
# The mark of a cast that was written `x::T`: a constant there is read as the text it is.
COLONS = "colons"
_CONSTANTS = (exp.Literal, exp.Array, exp.Tuple)


class LimitBy(exp.Expression):
    """`LIMIT [offset,] n BY columns`."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "offset": False, "expressions": True}


def _positioned(node: exp.Expr, token: Token) -> exp.Expr:
    node.update_positions(token)
    return node


# Functions that give an interval, as ClickHouse itself writes it in SHOW CREATE TABLE.
_INTERVALS = {
    f"toInterval{unit}": unit.upper()
    for unit in (
        *("Microsecond", "Millisecond", "Second", "Minute", "Hour"),
        *("Day", "Week", "Month", "Quarter", "Year"),
    )
}
_SPECIAL_CALLS = ("CAST", "EXTRACT", "POSITION", "SUBSTRING", "TRIM", "COLUMNS")


def _colons(parser: BaseParser, this: exp.Expr, to: exp.DataType) -> exp.Expr:
    node: exp.Expr = parser.build_cast(strict=parser.STRICT_CAST, this=this, to=to)
    node.meta[COLONS] = True
    return node


class ClickHouseParser(BaseParser):
    """The grammar of queries and expressions."""

    FUNCTIONS: ClassVar[dict] = {}  # type: ignore[type-arg]  # sqlglot's own annotation
    FUNCTION_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        name: BaseParser.FUNCTION_PARSERS[name] for name in _SPECIAL_CALLS
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        "CASE": BaseParser.NO_PAREN_FUNCTION_PARSERS["CASE"]
    }
    NO_PAREN_FUNCTIONS: ClassVar[dict] = {}  # type: ignore[type-arg]
    PRIMARY_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        **BaseParser.PRIMARY_PARSERS,
        TokenType.STRING: lambda self, token: _positioned(exp.Literal.string(token.text), token),
        TokenType.NUMBER: lambda self, token: _positioned(exp.Literal.number(token.text), token),
    }
    COLUMN_OPERATORS: ClassVar[dict] = {  # type: ignore[type-arg]
        **BaseParser.COLUMN_OPERATORS,
        TokenType.DCOLON: _colons,
    }
    QUERY_MODIFIER_PARSERS: ClassVar[dict] = {  # type: ignore[type-arg]
        **BaseParser.QUERY_MODIFIER_PARSERS,
        TokenType.LIMIT: lambda self: self._parse_limits(),
    }

    def _parse_limits(self) -> tuple[str, exp.Expr | None]:
        """LIMIT, or LIMIT … BY, which a LIMIT may follow."""
        token = self._curr
        limit = self._parse_limit()
        if limit is None:
            return "limit", limit
        by, offset = limit.expressions, limit.args.get("offset")
        if not by and (behind := self._parse_offset()):
            by, offset = behind.expressions, behind.expression
            limit.set("offset", offset)
            if self._match_text_seq("WITH", "TIES"):
                limit.set("limit_options", exp.LimitOptions(with_ties=True))
        if not by:
            return "limit", limit
        found = LimitBy(this=limit.expression, offset=offset, expressions=by)
        return "limit_by", _positioned(found, token)

    def _parse_function(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        """A call as it is written, also one with parameters; toIntervalDay(1) is INTERVAL 1 DAY."""
        call = super(BaseParser, self)._parse_function(*args, **kwargs)
        if not isinstance(call, exp.Anonymous):
            return call
        unit = _INTERVALS.get(call.name)
        if unit and len(call.expressions) == 1:
            return exp.Interval(this=call.expressions[0], unit=exp.Var(this=unit))
        if not self._match(TokenType.L_PAREN):
            return call
        arguments = self._parse_csv(self._parse_lambda)
        self._match_r_paren()
        whole = exp.Anonymous(
            this=f"{call.name}{PARAMETRIC}", expressions=[*arguments, *call.expressions]
        )
        whole.meta.update(call.meta)
        whole.meta[PARAMETRIC] = len(call.expressions)
        return self.expression(whole)

    def _parse_factor_operand(self) -> exp.Expr | None:
        """What stands beside `*`, `/` and `MOD`, which is a name in all other places."""
        operand: exp.Expr | None = super()._parse_factor_operand()
        if operand and self._is_word("MOD"):
            self._curr.token_type = TokenType.MOD
        return operand

    def _is_word(self, word: str) -> bool:
        token = self._curr
        return bool(token) and token.token_type == TokenType.VAR and token.text.upper() == word

    def _parse_as_command(self, start: Token) -> exp.Command:
        """What cannot be parsed is an error at its place, not a statement of another kind."""
        self.raise_error("Invalid expression", self._curr or start)
        return super()._parse_as_command(start)


class ClickHouse(Base):
    """Registered as `clickhouse` by importing this module."""

    # An index stays as it is written.
    INDEX_OFFSET = 0

    class Tokenizer(Base.Tokenizer):
        """No statement is swallowed whole."""

        COMMANDS: ClassVar[set[TokenType]] = set()
        KEYWORDS: ClassVar[dict[str, TokenType]] = {
            word: TokenType.VAR if kind == TokenType.COMMAND else kind
            for word, kind in Base.Tokenizer.KEYWORDS.items()
        }

    Parser = ClickHouseParser

    class Generator(BaseGenerator):
        """Texts that mean the same when they are read again, as defaults of columns are."""

        TRANSFORMS: ClassVar[dict] = {  # type: ignore[type-arg]
            **BaseGenerator.TRANSFORMS,
            exp.IntDiv: lambda self, node: self.func("intDiv", node.this, node.expression),
        }

        def cast_sql(self, expression: exp.Cast, safe_prefix: str | None = None) -> str:
            """A constant stays beside its colons."""
            if expression.meta.get(COLONS) and isinstance(expression.this, _CONSTANTS):
                return f"{self.sql(expression.this)}::{self.sql(expression.to)}"
            return super().cast_sql(expression, safe_prefix)
