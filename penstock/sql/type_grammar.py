"""Flink's types as they are written: `TypeParser` reads one, `sql.types` says what it means.

What has no word of its own in sqlglot (`MULTISET`, `RAW` and such) becomes a user-defined type with
the word as its kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sqlglot import exp
from sqlglot.parser import Parser as BaseParser
from sqlglot.tokenizer_core import TokenType

from penstock.sql.spans import cover

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLAIN = {
    "BIGINT": exp.DType.BIGINT,
    "BINARY": exp.DType.BINARY,
    "BOOLEAN": exp.DType.BOOLEAN,
    "BYTES": exp.DType.BLOB,
    "CHAR": exp.DType.CHAR,
    "CHARACTER": exp.DType.CHAR,
    "DATE": exp.DType.DATE,
    "DEC": exp.DType.DECIMAL,
    "DECIMAL": exp.DType.DECIMAL,
    "DOUBLE": exp.DType.DOUBLE,
    "FLOAT": exp.DType.FLOAT,
    "INT": exp.DType.INT,
    "INTEGER": exp.DType.INT,
    "NULL": exp.DType.NULL,
    "NUMERIC": exp.DType.DECIMAL,
    "SMALLINT": exp.DType.SMALLINT,
    "STRING": exp.DType.TEXT,
    "TIME": exp.DType.TIME,
    "TIMESTAMP": exp.DType.TIMESTAMP,
    "TIMESTAMP_LTZ": exp.DType.TIMESTAMPLTZ,
    "TINYINT": exp.DType.TINYINT,
    "VARBINARY": exp.DType.VARBINARY,
    "VARCHAR": exp.DType.VARCHAR,
    "VARIANT": exp.DType.VARIANT,
}
_VARYING = {exp.DType.CHAR: exp.DType.VARCHAR, exp.DType.BINARY: exp.DType.VARBINARY}
# what may follow a type → the type it becomes
_ZONES = {
    (exp.DType.TIME, "WITHOUT TIME ZONE"): exp.DType.TIME,
    (exp.DType.TIMESTAMP, "WITHOUT TIME ZONE"): exp.DType.TIMESTAMP,
    (exp.DType.TIMESTAMP, "WITH LOCAL TIME ZONE"): exp.DType.TIMESTAMPLTZ,
    (exp.DType.TIMESTAMP, "WITH TIME ZONE"): exp.DType.TIMESTAMPTZ,
}
_OPENING = (TokenType.LT, TokenType.L_PAREN)
_CLOSING = {TokenType.LT: TokenType.GT, TokenType.L_PAREN: TokenType.R_PAREN}


def _foreign(kind: str, expressions: list[exp.Expr]) -> exp.DataType:
    return exp.DataType(
        this=exp.DType.USERDEFINED, kind=kind, expressions=expressions, nested=bool(expressions)
    )


# the word behind a type → the type it makes of it
_POSTFIX = {
    "ARRAY": lambda type_: exp.DataType(this=exp.DType.ARRAY, expressions=[type_], nested=True),
    "MULTISET": lambda type_: _foreign("MULTISET", [type_]),
}


class TypeParser(BaseParser):
    """Reads a type where one must stand; in an expression the common grammar decides."""

    def _parse_types(
        self,
        check_func: bool = False,
        schema: bool = False,
        allow_identifiers: bool = True,
        with_collation: bool = False,
    ) -> exp.Expr | None:
        """A type, which may say NOT NULL of itself and be followed by ARRAY or MULTISET."""
        first = self._curr
        reader = None if check_func or first is None else self._TYPES.get(first.text.upper())
        if first is None or reader is None or first.token_type == TokenType.IDENTIFIER:
            parsed = super()._parse_types(check_func, schema, allow_identifiers, with_collation)
        else:
            self._advance()
            parsed = reader(self, first.text.upper())
        if first is None or not isinstance(parsed, exp.DataType):
            return parsed
        self._read_nullability(parsed)
        while reader is not None and self._match_texts(_POSTFIX):
            parsed = _POSTFIX[self._prev.text.upper()](parsed)
            self._read_nullability(parsed)
        cover(parsed, first, self._prev)
        return parsed

    def _read_nullability(self, type_: exp.DataType) -> None:
        if self._match_text_seq("NOT", "NULL"):
            type_.set("nullable", False)
        else:
            self._match(TokenType.NULL)

    def _plain_type(self, word: str) -> exp.DataType:
        kind = _PLAIN[word]
        if word == "DOUBLE":
            self._match_text_seq("PRECISION")
        elif kind in _VARYING and self._match_text_seq("VARYING"):
            kind = _VARYING[kind]
        sizes = self._type_sizes()
        for (base, words), other in _ZONES.items():
            if kind == base and self._match_text_seq(*words.split()):
                kind = other
                break
        return exp.DataType(this=kind, expressions=sizes, nested=False)

    def _type_sizes(self) -> Sequence[exp.Expr]:
        if not self._match(TokenType.L_PAREN):
            return []
        sizes = self._parse_csv(self._parse_type_size)
        self._match_r_paren()
        return sizes

    def _interval_type(self, word: str) -> exp.DataType:
        units = [self._interval_unit()]
        if self._match_text_seq("TO"):
            units.append(self._interval_unit())
        span = units[0] if len(units) == 1 else exp.IntervalSpan(this=units[0], expression=units[1])
        return exp.DataType(this=exp.Interval(unit=span))

    def _interval_unit(self) -> exp.Expr:
        unit = self._parse_var(any_token=True, upper=True)
        self._type_sizes()
        if unit is None:
            self.raise_error("Expected a unit after INTERVAL")
        return unit or exp.Var(this="")

    def _list_type(self, word: str) -> exp.DataType:
        inner = self._type_list(lambda: self._parse_types(), required=True)
        if word == "MULTISET":
            return _foreign(word, inner)
        return exp.DataType(this=exp.DType[word], expressions=inner, nested=True)

    def _row_type(self, word: str) -> exp.DataType:
        fields = self._type_list(self._row_field, required=True)
        return exp.DataType(this=exp.DType.STRUCT, expressions=fields, nested=True)

    def _row_field(self) -> exp.Expr | None:
        first = self._curr
        name = self._parse_id_var()
        kind = self._parse_types()
        if first is None or name is None or not isinstance(kind, exp.DataType):
            self.raise_error("Expected a name and a type: ROW<name STRING, …>")
        if self._match_text_seq("COMMENT"):
            self._parse_string()
        return self.expression(exp.ColumnDef(this=name, kind=kind))

    def _foreign_type(self, word: str) -> exp.DataType:
        """A type that Penstock does not have; its arguments are read over."""
        self._type_list(self._foreign_argument, required=False)
        return _foreign(word, [])

    def _foreign_argument(self) -> exp.Expr | None:
        if self._curr and self._curr.token_type == TokenType.STRING:
            return self._parse_string()
        return self._row_field()

    def _type_list(self, item, *, required: bool):  # type: ignore[no-untyped-def]
        if self._match(TokenType.NEQ) and required:
            self.raise_error("Expected a type between < and >", self._prev)
        if not self._match_set(_OPENING):
            if required:
                self.raise_error("Expected < and a type")
            return []
        closing = _CLOSING[self._prev.token_type]
        items = self._parse_csv(item)
        if not self._match(closing):
            self.raise_error(
                "Expected > after the type" if closing == TokenType.GT else "Expected )"
            )
        return items

    _TYPES: ClassVar[dict] = {  # type: ignore[type-arg]
        **dict.fromkeys(_PLAIN, _plain_type),
        **dict.fromkeys(("ARRAY", "MAP", "MULTISET"), _list_type),
        **dict.fromkeys(("BITMAP", "DESCRIPTOR", "RAW", "STRUCTURED"), _foreign_type),
        "INTERVAL": _interval_type,
        "ROW": _row_type,
    }
