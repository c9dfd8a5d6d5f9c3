"""The shape of ClickHouse's function table: that of `functions.base`, with its kinds and its NULLs.

A call of a function with a NULL gives NULL, and a Nullable argument gives a Nullable result, unless
the signature is `lenient`: then its own rule decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from penstock.model.expression import Expr
from penstock.model.types import MAX_LENGTH, NULL, DataType
from penstock.sql.clickhouse.numbers import INTEGERS, as_number, is_bool, is_number
from penstock.sql.clickhouse.types import type_name
from penstock.sql.functions.base import Families
from penstock.sql.functions.base import Signature as Base
from penstock.sql.literals import text_of

Build = Callable[[Sequence[Expr]], str | Expr | None]
# A build that knows its type.
Typed = Callable[[Sequence[Expr]], Expr | None]
Rule = Callable[[Sequence[Expr]], DataType | None]

STRING = DataType("VARCHAR", MAX_LENGTH, nullable=False)
_NUMBER = re.compile(r"(?:CAST\()?\(?(-? ?\d+)[SLY]?\)?(?: AS DECIMAL\(20, 0\)\))?")
_DATES = ("DATE", "DATE32")
_NOT_SCALAR = ("ARRAY", "MAP", "ROW", "STATE", "IPV4", "IPV6")
# Parameters of lambdas with the user's expressions in them: no column of theirs has such a name.
EACH, PLACE = "penstock_x", "penstock_i"
# What Spark counts in, as UInt64.
COUNT = "CAST({0} AS DECIMAL(20, 0))"
# Stands behind each call of one of Spark's aggregates, where OVER may be written.
AFTER = "\x01"

# what a signature calls a kind of argument → which arguments are of that kind
FAMILIES: Families = {
    "any": lambda a: a.type.root != "STATE",
    "array": lambda a: a.type.root == "ARRAY",
    "array of strings": lambda a: a.type.root == "ARRAY" and is_text(a.type.children[0][1]),
    "array of numbers": lambda a: a.type.root == "ARRAY" and is_number(a.type.children[0][1]),
    "condition": lambda a: is_number(a.type) and a.type.root != "DECIMAL",
    "Date": lambda a: a.type.root == "DATE",
    "date": lambda a: a.type.root in _DATES,
    "date or time": lambda a: a.type.root in (*_DATES, "TIMESTAMP_LTZ"),
    "DateTime64": lambda a: a.type.root == "TIMESTAMP_LTZ" and bool(a.type.precision),
    "decimal": lambda a: a.type.root == "DECIMAL",
    "enum": lambda a: bool(a.type.labels),
    "DateTime": lambda a: a.type.root == "TIMESTAMP_LTZ" and not a.type.precision,
    "FixedString": lambda a: a.type.root == "FIXEDSTRING",
    "float": lambda a: a.type.root in ("FLOAT", "DOUBLE"),
    "integer or float": lambda a: is_number(a.type) and a.type.root != "DECIMAL",
    # Of a Decimal with more digits what is between two values would be another one.
    "number or moment": lambda a: (
        a.type.root in ("DATE", "TIMESTAMP_LTZ")
        or (is_number(a.type) and (a.type.root != "DECIMAL" or (a.type.precision or 0) <= 18))
    ),
    "IPv4": lambda a: a.type.root == "IPV4",
    "IPv6": lambda a: a.type.root == "IPV6",
    "integer": lambda a: a.type.root in INTEGERS or a.type.root == "BOOLEAN",
    "literal integer": lambda a: integer_of(a.sql) is not None,
    "literal string": lambda a: text_of(a.sql) is not None,
    "map": lambda a: a.type.root == "MAP",
    "number": lambda a: is_number(a.type),
    "number except Bool": lambda a: is_number(a.type) and not is_bool(a.type),
    "scalar": lambda a: a.type.root not in _NOT_SCALAR,
    "state": lambda a: a.type.root == "STATE",
    "string": lambda a: is_text(a.type),
    "String": lambda a: a.type.root == "VARCHAR",
    "time": lambda a: a.type.root == "TIMESTAMP_LTZ",
    "tuple": lambda a: a.type.root == "ROW",
    "UInt8": lambda a: a.type.root in ("BOOLEAN", "UINT8"),
    "uuid": lambda a: a.type.root == "UUID",
}
# Kinds whose arguments are numbers to Spark too: a comparison among them becomes UInt8.
_NUMERIC = (
    "integer",
    "integer or float",
    "number",
    "number or moment",
    "number except Bool",
)


@dataclass(frozen=True, slots=True)
class Signature(Base):
    """One way to call a function.

    Where `returns` is a text it describes the type, and `sql` builds the whole expression.
    """

    KINDS = FAMILIES

    sql: str | Build  # type: ignore[assignment]
    returns: DataType | int | str | Rule  # type: ignore[assignment]
    lenient: bool = False

    def call(self, arguments: Sequence[Expr]) -> Expr | None:
        """The call in Spark SQL, or None if the arguments do not go together."""
        if not self.lenient and any(argument.type.root == "NULL" for argument in arguments):
            return Expr("NULL", NULL)
        families = self._families(len(arguments))
        fitted = [
            as_number(argument) if family in _NUMERIC else argument
            for family, argument in zip(families, arguments, strict=True)
        ]
        if isinstance(self.sql, str):
            texts = [argument.sql for argument in fitted]
            return self._typed(self.sql.format(*texts), fitted)
        built = self.sql(fitted)
        if isinstance(built, str):
            return self._typed(built, fitted)
        return built and self._checked(Expr(built.sql, self._with_nulls(built.type, fitted)))

    def _typed(self, sql: str, arguments: Sequence[Expr]) -> Expr | None:
        result = self._result_of(arguments)
        return self._checked(Expr(sql, result)) if result else None

    def _checked(self, built: Expr) -> Expr | None:
        """An Array or a Map cannot be Nullable: what would make it so is refused."""
        return None if built.type.nullable and built.type.root in ("ARRAY", "MAP") else built

    def aggregate(
        self,
        arguments: Sequence[Expr],
        *,
        distinct: bool = False,
        condition: str = "",
        over: str = "",
        order: str = "",
    ) -> Expr | None:
        """The call of an aggregate; conditions stand in the -If functions of the table."""
        built = None if distinct or condition else self.call(arguments)
        if built is None or (over and AFTER not in built.sql):
            return None
        return Expr(built.sql.replace(AFTER, over), built.type)

    def describe_result(self) -> str:
        """The type of the result in words."""
        if isinstance(self.returns, str):
            return self.returns
        if isinstance(self.returns, DataType):
            return type_name(self.returns)
        if isinstance(self.returns, int):
            return f"The type of argument {self.returns + 1}"
        return (self.returns.__doc__ or "").rstrip(".")

    def _result_of(self, arguments: Sequence[Expr]) -> DataType | None:
        if isinstance(self.returns, int):
            found: DataType | None = arguments[self.returns].type
        elif isinstance(self.returns, DataType):
            found = self.returns
        else:
            assert callable(self.returns)  # noqa: S101 — a text has no type of its own
            found = self.returns(arguments)
        return found and self._with_nulls(found, arguments)

    def _with_nulls(self, type_: DataType, arguments: Sequence[Expr]) -> DataType:
        if self.lenient:
            return type_
        nullable = type_.nullable or any(argument.type.nullable for argument in arguments)
        return type_.as_nullable(nullable)


def is_text(type_: DataType) -> bool:
    """String or FixedString."""
    return type_.root in ("VARCHAR", "FIXEDSTRING")


def integer_of(sql: str) -> int | None:
    """The number, if this is an integer literal and nothing else."""
    match = _NUMBER.fullmatch(sql)
    return int(match[1].replace(" ", "")) if match else None


Table = dict[str, tuple[Signature, ...]]


def one(
    takes: tuple[str, ...],
    sql: str | Build,
    returns: DataType | int | str | Rule,
    *,
    variadic: bool = False,
    lenient: bool = False,
) -> tuple[Signature, ...]:
    """A function with one signature."""
    return (Signature(takes, sql, returns, variadic=variadic, lenient=lenient),)
