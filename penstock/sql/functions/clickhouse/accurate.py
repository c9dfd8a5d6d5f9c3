"""`accurateCast` and its kind: a number as another type, if that holds it exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.sql.clickhouse.casts import cast, cast_explicit
from penstock.sql.clickhouse.number_casts import Mode
from penstock.sql.clickhouse.numbers import FLOATS, INTEGERS, as_number
from penstock.sql.clickhouse.type_reader import type_of
from penstock.sql.clickhouse.types import default_sql, type_name
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.base import Table, is_text, one
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.types import DataType


def _target(argument: Expr) -> DataType:
    text = text_of(argument.sql) or ""
    type_ = type_of(text, text)
    if type_.nullable or type_.root not in (*INTEGERS, *FLOATS, "DATE", "TIMESTAMP_LTZ", "UUID"):
        raise PlanError(
            "UNSUPPORTED_QUERY",
            feature=f"accurateCast to {type_name(type_)}",
            instead="Use CAST, or the function of the type with OrNull.",
        )
    return type_


def _exact(value: Expr, target: DataType) -> str:
    """The value in another type, NULL if that does not hold it."""
    value = as_number(value)
    if is_text(value.type):
        return cast(value, target, Mode.NULL).sql
    if value.type.root in (*INTEGERS, "DECIMAL") and target.root in INTEGERS:
        # What stands behind the point of a Decimal is cut off.
        whole = f"({value.sql} - {value.sql} % 1)" if value.type.scale else value.sql
        return (
            f"CASE WHEN {_in_range(whole, target)} THEN CAST({whole} AS {target.spark_sql()}) END"
        )
    if value.type.root in FLOATS and target.root in INTEGERS:
        wide = f"CAST({value.sql} AS DECIMAL(38, 0))"
        known = f"abs({value.sql}) < 1e20D AND {value.sql} = floor({value.sql})"
        fits = _in_range(wide, target)
        found = f"CASE WHEN {fits} THEN CAST({wide} AS {target.spark_sql()}) END"
        return f"CASE WHEN {known} THEN {found} END"
    if value.type.root in INTEGERS and target.root in FLOATS:
        near = f"CAST({value.sql} AS {target.spark_sql()})"
        return f"CASE WHEN CAST({near} AS DECIMAL(38, 0)) = {value.sql} THEN {near} END"
    if value.type.root == "DOUBLE" and target.root == "FLOAT":
        near = f"CAST({value.sql} AS FLOAT)"
        return f"CASE WHEN CAST({near} AS DOUBLE) = {value.sql} THEN {near} END"
    return cast(value, target).sql


def _in_range(sql: str, type_: DataType) -> str:
    bits, signed = INTEGERS[type_.root]
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return f"{sql} BETWEEN {low} AND {high}"


def _or_null(arguments: Sequence[Expr]) -> Expr:
    target = _target(arguments[1])
    return Expr(_exact(arguments[0], target), target.as_nullable())


def _strict(arguments: Sequence[Expr]) -> Expr:
    value, target = arguments[0], _target(arguments[1])
    if is_text(value.type):
        return cast_explicit(value, target)
    problem = literal(f"The value cannot be safely converted into type {type_name(target)}.")
    return Expr(f"coalesce({_exact(value, target)}, raise_error({problem}))", target)


def _or_default(arguments: Sequence[Expr]) -> Expr:
    target = _target(arguments[1])
    other = cast(arguments[2], target).sql if len(arguments) > 2 else default_sql(target)
    return Expr(f"coalesce({_exact(arguments[0], target)}, {other})", target)


_TAKES = ("any", "literal string")
ACCURATE: Table = {
    "accurateCast": one(_TAKES, _strict, "The type that argument 2 names", lenient=True),
    "accurateCastOrNull": one(_TAKES, _or_null, "Nullable of that type", lenient=True),
    "accurateCastOrDefault": (
        S(_TAKES, _or_default, "That type", lenient=True),
        S((*_TAKES, "any"), _or_default, "That type", lenient=True),
    ),
}
