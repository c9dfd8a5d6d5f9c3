"""ClickHouse's functions of the bits of integers; those of a UInt64 are a BIGINT's in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.sql.clickhouse.number_casts import wrapped
from penstock.sql.clickhouse.numbers import INTEGERS, TRUTH, UINT8, integer
from penstock.sql.functions.clickhouse.base import Table, one

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.types import DataType

_HALF, _WHOLE = 2**63, 2**64
_NEGATIVE = literal("The number of shift positions is below 0.")
_NO_BIT = literal("There is no such bit in the number.")


def bits_of(value: Expr) -> str:
    """All 64 bits as BIGINT, the sign in front of narrow ones."""
    if value.type.root != "UINT64":
        return f"CAST({value.sql} AS BIGINT)"
    return f"CAST(if({value.sql} >= {_HALF}, {value.sql} - {_WHOLE}, {value.sql}) AS BIGINT)"


def _common(a: Expr, b: Expr) -> DataType:
    """As wide as the wider one, signed if one is."""
    (a_bits, a_signed), (b_bits, b_signed) = INTEGERS[a.type.root], INTEGERS[b.type.root]
    return integer(max(a_bits, b_bits), signed=a_signed or b_signed)


def _combined(operator: str) -> Callable[[Sequence[Expr]], Expr]:
    def build(arguments: Sequence[Expr]) -> Expr:
        a, b = arguments
        type_ = _common(a, b)
        return Expr(wrapped(f"({bits_of(a)} {operator} {bits_of(b)})", type_), type_)

    return build


def _inverted(arguments: Sequence[Expr]) -> Expr:
    type_ = arguments[0].type
    return Expr(wrapped(f"(~ {bits_of(arguments[0])})", type_), type_)


def _shifted(function: str, unsigned: str) -> Callable[[Sequence[Expr]], Expr]:
    """What is moved by all of its bits is 0."""

    def build(arguments: Sequence[Expr]) -> Expr:
        value, places = arguments
        type_ = _common(value, places)
        size, _ = INTEGERS[value.type.root]
        call = function if INTEGERS[type_.root][1] else unsigned
        moved = f"{call}({bits_of(value)}, CAST(least({places.sql}, {size}) AS INT))"
        found = f"if({places.sql} >= {size}, {wrapped('0', type_)}, {wrapped(moved, type_)})"
        return Expr(f"if({places.sql} < 0, raise_error({_NEGATIVE}), {found})", type_)

    return build


def _tested(arguments: Sequence[Expr]) -> Expr:
    value, place = arguments
    size, _ = INTEGERS[value.type.root]
    found = f"((shiftright({bits_of(value)}, CAST({place.sql} AS INT)) & 1) = 1)"
    known = f"{place.sql} >= 0 AND {place.sql} < {size}"
    return Expr(f"if({known}, {found}, raise_error({_NO_BIT}))", TRUTH)


def _counted(arguments: Sequence[Expr]) -> Expr:
    """Bits that are 1, in the width of the number."""
    value = arguments[0]
    size, _ = INTEGERS[value.type.root]
    own = bits_of(value) if size == 64 else f"({bits_of(value)} & {2**size - 1}L)"
    return Expr(f"CAST(bit_count({own}) AS SMALLINT)", UINT8)


_BOTH = ("integer", "integer")
_COMMON = "The wider type, signed if one is"
BITS: Table = {
    "bitAnd": one(_BOTH, _combined("&"), _COMMON),
    "bitOr": one(_BOTH, _combined("|"), _COMMON),
    "bitXor": one(_BOTH, _combined("^"), _COMMON),
    "bitNot": one(("integer",), _inverted, "The type of argument 1"),
    "bitShiftLeft": one(_BOTH, _shifted("shiftleft", "shiftleft"), _COMMON),
    "bitShiftRight": one(_BOTH, _shifted("shiftright", "shiftrightunsigned"), _COMMON),
    "bitTest": one(_BOTH, _tested, "UInt8"),
    "bitCount": one(("integer",), _counted, "UInt8"),
}
