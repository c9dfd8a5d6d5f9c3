"""Which type a number has after an operation, as ClickHouse's number traits say.

A result of `+` or `*` has twice the width of the wider operand, up to 64 bits; `-` gives a signed
number; `/` gives Float64. Where ClickHouse wraps around silently, Spark's ANSI mode fails instead.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.model.types import DataType
from penstock.sql.clickhouse.decimals import DIGITS, decimal, decimal_class, quotient

if TYPE_CHECKING:
    from collections.abc import Sequence

# root → bits, whether it is signed
INTEGERS = {
    "TINYINT": (8, True),
    "SMALLINT": (16, True),
    "INT": (32, True),
    "BIGINT": (64, True),
    "UINT8": (8, False),
    "UINT16": (16, False),
    "UINT32": (32, False),
    "UINT64": (64, False),
}
_BY_TRAITS = {traits: root for root, traits in INTEGERS.items()}
FLOATS = ("FLOAT", "DOUBLE")
FLOAT64 = DataType("DOUBLE", nullable=False)
UINT8 = DataType("UINT8", nullable=False)
UINT32 = DataType("UINT32", nullable=False)
UINT64 = DataType("UINT64", nullable=False)
INT64 = DataType("BIGINT", nullable=False)
BOOL = DataType("BOOLEAN", nullable=False)
# What a comparison gives: BOOLEAN to Spark, UInt8 to the user.
TRUTH = DataType("BOOLEAN", 8, nullable=False)
# precision of a Decimal → bits of the integer that is its whole part; there is none of 128 bits
_DECIMAL_BITS = {9: 32, 18: 64}
# root of an integer → its decimal digits, as ClickHouse counts them for a common type
_COMMON_DIGITS = {**DIGITS, "INT": 9, "BIGINT": 18}
_FLOAT_BITS = {"FLOAT": 32, "DOUBLE": 64}
_NO_QUOTIENT = "A Float is infinite, or too large for a whole number."
_TOO_LARGE = {True: "A number is too large for its type.", False: "A UInt is too large."}


def is_number(type_: DataType) -> bool:
    """Whether arithmetic is defined on it; Bool counts as UInt8."""
    return type_.root in (*INTEGERS, *FLOATS, "DECIMAL", "BOOLEAN")


def is_bool(type_: DataType) -> bool:
    """Whether it is Bool, not what a comparison gives."""
    return type_.root == "BOOLEAN" and not type_.precision


def as_number(expr: Expr) -> Expr:
    """A Bool or the result of a comparison as UInt8."""
    if expr.type.root != "BOOLEAN":
        return expr
    nullable = expr.type.nullable
    return Expr(f"CAST({expr.sql} AS SMALLINT)", UINT8.as_nullable(nullable))


def integer(bits: int, *, signed: bool) -> DataType:
    """The integer type of so many bits."""
    return DataType(_BY_TRAITS[min(bits, 64), signed], nullable=False)


def arithmetic(operator: str, left: Expr, right: Expr) -> Expr | None:
    """`left operator right` for `+ - * / %` and `div`, None if it is not defined."""
    if not (is_number(left.type) and is_number(right.type)):
        return None
    left, right = as_number(left), as_number(right)
    nullable = left.type.nullable or right.type.nullable
    roots = (left.type.root, right.type.root)
    if "DECIMAL" in roots and not set(roots) & set(FLOATS):
        found = _decimals(operator, left, right)
    elif operator == "/" or set(roots) & {*FLOATS, "DECIMAL"}:
        found = _floats(operator, left, right)
    else:
        found = _integers(operator, left, right)
    return found and Expr(found.sql, found.type.as_nullable(nullable))


def negated(value: Expr) -> Expr:
    """`-value`."""
    value = as_number(value)
    type_ = value.type
    if type_.root in INTEGERS:
        bits, signed = INTEGERS[type_.root]
        type_ = integer(bits if signed else bits * 2, signed=True).as_nullable(type_.nullable)
    return Expr(f"(- CAST({value.sql} AS {type_.spark_sql()}))", type_)


def common_type(a: DataType, b: DataType) -> DataType | None:
    """The type that holds the values of both: for if, coalesce, arrays, IN and comparisons."""
    nullable = a.nullable or b.nullable
    found = _common(a.as_nullable(nullable=False), b.as_nullable(nullable=False))
    return found and found.as_nullable(nullable)


def common_of(types: Sequence[DataType]) -> DataType | None:
    """The common type of all."""
    start: DataType | None = types[0]
    return reduce(lambda a, b: common_type(a, b) if a else None, types[1:], start)


def in_range(sql: str, type_: DataType) -> str:
    """An exact number as an integer type, which must hold it."""
    bits, signed = INTEGERS[type_.root]
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    beyond = f"{sql} NOT BETWEEN {low} AND {high}"
    problem = f"'{_TOO_LARGE[signed]}'"
    return f"CAST(if({beyond}, raise_error({problem}), {sql}) AS {type_.spark_sql()})"


def _integers(operator: str, left: Expr, right: Expr) -> Expr:
    (a_bits, a_signed), (b_bits, b_signed) = INTEGERS[left.type.root], INTEGERS[right.type.root]
    signed = a_signed or b_signed
    if operator == "div":
        type_ = integer(a_bits, signed=signed)
        left, right = _signed_alike(left, right)
    elif operator == "%":
        type_ = integer(b_bits * 2 if a_signed else b_bits, signed=a_signed)
    else:
        type_ = integer(max(a_bits, b_bits) * 2, signed=signed or operator == "-")
    wide = "DECIMAL(38, 0)" if "UINT64" in (left.type.root, right.type.root, type_.root) else ""
    # Narrow operands are widened first, so that Spark does not overflow where ClickHouse cannot.
    inner = wide or (type_.spark_sql() if operator not in ("div", "%") else "BIGINT")
    a, b = f"CAST({left.sql} AS {inner})", f"CAST({right.sql} AS {inner})"
    sql = f"({a} {operator} {b})"
    if wide and operator == "div":
        sql = f"CAST(({a} - {a} % {b}) / {b} AS DECIMAL(38, 0))"
    if type_.root == "UINT64":
        return Expr(in_range(sql, type_), type_)
    return Expr(f"CAST({sql} AS {type_.spark_sql()})", type_)


def _signed_alike(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """Where one is signed, so is the other: a divisor in the width of the wider, 200 as -56."""
    (a_bits, a_signed), (b_bits, b_signed) = INTEGERS[left.type.root], INTEGERS[right.type.root]
    if a_signed == b_signed:
        return left, right
    if not a_signed:
        return _as_signed(left, a_bits), right
    return left, _as_signed(right, b_bits) if a_bits <= b_bits else right


def _as_signed(value: Expr, bits: int) -> Expr:
    sql = f"if({value.sql} >= {2 ** (bits - 1)}, {value.sql} - {2**bits}, {value.sql})"
    return Expr(sql, integer(bits, signed=True).as_nullable(value.type.nullable))


def _whole_quotient(left: Expr, right: Expr) -> Expr:
    """Divided in the width of a Float32 if there is one and no Float64."""
    roots = (left.type.root, right.type.root)
    name = "FLOAT" if "FLOAT" in roots and "DOUBLE" not in roots else "DOUBLE"
    bits = _FLOAT_BITS.get(left.type.root) or INTEGERS[left.type.root][0]
    type_ = integer(bits, signed=True)
    a, b = f"CAST({left.sql} AS {name})", f"CAST({right.sql} AS {name})"
    found = f"CAST({a} / {b} AS {name})"
    fits = f"abs({found}) < {2 ** (bits - 1)}D"
    whole = f"CAST({found} AS {type_.spark_sql()})"
    return Expr(f"if({found} IS NULL OR {fits}, {whole}, raise_error('{_NO_QUOTIENT}'))", type_)


def _floats(operator: str, left: Expr, right: Expr) -> Expr | None:
    a, b = f"CAST({left.sql} AS DOUBLE)", f"CAST({right.sql} AS DOUBLE)"
    if operator == "/":
        # Spark's ANSI mode would refuse a zero.
        endless = "CAST('Infinity' AS DOUBLE)"
        if right.type.root in FLOATS:
            endless = f"if(CAST({b} AS STRING) = '-0.0', -{endless}, {endless})"
        zero = f"{a} * {endless}"
        return Expr(f"CASE WHEN {b} = 0 THEN {zero} ELSE {a} / {b} END", FLOAT64)
    if operator == "div":
        if "DECIMAL" in (left.type.root, right.type.root):
            return None
        return _whole_quotient(left, right)
    if operator == "%":
        quotient = f"({a} / {b})"
        whole = f"(sign({quotient}) * penstock_floor(abs({quotient})))"
        return Expr(f"if({b} = 0, CAST('NaN' AS DOUBLE), {a} - {whole} * {b})", FLOAT64)
    return Expr(f"({a} {operator} {b})", FLOAT64)


def _decimals(operator: str, left: Expr, right: Expr) -> Expr | None:
    """A whole quotient has the width of the dividend, and its sign."""
    if operator != "div":
        return decimal(operator, left, right)
    bits = _DECIMAL_BITS.get(decimal_class(left.type.precision or 0))
    if left.type.root in INTEGERS:
        bits, _ = INTEGERS[left.type.root]
    sql = quotient("whole_quotient", left, right) if bits else None
    if bits is None or sql is None:
        return None
    type_ = integer(bits, signed=True)
    return Expr(f"CAST({sql} AS {type_.spark_sql()})", type_)


def _common(a: DataType, b: DataType) -> DataType | None:
    if a.root == "NULL" or b.root == "NULL":
        return b if a.root == "NULL" else a
    if a == b:
        return a
    if {a.root, b.root} <= {"BOOLEAN", "UINT8"}:
        return BOOL if is_bool(a) else UINT8  # They are one type to ClickHouse; the first names it.
    if is_number(a) and is_number(b):
        return _common_number(a, b)
    if a.root == b.root and a.children and len(a.children) == len(b.children):
        kinds = [common_type(x, y) for (_, x), (_, y) in zip(a.children, b.children, strict=True)]
        names = [name for name, _ in a.children]
        if all(kinds):
            pairs = tuple((n, k) for n, k in zip(names, kinds, strict=True) if k)
            return DataType(a.root, children=pairs, nullable=False)
        return None
    times = {"DATE": 0, "DATE32": 1, "TIMESTAMP_LTZ": 2}
    if a.root in times and b.root in times:
        if {a.root, b.root} == {"DATE32", "TIMESTAMP_LTZ"} and not (a.precision or b.precision):
            return None  # ClickHouse's is DateTime64(0).
        if a.root == b.root == "TIMESTAMP_LTZ":
            return max(a, b, key=lambda t: t.precision or 0)
        return max(a, b, key=lambda t: times[t.root])
    texts = ("VARCHAR", "FIXEDSTRING", "ENUM8", "ENUM16")
    if a.root in texts and b.root in texts:
        return next((t for t in (a, b) if t.root == "VARCHAR"), None)
    return None


def _common_number(a: DataType, b: DataType) -> DataType | None:
    a, b = (UINT8 if t.root == "BOOLEAN" else t for t in (a, b))
    if a.root in FLOATS or b.root in FLOATS:
        others = [INTEGERS.get(t.root, (64, True))[0] for t in (a, b) if t.root not in FLOATS]
        if any(bits > 32 for bits in others):
            return None  # No Float holds 64 bits exactly; of a Decimal it would be a Variant.
        narrow = all(bits <= 16 for bits in others) and "DOUBLE" not in (a.root, b.root)
        return DataType("FLOAT" if narrow else "DOUBLE", nullable=False)
    if "DECIMAL" in (a.root, b.root):
        return _common_decimal(a, b)
    (a_bits, a_signed), (b_bits, b_signed) = INTEGERS[a.root], INTEGERS[b.root]
    if a_signed == b_signed:
        return integer(max(a_bits, b_bits), signed=a_signed)
    signed_bits, other = (a_bits, b_bits) if a_signed else (b_bits, a_bits)
    bits = max(signed_bits, other * 2)
    return integer(bits, signed=True) if bits <= 64 else None


def _common_decimal(a: DataType, b: DataType) -> DataType:
    """One of the storage classes; Decimals of one class and scale are the same type."""
    scale = max(a.scale or 0, b.scale or 0)
    known = max(t.precision or 0 for t in (a, b))
    if a.root == b.root:
        same = a.scale == b.scale and len({decimal_class(t.precision or 0) for t in (a, b)}) == 1
        return a if same else DataType("DECIMAL", decimal_class(known), scale, nullable=False)
    digits = _COMMON_DIGITS[b.root if a.root == "DECIMAL" else a.root]
    return DataType("DECIMAL", decimal_class(max(known, digits + scale)), scale, nullable=False)
