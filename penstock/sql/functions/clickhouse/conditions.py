"""ClickHouse's functions that choose between values, and its comparisons by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import NULL
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.numbers import BOOL, TRUTH, common_of, is_bool
from penstock.sql.clickhouse.types import default_sql
from penstock.sql.functions.clickhouse.base import Table, one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.types import DataType


def truth_sql(value: Expr) -> str:
    """A value as a condition: a number is true unless it is 0."""
    if value.type.root in ("BOOLEAN", "NULL"):
        return value.sql
    return f"({value.sql} <> 0)"


def _chosen(tests: Sequence[Expr], values: Sequence[Expr]) -> Expr | None:
    """The value of the first test that holds, else the last value."""
    type_ = common_of([value.type for value in values])
    scales = {value.type.scale for value in values if value.type.root == "DECIMAL"}
    if type_ is None or len(scales) > 1:
        return None
    if type_.root == "NULL":
        return Expr("NULL", NULL)
    *cases, other = (cast(value, type_).sql for value in values)
    branches = " ".join(
        f"WHEN {truth_sql(test)} THEN {value}" for test, value in zip(tests, cases, strict=True)
    )
    return Expr(f"CASE {branches} ELSE {other} END", type_)


def _if(arguments: Sequence[Expr]) -> Expr | None:
    return _chosen(arguments[:1], arguments[1:])


def _multi_if(arguments: Sequence[Expr]) -> Expr | None:
    if len(arguments) % 2 == 0:
        return None
    return _chosen(arguments[:-1:2], [*arguments[1::2], arguments[-1]])


def _coalesce(arguments: Sequence[Expr]) -> Expr | None:
    """Nothing behind the first value that is never NULL counts."""
    known = [argument for argument in arguments if argument.type.root != "NULL"]
    ends = [place for place, argument in enumerate(known) if not argument.type.nullable]
    known = known[: ends[0] + 1] if ends else known
    if not known:
        return Expr("NULL", NULL)
    type_ = common_of([argument.type for argument in known])
    if type_ is None:
        return None
    nullable = all(argument.type.nullable for argument in known)
    texts = ", ".join(cast(argument, type_).sql for argument in known)
    return Expr(f"coalesce({texts})", type_.as_nullable(nullable))


def _null_if(arguments: Sequence[Expr]) -> Expr | None:
    value, other = arguments
    type_ = common_of([value.type, other.type])
    if type_ is None:
        return None
    a, b = cast(value, type_).sql, cast(other, type_).sql
    return Expr(f"if({a} = {b}, NULL, {value.sql})", value.type.as_nullable())


def _assume_not_null(arguments: Sequence[Expr]) -> Expr:
    """ClickHouse leaves open what a NULL becomes; here it is the default value."""
    value = arguments[0]
    type_ = value.type.as_nullable(nullable=False)
    return Expr(f"coalesce({value.sql}, {default_sql(type_)})", type_)


def _to_nullable(arguments: Sequence[Expr]) -> Expr:
    return Expr(arguments[0].sql, arguments[0].type.as_nullable())


def _is_nullable(arguments: Sequence[Expr]) -> Expr:
    return Expr("TRUE" if arguments[0].type.nullable else "FALSE", TRUTH)


def logical_type(arguments: Sequence[Expr]) -> DataType:
    """Bool if there is a Bool among the conditions."""
    found = BOOL if any(is_bool(argument.type) for argument in arguments) else TRUTH
    return found.as_nullable(any(argument.type.nullable for argument in arguments))


def joined_type(arguments: Sequence[Expr]) -> DataType:
    """Of AND and OR: Bool only if there is one that is not Nullable."""
    plain = [argument for argument in arguments if not argument.type.nullable]
    nullable = any(argument.type.nullable for argument in arguments)
    return logical_type(plain).as_nullable(nullable)


def _joined(word: str, arguments: Sequence[Expr]) -> Expr:
    joined = f" {word} ".join(truth_sql(argument) for argument in arguments)
    return Expr(f"({joined})", joined_type(arguments))


def _xor(arguments: Sequence[Expr]) -> Expr:
    a, b = (truth_sql(argument) for argument in arguments)
    return Expr(f"({a} <> {b})", logical_type(arguments))


def _not(arguments: Sequence[Expr]) -> Expr:
    return Expr(f"(NOT {truth_sql(arguments[0])})", logical_type(arguments))


_COMMON = "The common type of the values"
_BOTH = ("condition", "condition")
CONDITIONS: Table = {
    "if": one(("UInt8", "any", "any"), _if, _COMMON, lenient=True),
    "multiIf": one(("UInt8", "any", "any"), _multi_if, _COMMON, variadic=True, lenient=True),
    "coalesce": one(("any",), _coalesce, _COMMON, variadic=True, lenient=True),
    "ifNull": one(("any", "any"), _coalesce, _COMMON, lenient=True),
    "nullIf": one(("any", "any"), _null_if, "Nullable of argument 1", lenient=True),
    "isNull": one(("any",), "({0} IS NULL)", TRUTH, lenient=True),
    "isNotNull": one(("any",), "({0} IS NOT NULL)", TRUTH, lenient=True),
    "assumeNotNull": one(("any",), _assume_not_null, "Argument 1, not Nullable", lenient=True),
    "toNullable": one(("any",), _to_nullable, "Nullable of argument 1", lenient=True),
    "isZeroOrNull": one(("integer or float",), "coalesce({0} = 0, TRUE)", TRUTH, lenient=True),
    "isNullable": one(("any",), _is_nullable, "UInt8", lenient=True),
    "materialize": one(("any",), "{0}", 0),
    "identity": one(("any",), "{0}", 0),
    "toLowCardinality": one(("string",), "{0}", 0),
    "and": one(_BOTH, lambda a: _joined("AND", a), "UInt8", variadic=True, lenient=True),
    "or": one(_BOTH, lambda a: _joined("OR", a), "UInt8", variadic=True, lenient=True),
    "not": one(("condition",), _not, "UInt8"),
    "xor": one(_BOTH, _xor, "UInt8"),
}
