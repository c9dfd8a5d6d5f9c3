"""Flink's functions of bytes, character sets and addresses, and those that tell about a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    MAX_LENGTH,
    STRING,
    DataType,
    literal,
    quote,
)
from penstock.sql.functions.base import Signature as S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.expression import Expr

# The types whose full name is not the one that they are shown with.
_FULL_NAMES = {"TIMESTAMP_LTZ": "TIMESTAMP({}) WITH LOCAL TIME ZONE"}


def _type_name(arguments: Sequence[Expr]) -> str:
    type_ = arguments[0].type
    if len(arguments) == 1 or arguments[1].sql == "FALSE":
        return literal(str(type_))
    name = _full_name(type_)
    return literal(name) if name else "CAST(NULL AS STRING)"


def _full_name(type_: DataType) -> str | None:
    """The name that a catalog would keep."""
    if type_.root == "NULL":
        return None
    if type_.children:
        inner = ", ".join(
            f"{quote(name)} {_full_name(child)}" if type_.root == "ROW" else str(_full_name(child))
            for name, child in type_.children
        )
        text = f"{type_.root}<{inner}>"
    elif type_.root in ("VARCHAR", "VARBINARY") and type_.precision == MAX_LENGTH:
        text = f"{type_.root}({MAX_LENGTH})"
    elif type_.root in _FULL_NAMES:
        text = _FULL_NAMES[type_.root].format(type_.precision)
    else:
        text = str(type_.as_nullable())
    return text + ("" if type_.nullable else " NOT NULL")


BINARY: dict[str, tuple[S, ...]] = {
    "DECODE": (S(("binary", "text"), "penstock_decode({0}, {1})", STRING),),
    "ENCODE": (S(("text", "text"), "penstock_encode({0}, {1})", BYTES),),
    "INET_ATON": (S(("text",), "penstock_address_number({0})", BIGINT),),
    "INET_NTOA": (S(("integer",), "penstock_address_text(CAST({0} AS BIGINT))", STRING),),
    "IS_VALID_UTF8": (S(("binary",), "penstock_is_utf8({0})", BOOLEAN),),
    "MAKE_VALID_UTF8": (S(("binary",), "penstock_decode({0}, 'UTF-8')", STRING),),
    "TYPEOF": (
        S(("any",), _type_name, STRING),
        S(("any", "literal boolean"), _type_name, STRING),
    ),
    "UNHEX": (S(("text",), "penstock_unhex({0})", BYTES),),
}
