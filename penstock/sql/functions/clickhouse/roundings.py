"""More of ClickHouse's functions of numbers: steps to round to, whole powers, single bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.clickhouse.number_casts import wrapped
from penstock.sql.clickhouse.numbers import FLOAT64, INTEGERS, TRUTH, UINT8, UINT64, in_range
from penstock.sql.clickhouse.types import array_of
from penstock.sql.functions.clickhouse.base import PLACE, Table, integer_of, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.bits import bits_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_TEN = 10
_INT32 = DataType("INT", nullable=False)
_UINT16 = DataType("UINT16", nullable=False)
_DURATIONS = (36000, 18000, 7200, 3600, 1800, 1200, 600, 300, 240, 180, 120, 60, 30, 10, 1)
_AGES = ((55, 55), (45, 45), (35, 35), (25, 25), (18, 18), (1, 17))


def _steps(pairs: Sequence[tuple[int, int]], type_: DataType) -> tuple[S, ...]:
    """The first of these that a number reaches stands for it, else 0."""
    branches = " ".join(f"WHEN {{0}} >= {from_} THEN {to}" for from_, to in pairs)
    sql = f"CAST(CASE WHEN {{0}} IS NULL THEN NULL {branches} ELSE 0 END AS {type_.spark_sql()})"
    return one(("integer or float",), sql, type_)


def _bankers(arguments: Sequence[Expr]) -> str | None:
    """Halves to the even neighbour."""
    value = arguments[0]
    scale = (integer_of(arguments[1].sql) or 0) if len(arguments) > 1 else 0
    if value.type.root in ("FLOAT", "DOUBLE"):
        return None
    if value.type.root in INTEGERS:
        exact = f"bround(CAST({value.sql} AS DECIMAL(38, 0)), {scale})"
        return value.sql if scale >= 0 else in_range(exact, value.type)
    exact = f"CAST({value.sql} AS DECIMAL(38, {value.type.scale or 0}))"
    return f"CAST(bround({exact}, {scale}) AS {value.type.spark_sql()})"


def _power(base: int, most: int) -> tuple[S, ...]:
    """0 below 0, the largest number above what fits."""
    powers = ", ".join(f"CAST({base**n} AS DECIMAL(20, 0))" for n in range(most + 1))
    largest = "CAST(18446744073709551615 AS DECIMAL(20, 0))"

    def build(arguments: Sequence[Expr]) -> str:
        own = wrapped(arguments[0].sql, _INT32) if base == _TEN else arguments[0].sql
        zero = f"WHEN {own} < 0 THEN CAST(0 AS DECIMAL(20, 0))"
        found = f"get(array({powers}), CAST({own} AS INT))"
        return f"CASE {zero} WHEN {own} > {most} THEN {largest} ELSE {found} END"

    return one(("integer",), build, UINT64)


def _one_of_two(sign: str) -> tuple[S, ...]:
    """The second one unless the first is beyond it, as nothing is of a NaN."""
    a, b = "CAST({0} AS DOUBLE)", "CAST({1} AS DOUBLE)"
    first = f"NOT isnan({a}) AND NOT isnan({b}) AND {a} {sign} {b}"
    known = f"{a} IS NULL OR {b} IS NULL"
    sql = f"CASE WHEN {known} THEN NULL WHEN {first} THEN {a} ELSE {b} END"
    return one(("number", "number"), sql, FLOAT64)


def _turned(sign: int) -> Callable[[Sequence[Expr]], Expr]:
    def build(arguments: Sequence[Expr]) -> Expr:
        value, places = arguments
        size, _ = INTEGERS[value.type.root]
        own = bits_of(value) if size == 64 else f"({bits_of(value)} & {2**size - 1}L)"
        by = f"CAST(pmod({places.sql} * {sign}, {size}) AS INT)"
        left = f"shiftleft({own}, {by})"
        right = f"if({by} = 0, 0L, shiftrightunsigned({own}, {size} - {by}))"
        return Expr(wrapped(f"({left} | {right})", value.type), value.type)

    return build


def _tested(wanted: str) -> Callable[[Sequence[Expr]], Expr]:
    """All of these bits, or any."""

    def build(arguments: Sequence[Expr]) -> Expr:
        value, *places = arguments
        masks = " | ".join(f"shiftleft(1L, CAST({place.sql} AS INT))" for place in places)
        found = f"({bits_of(value)} & ({masks}))"
        return Expr(f"({found} {wanted.format(f'({masks})')})", TRUTH)

    return build


def _set_bits(arguments: Sequence[Expr], found: str, type_: DataType) -> Expr:
    value = arguments[0]
    size, _ = INTEGERS[value.type.root]
    one_bit = f"(shiftrightunsigned({bits_of(value)}, {PLACE}) & 1L) = 1"
    places = f"filter(sequence(0, {size - 1}), {PLACE} -> {one_bit})"
    return Expr(f"transform({places}, {PLACE} -> {found})", array_of(type_))


def _masks(arguments: Sequence[Expr]) -> Expr:
    type_ = arguments[0].type.as_nullable(nullable=False)
    return _set_bits(arguments, wrapped(f"shiftleft(1L, {PLACE})", type_), type_)


def _positions(arguments: Sequence[Expr]) -> Expr:
    return _set_bits(arguments, f"CAST({PLACE} AS DECIMAL(20, 0))", UINT64)


def _distance(arguments: Sequence[Expr]) -> Expr:
    a, b = arguments
    # Numbers of different types are compared with 64 bits.
    size = INTEGERS[a.type.root][0] if a.type.root == b.type.root else 64
    differing = f"({bits_of(a)} ^ {bits_of(b)})"
    own = differing if size == 64 else f"({differing} & {2**size - 1}L)"
    return Expr(f"CAST(bit_count({own}) AS SMALLINT)", UINT8)


_BOTH = ("integer", "integer")
ROUNDINGS: Table = {
    "roundBankers": (
        S(("number except Bool",), _bankers, 0),
        S(("number except Bool", "literal integer"), _bankers, 0),
    ),
    "roundDuration": _steps([(n, n) for n in _DURATIONS], _UINT16),
    "roundAge": _steps(_AGES, UINT8),
    "intExp2": _power(2, 63),
    "intExp10": _power(10, 19),
    "max2": _one_of_two(">"),
    "min2": _one_of_two("<"),
    "sigmoid": one(("number",), "(1D / (1D + exp(- CAST({0} AS DOUBLE))))", FLOAT64),
    "bitRotateLeft": one(_BOTH, _turned(1), "The type of argument 1"),
    "bitRotateRight": one(_BOTH, _turned(-1), "The type of argument 1"),
    "bitTestAll": one(_BOTH, _tested("= {0}"), "UInt8", variadic=True),
    "bitTestAny": one(_BOTH, _tested("<> 0"), "UInt8", variadic=True),
    "bitHammingDistance": one(_BOTH, _distance, "UInt8"),
    "bitmaskToArray": one(("integer",), _masks, "Array of the type of argument 1"),
    "bitPositionsToArray": one(("integer",), _positions, "Array(UInt64)"),
}
