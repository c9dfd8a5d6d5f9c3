"""CREATE FUNCTION and DROP FUNCTION: a function of the user's is one more of the dialect's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from penstock.catalog.functions import UserFunction, function_error, load_function
from penstock.errors import PlanError
from penstock.sql.casts import cast
from penstock.sql.functions.base import Signature
from penstock.sql.names import parts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.expression import Expr
    from penstock.plan.planning import Planning
    from penstock.sql.statements import CreateFunction, DropFunction

_MOST_ARGUMENTS = 16


def create_function(planning: Planning, statement: CreateFunction) -> None:
    """Load the function and give it a place among the others."""
    name = parts_of(statement.name)[-1].upper()
    functions, language = planning.catalog.functions, planning.language
    if name in functions:
        if statement.if_not_exists:
            return
        raise _exists(statement, "exists already.")
    if name in language.scalar or name in language.aggregate or name in language.calls:
        raise _exists(statement, "is a function of SQL.")
    spark_name = f"penstock_user_{len(planning.functions)}_{name.lower()}"
    function = load_function(statement, spark_name, planning.catalog.folders)
    functions[name] = function
    planning.functions.append(function)
    _offer(planning, name, _signature(function))


def drop_function(planning: Planning, statement: DropFunction) -> None:
    """Forget a function of the script's own."""
    name = parts_of(statement.name)[-1].upper()
    if planning.catalog.functions.pop(name, None) is None:
        if statement.if_exists:
            return
        raise PlanError(
            "UNSUPPORTED_FUNCTION",
            span=statement.span,
            function=name,
            did_you_mean="",
            instead="The script has not created it.",
        )
    kept = {key: value for key, value in planning.language.scalar.items() if key != name}
    planning.language = replace(planning.language, scalar=kept)


def mark_broken(planning: Planning, statement: CreateFunction) -> None:
    """Calls of a function whose CREATE failed are no mistakes of their own."""
    name = parts_of(statement.name)[-1].upper()

    def broken(arguments: Sequence[Expr]) -> NoReturn:
        raise PlanError("BROKEN_FUNCTION", function=name)

    if name not in planning.language.scalar:
        counts = range(_MOST_ARGUMENTS)
        _offer(planning, name, *(Signature(("any",) * n, broken, broken) for n in counts))


def _offer(planning: Planning, name: str, *signatures: Signature) -> None:
    scalar = {**planning.language.scalar, name: signatures}
    planning.language = replace(planning.language, scalar=scalar)


def _signature(function: UserFunction) -> Signature:
    def call(arguments: Sequence[Expr]) -> str:
        for argument, expected in zip(arguments, function.inputs, strict=True):
            if not expected.accepts(argument.type):
                raise PlanError(
                    "WRONG_ARGUMENTS",
                    function=function.name,
                    found=", ".join(str(a.type) for a in arguments),
                    expected=f"({', '.join(str(type_) for type_ in function.inputs)})",
                )
        converted = (
            cast(argument.sql, argument.type, expected)
            for argument, expected in zip(arguments, function.inputs, strict=True)
        )
        return f"{function.spark_name}({', '.join(converted)})"

    return Signature(("any",) * len(function.inputs), call, function.result)


def _exists(statement: CreateFunction, problem: str) -> PlanError:
    return function_error(statement, problem, "Choose another name.")
