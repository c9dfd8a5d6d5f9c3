"""ClickHouse's functions of IPv4 and IPv6 addresses, which are kept as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType, literal
from penstock.sql.clickhouse.numbers import TRUTH, UINT32
from penstock.sql.clickhouse.types import default_sql
from penstock.sql.functions.clickhouse.base import STRING, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_IPV6 = DataType("IPV6", nullable=False)
_BYTES = DataType("FIXEDSTRING", 16, nullable=False)
# No zeros stand in front of a part.
_PART = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_V4 = literal(rf"^{_PART}(\.{_PART}){{3}}$")
_NO_V4 = literal("Invalid IPv4 value.")
_NO_V6 = literal("Invalid IPv6 value.")


def _text(last: str) -> Callable[[Sequence[Expr]], str | None]:
    """The four parts of a number."""

    def build(arguments: Sequence[Expr]) -> str | None:
        if arguments[0].type.root not in ("UINT8", "UINT16", "UINT32"):
            return None
        number = f"CAST({arguments[0].sql} AS BIGINT)"
        parts = [f"CAST(shiftright({number}, {by}) & 255 AS STRING)" for by in (24, 16, 8, 0)]
        parts[-1] = last or parts[-1]
        return f"concat_ws('.', {', '.join(parts)})"

    return build


def _number(text: str) -> str:
    part = f"CAST(get(split({text}, '[.]'), {{0}}) AS BIGINT)"
    return " + ".join(f"{part.format(i)} * {256 ** (3 - i)}L" for i in range(4))


def _unless(found: str, type_: DataType, problem: str, suffix: str) -> Expr:
    """What is found, or what the function gives for a text that cannot be read."""
    if suffix == "OrNull":
        return Expr(found, type_.as_nullable())
    other = f"raise_error({problem})" if not suffix else default_sql(type_)
    return Expr(f"coalesce({found}, {other})", type_)


def _v4(suffix: str) -> Callable[[Sequence[Expr]], Expr]:
    def build(arguments: Sequence[Expr]) -> Expr:
        text = arguments[0].sql
        found = f"CASE WHEN {text} RLIKE {_V4} THEN {_number(text)} END"
        return _null_of(arguments[0], _unless(found, UINT32, _NO_V4, suffix))

    return build


def _v6(function: str, type_: DataType, suffix: str) -> Callable[[Sequence[Expr]], Expr]:
    def build(arguments: Sequence[Expr]) -> Expr:
        found = f"penstock_ch_{function}({arguments[0].sql})"
        return _null_of(arguments[0], _unless(found, type_, _NO_V6, suffix))

    return build


def _null_of(argument: Expr, found: Expr) -> Expr:
    if not argument.type.nullable:
        return found
    return Expr(f"if({argument.sql} IS NULL, NULL, {found.sql})", found.type)


def _v6_family() -> Table:
    table: Table = {}
    for suffix in ("", "OrNull", "OrZero", "OrDefault"):
        table[f"toIPv6{suffix}"] = one(("string",), _v6("address_v6", _IPV6, suffix), "IPv6")
    for suffix in ("", "OrNull", "OrDefault"):
        table[f"IPv4StringToNum{suffix}"] = one(("string",), _v4(suffix), "UInt32")
        table[f"IPv6StringToNum{suffix}"] = one(
            ("string",), _v6("address_v6_bytes", _BYTES, suffix), "FixedString(16)"
        )
    return table


def _in_range(arguments: Sequence[Expr]) -> Expr:
    address, prefix = (argument.sql for argument in arguments)
    found = f"penstock_ch_address_is_in({address}, {prefix})"
    return Expr(f"coalesce({found}, raise_error('Neither an address nor a prefix.'))", TRUTH)


ADDRESSES: Table = {
    **_v6_family(),
    "IPv4NumToString": (
        S(("integer",), _text(""), STRING),
        S(("IPv4",), "{0}", STRING),
    ),
    "IPv4NumToStringClassC": one(("integer",), _text("'xxx'"), STRING),
    "IPv6NumToString": (
        S(("FixedString",), "penstock_ch_address_v6_text({0})", STRING),
        S(("IPv6",), "{0}", STRING),
    ),
    "IPv4ToIPv6": one(("IPv4",), "concat('::ffff:', {0})", _IPV6),
    "isIPv4String": one(
        ("string",), f"({{0}} RLIKE {_V4.replace('{', '{{').replace('}', '}}')})", TRUTH
    ),
    "isIPv6String": one(
        ("string",), "({0} LIKE '%:%' AND penstock_ch_address_v6({0}) IS NOT NULL)", TRUTH
    ),
    "isIPAddressInRange": one(("String", "String"), _in_range, "UInt8"),
}
