"""The shape of the function table: a name, what it takes, its Spark SQL, what it gives.

The tables of this folder are read by `plan.expressions` and `plan.aggregate`, and by whoever writes
the reference: `describe` and `describe_result` say a signature in words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DOUBLE,
    INT,
    STRING,
    TIMESTAMP_3,
    DataType,
)
from penstock.sql.arithmetic import merged_type
from penstock.sql.literals import integer_of, text_of

_ORDERED = ("BOOLEAN", "CHAR", "VARCHAR", "BINARY", "VARBINARY", "DATE", "TIME")


Families = dict[str, Callable[[Expr], bool]]
# what a signature calls a kind of argument → which arguments are of that kind
FAMILIES: Families = {
    "any": lambda a: True,
    "array": lambda a: a.type.root == "ARRAY",
    "array of text": lambda a: a.type.root == "ARRAY" and a.type.children[0][1].is_text,
    "binary": lambda a: a.type.root in ("BINARY", "VARBINARY"),
    "boolean": lambda a: a.type.root == "BOOLEAN",
    "comparable": lambda a: a.type.root in _ORDERED or a.type.is_numeric or a.type.is_time,
    "date or time": lambda a: a.type.root == "DATE" or a.type.is_time,
    "decimal": lambda a: a.type.root == "DECIMAL",
    "exact number": lambda a: a.type.is_integer or a.type.root == "DECIMAL",
    "ignore nulls": lambda a: a.sql == "TRUE",
    "int": lambda a: a.type.is_integer,
    "integer": lambda a: a.type.is_integer,
    "list": lambda a: a.type.root in ("ARRAY", "MAP"),
    "literal boolean": lambda a: a.sql in ("TRUE", "FALSE"),
    "literal int": lambda a: integer_of(a.sql) is not None,
    "literal text": lambda a: text_of(a.sql) is not None,
    "map": lambda a: a.type.root == "MAP",
    "number": lambda a: a.type.is_numeric,
    "on null": lambda a: a.sql in ("TRUE", "FALSE"),
    "text": lambda a: a.type.is_text,
    "time": lambda a: a.type.is_time,
    "time of day": lambda a: a.type.root == "TIME",
}
# What an untyped NULL is read as, so that Spark sees the type that Flink would.
_NULLS = {
    "binary": BYTES,
    "boolean": BOOLEAN,
    "date or time": TIMESTAMP_3,
    "int": INT,
    "integer": INT,
    "number": DOUBLE,
    "text": STRING,
    "time": TIMESTAMP_3,
}

Build = Callable[[Sequence[Expr]], str]
Rule = Callable[[Sequence[Expr]], DataType | None]
Returns = DataType | int | Rule


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to call a function.

    `sql` holds `{0}`, `{1}`, … for the arguments, `{all}` for all of them and `{type}` for the
    result's type, or is a function that writes the text. `returns` is a type, the number of the
    argument whose type it has, or a rule. With `variadic` the last family may repeat. `in_order` is
    the text of an aggregate whose rows have an order, with `{order}` for the column of it.
    """

    KINDS: ClassVar[Families] = FAMILIES

    takes: tuple[str, ...]
    sql: str | Build
    returns: Returns
    variadic: bool = False
    in_order: str | Build = ""

    def matches(self, arguments: Sequence[Expr]) -> bool:
        """Whether these arguments can be passed; NULL fits wherever no literal is needed."""
        families = self._families(len(arguments))
        return len(families) == len(arguments) and all(
            self.KINDS[family](argument)
            or (argument.type.root == "NULL" and not family.startswith("literal"))
            for family, argument in zip(families, arguments, strict=True)
        )

    def call(self, arguments: Sequence[Expr]) -> Expr | None:
        """The call in Spark SQL, or None if the arguments have no common type."""
        families = self._families(len(arguments))
        fitted = [_fit(*pair) for pair in zip(families, arguments, strict=True)]
        result = self._result(fitted)
        if result is None:
            return None
        if callable(self.sql):
            return Expr(self.sql(fitted), result)
        return Expr(_text(self.sql, fitted, result), result)

    def aggregate(
        self,
        arguments: Sequence[Expr],
        *,
        distinct: bool = False,
        condition: str = "",
        over: str = "",
        order: str = "",
    ) -> Expr | None:
        """The call of an aggregate: of distinct values, of some rows only, or with OVER.

        An aggregate that can be of distinct values has `{distinct}` in its text; one that is not
        a single call has `{after}` behind each call, where FILTER or OVER is written. `order` is a
        column by which the rows of a group came, if there is one.
        """
        if condition and over:
            # Spark has no FILTER beside OVER.
            if not arguments:
                return Expr(f"count(CASE WHEN {condition} THEN 1 END){over}", BIGINT)
            condition, arguments = "", _chosen(arguments, condition)
        families = self._families(len(arguments))
        fitted = [_fit(*pair) for pair in zip(families, arguments, strict=True)]
        result = self._result(fitted)
        if result is None:
            return None
        template = self.in_order if order and self.in_order else self.sql
        sql = template(fitted) if callable(template) else _text(template, fitted, result)
        if distinct and "{distinct" not in sql:
            raise PlanError(
                "UNSUPPORTED_QUERY",
                feature="DISTINCT in this aggregate",
                instead="Aggregate without DISTINCT.",
            )
        after = over or (f" FILTER (WHERE {condition})" if condition else "")
        if "{after}" not in sql:
            sql += "{after}"
        sql = sql.replace("{distinct}", "DISTINCT " if distinct else "")
        sql = sql.replace("{distinct_array}", "array_distinct" if distinct else "")
        sql = sql.replace("{order}", order)
        return Expr(sql.replace("{after}", after), result)

    def describe(self) -> str:
        """The arguments in words."""
        return f"({', '.join(self.takes)}{', …' if self.variadic else ''})"

    def describe_result(self) -> str:
        """The type of the result in words."""
        if isinstance(self.returns, DataType):
            return str(self.returns)
        if isinstance(self.returns, int):
            return f"The type of argument {self.returns + 1}"
        return (self.returns.__doc__ or "").rstrip(".")

    def _families(self, count: int) -> tuple[str, ...]:
        if self.variadic and count > len(self.takes):
            return (*self.takes, *[self.takes[-1]] * (count - len(self.takes)))
        return self.takes

    def _result(self, arguments: Sequence[Expr]) -> DataType | None:
        if isinstance(self.returns, DataType):
            return self.returns
        if isinstance(self.returns, int):
            return arguments[self.returns].type.as_nullable()
        return self.returns(arguments)


