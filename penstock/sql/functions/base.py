"""The shape of the function table: a name, what it takes, its Spark SQL, what it gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.arithmetic import common_type

FAMILIES: dict[str, Callable[[DataType], bool]] = {
    "any": lambda t: True,
    "binary": lambda t: t.root in ("BINARY", "VARBINARY"),
    "boolean": lambda t: t.root == "BOOLEAN",
    "date or time": lambda t: t.root == "DATE" or t.is_time,
    "integer": lambda t: t.is_integer,
    "list": lambda t: t.root in ("ARRAY", "MAP"),
    "number": lambda t: t.is_numeric,
    "text": lambda t: t.is_text,
    "time": lambda t: t.is_time,
}

Returns = DataType | int | Callable[[Sequence[Expr]], DataType | None]


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to call a function.

    `sql` holds `{0}`, `{1}`, … for the arguments, or `{all}` for all of them. `returns` is a type,
    the number of the argument whose type it has, or a rule. With `variadic` the last family may
    repeat.
    """

    takes: tuple[str, ...]
    sql: str
    returns: Returns
    variadic: bool = False

    def matches(self, arguments: Sequence[Expr]) -> bool:
        """Whether these arguments can be passed; NULL fits everywhere."""
        takes = self.takes
        if self.variadic and len(arguments) > len(takes):
            takes = (*takes, *[takes[-1]] * (len(arguments) - len(takes)))
        return len(takes) == len(arguments) and all(
            argument.type.root == "NULL" or FAMILIES[family](argument.type)
            for family, argument in zip(takes, arguments, strict=True)
        )

    def call(self, arguments: Sequence[Expr]) -> Expr | None:
        """The call in Spark SQL, or None if the arguments have no common type."""
        texts = [argument.sql for argument in arguments]
        sql = self.sql.format(*texts, all=", ".join(texts))
        if isinstance(self.returns, int):
            return Expr(sql, arguments[self.returns].type.as_nullable())
        result = self.returns(arguments) if callable(self.returns) else self.returns
        return None if result is None else Expr(sql, result)

    def describe(self) -> str:
        """The arguments in words."""
        return f"({', '.join(self.takes)}{', …' if self.variadic else ''})"


def common(arguments: Sequence[Expr]) -> DataType | None:
    """The common type of all arguments."""
    first, *rest = (argument.type.as_nullable() for argument in arguments)
    return reduce(lambda a, b: common_type(a, b) if a else None, rest, first)  # type: ignore[arg-type,return-value]
