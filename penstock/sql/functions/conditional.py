"""Flink's functions that choose between values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.sql.arithmetic import common_type
from penstock.sql.casts import cast
from penstock.sql.functions.base import Signature as S
from penstock.sql.functions.base import common

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.expression import Expr
    from penstock.model.types import DataType


def _alike(arguments: Sequence[Expr], type_: DataType | None) -> list[str]:
    """The arguments in their common type."""
    assert type_ is not None  # noqa: S101 — the rule of the result came first
    return [cast(argument.sql, argument.type, type_) for argument in arguments]


def _coalesce(arguments: Sequence[Expr]) -> str:
    return f"coalesce({', '.join(_alike(arguments, common(arguments)))})"


def _extreme(name: str) -> S:
    def build(arguments: Sequence[Expr]) -> str:
        values = _alike(arguments, common(arguments))
        if len(values) == 1:
            return values[0]
        missing = " OR ".join(f"{argument.sql} IS NULL" for argument in arguments)
        return f"if({missing}, NULL, {name}({', '.join(values)}))"

    return S(("comparable",), build, common, variadic=True)


def _if(arguments: Sequence[Expr]) -> str:
    condition, *results = arguments
    return f"if({condition.sql}, {', '.join(_alike(results, _if_type(arguments)))})"


def _if_type(arguments: Sequence[Expr]) -> DataType | None:
    """The common type of arguments 2 and 3."""
    return common_type(*(argument.type.as_nullable() for argument in arguments[1:]))


def _null_if(arguments: Sequence[Expr]) -> str:
    left, right = _alike(arguments, _compared(arguments))
    return f"if({left} = {right}, NULL, {arguments[0].sql})"


def _null_if_type(arguments: Sequence[Expr]) -> DataType | None:
    """The type of argument 1."""
    return arguments[0].type.as_nullable() if _compared(arguments) else None


def _compared(arguments: Sequence[Expr]) -> DataType | None:
    return common_type(*(argument.type.as_nullable() for argument in arguments))


CONDITIONAL: dict[str, tuple[S, ...]] = {
    "COALESCE": (S(("any",), _coalesce, common, variadic=True),),
    "GREATEST": (_extreme("greatest"),),
    "IF": (S(("boolean", "any", "any"), _if, _if_type),),
    "IFNULL": (S(("any", "any"), _coalesce, common),),
    "LEAST": (_extreme("least"),),
    "NULLIF": (S(("comparable", "comparable"), _null_if, _null_if_type),),
}