# What `Signature.aggregate` fills in last.
_LATER = {name: f"{{{name}}}" for name in ("distinct", "distinct_array", "after", "order")}


def _text(template: str, arguments: Sequence[Expr], result: DataType) -> str:
    texts = [argument.sql for argument in arguments]
    return template.format(*texts, all=", ".join(texts), type=result.spark_sql(), **_LATER)


def _chosen(arguments: Sequence[Expr], condition: str) -> Sequence[Expr]:
    """The arguments with the first one NULL where the condition does not hold."""
    first, *rest = arguments
    chosen = f"CASE WHEN {condition} THEN {first.sql} END"
    return [Expr(chosen, first.type.as_nullable()), *rest]


def _fit(family: str, argument: Expr) -> Expr:
    if argument.type.root == "NULL" and family in _NULLS:
        type_ = _NULLS[family]
        return Expr(f"CAST(NULL AS {type_.spark_sql()})", type_)
    if family == "int" and argument.type.root == "BIGINT":
        return Expr(f"CAST({argument.sql} AS INT)", INT)
    return argument


def common(arguments: Sequence[Expr]) -> DataType | None:
    """The common type of the arguments."""
    types: list[DataType | None] = [argument.type.as_nullable() for argument in arguments]
    return reduce(lambda a, b: merged_type(a, b) if a and b else None, types)


def varying(arguments: Sequence[Expr]) -> DataType:
    """VARCHAR as long as argument 1."""
    return DataType("VARCHAR", arguments[0].type.precision)
