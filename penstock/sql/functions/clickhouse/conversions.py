"""`toString`, `toInt32OrNull`, `toDateTime` and their kind, made from one list of types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import DataType, literal
from penstock.sql.clickhouse.casts import cast
from penstock.sql.clickhouse.number_casts import Mode
from penstock.sql.clickhouse.type_reader import type_of
from penstock.sql.clickhouse.types import type_name, with_zone
from penstock.sql.functions.clickhouse.base import STRING, Table, integer_of
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.literals import text_of
from penstock.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.sql.functions.clickhouse.base import Typed

_NUMBERS = (
    *("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"),
    *("Float32", "Float64"),
)
_PLAIN = (*_NUMBERS, "Date", "Date32", "UUID", "IPv4")
MODES = {"": Mode.STRICT, "OrZero": Mode.ZERO, "OrNull": Mode.NULL}
_DECIMALS = {"toDecimal32": 9, "toDecimal64": 18, "toDecimal128": 38}
SPARK_DIGITS = 6


def _to(name: str, mode: Mode) -> Callable[[Sequence[Expr]], Expr]:
    target = type_of(name, name)
    return lambda arguments: cast(arguments[0], target, mode)


def _or_default(name: str) -> Typed:
    """The value, or the second argument, of the same type, where it cannot be read."""
    target = type_of(name, name)

    def build(arguments: Sequence[Expr]) -> Expr | None:
        if len(arguments) == 1:
            return cast(arguments[0], target, Mode.ZERO)
        if arguments[1].type != target:
            return None
        found = cast(arguments[0], target, Mode.NULL)
        return Expr(f"coalesce({found.sql}, {arguments[1].sql})", target)

    return build


def _family(name: str) -> Table:
    gives = {"": name, "OrZero": name, "OrNull": f"Nullable({name})"}
    table: Table = {
        f"to{name}{suffix}": (
            S(("string",) if suffix else ("any",), _to(name, mode), gives[suffix]),
        )
        for suffix, mode in MODES.items()
    }
    build = _or_default(name)
    table[f"to{name}OrDefault"] = (
        S(("string",), build, name),
        S(("string", "any"), build, name),
    )
    return table


def zone_of(arguments: Sequence[Expr], place: int) -> str:
    """The time zone that an argument names."""
    if len(arguments) <= place:
        return ""
    zone = text_of(arguments[place].sql)
    if not zone:
        raise PlanError("INVALID_QUERY", problem="A time zone is a literal text.", instead="")
    return type_of(f"DateTime('{zone}')", zone).zone


def _to_datetime(mode: Mode) -> Callable[[Sequence[Expr]], Expr]:
    def build(arguments: Sequence[Expr]) -> Expr:
        zone = zone_of(arguments, 1) or arguments[0].type.zone
        return cast(arguments[0], DataType("TIMESTAMP_LTZ", 0, nullable=False, zone=zone), mode)

    return build


def _to_datetime64(mode: Mode) -> Callable[[Sequence[Expr]], Expr]:
    def build(arguments: Sequence[Expr]) -> Expr:
        digits = integer_of(arguments[1].sql) or 0
        if not 1 <= digits <= SPARK_DIGITS:
            raise PlanError(
                "INVALID_QUERY", problem="DateTime64 has 1 to 6 digits here.", instead=""
            )
        zone = zone_of(arguments, 2) or arguments[0].type.zone
        target = DataType("TIMESTAMP_LTZ", digits, nullable=False, zone=zone)
        return cast(arguments[0], target, mode)

    return build


def _to_decimal(precision: int, mode: Mode) -> Callable[[Sequence[Expr]], Expr]:
    def build(arguments: Sequence[Expr]) -> Expr:
        scale = integer_of(arguments[1].sql)
        if scale is None or not 0 <= scale <= precision:
            raise PlanError(
                "INVALID_QUERY", problem=f"The scale lies between 0 and {precision}.", instead=""
            )
        return cast(arguments[0], DataType("DECIMAL", precision, scale, nullable=False), mode)

    return build


def _to_string(arguments: Sequence[Expr]) -> Expr:
    value = arguments[0]
    if len(arguments) > 1:
        value = Expr(value.sql, with_zone(value.type, zone_of(arguments, 1)))
    return cast(value, STRING)


def _type_name(arguments: Sequence[Expr]) -> Expr:
    return Expr(literal(type_name(arguments[0].type)), STRING)


def _times() -> Table:
    table: Table = {}
    for suffix, mode in MODES.items():
        value = "string" if suffix else "any"
        plain, precise = _to_datetime(mode), _to_datetime64(mode)
        table[f"toDateTime{suffix}"] = (
            S((value,), plain, "DateTime"),
            S((value, "literal string"), plain, "DateTime(zone)"),
        )
        table[f"toDateTime64{suffix}"] = (
            S((value, "literal integer"), precise, "DateTime64(digits)"),
            S(
                (value, "literal integer", "literal string"),
                precise,
                "DateTime64(digits, zone)",
            ),
        )
        for name, precision in _DECIMALS.items():
            build = _to_decimal(precision, mode)
            table[f"{name}{suffix}"] = (
                S((value, "literal integer"), build, f"Decimal({precision}, scale)"),
            )
    return table


CONVERSIONS: Table = {
    **{key: value for name in _PLAIN for key, value in _family(name).items()},
    **_times(),
    "toBool": (S(("any",), _to("Bool", Mode.STRICT), "Bool"),),
    "toString": (
        S(("any",), _to_string, "String"),
        S(("time", "literal string"), _to_string, "String"),
    ),
    "toTypeName": tuple(
        S((kind,), _type_name, "String", lenient=True) for kind in ("any", "state")
    ),
    # What answers is no server of ClickHouse's.
    "version": (S((), literal(__version__), STRING),),
}
