"""ClickHouse's aggregates in Spark SQL; each also with -If, whose last argument is a condition.

Over no row an aggregate of a type that is not Nullable gives the default of its type, not NULL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.expression import Expr
from penstock.sql.clickhouse.number_casts import sum_within, wrapped
from penstock.sql.clickhouse.numbers import FLOAT64, FLOATS, UINT64
from penstock.sql.clickhouse.text import enum_number
from penstock.sql.clickhouse.types import array_of, default_sql, is_ordered
from penstock.sql.functions.clickhouse.base import AFTER, COUNT, Table
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.bits import bits_of
from penstock.sql.functions.clickhouse.collections import sum_type
from penstock.sql.functions.clickhouse.conditions import truth_sql
from penstock.sql.functions.clickhouse.statistics import STATISTICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.types import DataType
    from penstock.sql.functions.clickhouse.base import Typed

NAN = "CAST('NaN' AS DOUBLE)"
# Types whose quantiles are of the same type.
# Types of whose values what is between two of them is one.
KEPT = ("DATE", "DECIMAL", "TIMESTAMP_LTZ")


def _or_default(sql: str, type_: DataType) -> Expr:
    if type_.nullable:
        return Expr(sql, type_)
    # Over no row a Date32 is 1970-01-01, though a column that nothing filled is 1900-01-01.
    default = "DATE'1970-01-01'" if type_.root == "DATE32" else default_sql(type_)
    return Expr(f"coalesce({sql}, {default})", type_)


def _count(arguments: Sequence[Expr]) -> Expr:
    counted = arguments[0].sql if arguments else "1"
    return Expr(COUNT.format(f"count({counted}){AFTER}"), UINT64)


def _sum(arguments: Sequence[Expr]) -> Expr:
    value = arguments[0]
    type_ = sum_type(value.type).as_nullable(value.type.nullable)
    name = type_.spark_sql()
    total = f"sum(CAST({value.sql} AS {name})){AFTER}"
    kept = wrapped(total, type_) if type_.root == "UINT64" else f"CAST({total} AS {name})"
    return _or_default(kept, type_)


def _sum_within(arguments: Sequence[Expr]) -> Expr:
    value = arguments[0]
    return _or_default(sum_within(value.sql, value.type, AFTER), value.type)


def _avg(arguments: Sequence[Expr]) -> Expr:
    value = arguments[0]
    sql = f"avg(CAST({value.sql} AS DOUBLE)){AFTER}"
    if value.type.root == "DECIMAL":
        count = f"nullif(count({value.sql}){AFTER}, 0)"
        sql = f"(CAST(sum({value.sql}){AFTER} AS DOUBLE) / {count})"
    if value.type.nullable:
        return Expr(sql, FLOAT64.as_nullable())
    return Expr(f"coalesce({sql}, {NAN})", FLOAT64)


def _plain(template: str) -> Typed:
    """An aggregate that gives one of its values."""

    def build(arguments: Sequence[Expr]) -> Expr:
        sql = template.format(*(argument.sql for argument in arguments))
        return _or_default(f"{sql}{AFTER}", arguments[0].type)

    return build


def _extreme(function: str) -> Typed:
    """The elements of an Enum are ordered by their numbers; a NaN counts if there is only that."""

    def build(arguments: Sequence[Expr]) -> Expr | None:
        value = arguments[0]
        if not value.type.labels and not is_ordered(value.type):
            return None
        if value.type.labels:
            sql = f"{function}_by({value.sql}, {enum_number(value)}){AFTER}"
            return _or_default(sql, value.type)
        found = f"{function}({value.sql}){AFTER}"
        if value.type.root in FLOATS:
            known = f"CASE WHEN NOT isnan({value.sql}) THEN {value.sql} END"
            found = f"coalesce({function}({known}){AFTER}, {found})"
        return _or_default(found, value.type)

    return build


def _by(function: str) -> Typed:
    """Rows whose value is NULL do not count."""

    def build(arguments: Sequence[Expr]) -> Expr:
        value, key = arguments
        own = f"CASE WHEN {value.sql} IS NOT NULL THEN {key.sql} END"
        return _or_default(f"{function}({value.sql}, {own}){AFTER}", value.type)

    return build


def _distinct(arguments: Sequence[Expr]) -> Expr:
    texts = ", ".join(_told_apart(argument) for argument in arguments)
    return Expr(COUNT.format(f"count(DISTINCT {texts})"), UINT64)


def _distinct_or_null(arguments: Sequence[Expr]) -> Expr:
    """Of Nullable values it is NULL where there is none."""
    found = _distinct(arguments)
    if not any(argument.type.nullable for argument in arguments):
        return found
    return Expr(f"nullif({found.sql}, 0)", UINT64.as_nullable())


def _told_apart(value: Expr) -> str:
    """0 and -0 are two values of a Float, one to Spark."""
    return f"CAST({value.sql} AS STRING)" if value.type.root in FLOATS else value.sql


def _collected(function: str) -> Typed:
    def build(arguments: Sequence[Expr]) -> Expr:
        value = arguments[0]
        kept = value.type.as_nullable(nullable=False)
        return Expr(f"{function}({value.sql}){AFTER}", array_of(kept))

    return build


def percentile(arguments: Sequence[Expr]) -> Expr:
    """Between the two values at the level, the middle unless it is given."""
    value, level = arguments[0], arguments[1].sql if len(arguments) > 1 else "0.5"
    sql = f"percentile({as_double(value)}, {level}){AFTER}"
    if value.type.root in KEPT:
        return _or_default(of_double(sql, value.type), value.type)
    nullable = value.type.nullable
    return Expr(sql if nullable else f"coalesce({sql}, {NAN})", FLOAT64.as_nullable(nullable))


def as_double(value: Expr) -> str:
    """A number, the days of a Date, or a DateTime or a Decimal in units of its last digit."""
    if value.type.root == "DATE":
        return f"CAST(unix_date({value.sql}) AS DOUBLE)"
    if value.type.root == "TIMESTAMP_LTZ":
        return f"CAST(unix_micros({value.sql}) div {_unit(value.type)} AS DOUBLE)"
    if value.type.root == "DECIMAL":
        return f"CAST({value.sql} * CAST('1e{value.type.scale}' AS DECIMAL(19, 0)) AS DOUBLE)"
    return f"CAST({value.sql} AS DOUBLE)"


def of_double(sql: str, type_: DataType) -> str:
    """The value that `as_double` made a number of; what is between two is cut."""
    if type_.root == "DECIMAL":
        unit = f"CAST('1e-{type_.scale}' AS DECIMAL(19, {type_.scale}))"
        whole = f"CAST(CAST({sql} AS BIGINT) AS DECIMAL(18, 0))"
        return f"CAST({whole} * {unit} AS {type_.spark_sql()})"
    if type_.root == "DATE":
        return f"date_from_unix_date(CAST({sql} AS INT))"
    return f"timestamp_micros(CAST({sql} AS BIGINT) * {_unit(type_)})"


def _unit(type_: DataType) -> int:
    return int(10 ** (6 - (type_.precision or 0)))


def exact(arguments: Sequence[Expr]) -> Expr:
    """The element at the place level * count of the sorted values."""
    value, level = arguments[0], arguments[1].sql if len(arguments) > 1 else "0.5"
    count = f"count({value.sql}){AFTER}"
    place = f"least(CAST(floor({level} * {count}) AS INT), {count} - 1)"
    sql = f"get(sort_array(collect_list({value.sql}){AFTER}), CAST({place} AS INT))"
    if value.type.root in FLOATS and not value.type.nullable:
        return Expr(f"coalesce({sql}, CAST('NaN' AS {value.type.spark_sql()}))", value.type)
    return _or_default(sql, value.type)


def _bits(function: str, nothing: int) -> Typed:
    """Over no row all bits are `nothing`; those of a UInt64 are a BIGINT's in between."""

    def build(arguments: Sequence[Expr]) -> Expr:
        value = arguments[0]
        found = wrapped(f"{function}({bits_of(value)}){AFTER}", value.type)
        if value.type.nullable:
            return Expr(found, value.type)
        return Expr(f"coalesce({found}, {wrapped(str(nothing), value.type)})", value.type)

    return build


_SAME = "The type of argument 1"
_LEVELLED, _BETWEEN = ("number or moment",), "Float64, a Decimal or a moment, over all values"
PLAIN: dict[str, tuple[tuple[str, ...], Typed, str, bool]] = {
    "count": ((), _count, "UInt64", False),
    "sum": (("number",), _sum, "64 bits, or a Decimal of 38 digits", False),
    "sumWithOverflow": (("number",), _sum_within, f"{_SAME}, wrapped around", False),
    "avg": (("number",), _avg, "Float64", False),
    "min": (("any",), _extreme("min"), _SAME, False),
    "max": (("any",), _extreme("max"), _SAME, False),
    "any": (("any",), _plain("first({0}, true)"), _SAME, False),
    "anyLast": (("any",), _plain("last({0}, true)"), _SAME, False),
    "argMin": (("any", "any"), _by("min_by"), _SAME, False),
    "argMax": (("any", "any"), _by("max_by"), _SAME, False),
    "uniq": (("any",), _distinct, "UInt64, counted exactly", True),
    "uniqExact": (("any",), _distinct, "UInt64", True),
    "groupArray": (("any",), _collected("collect_list"), "Array", False),
    "groupUniqArray": (("any",), _collected("collect_set"), "Array", False),
    "quantile": (_LEVELLED, percentile, _BETWEEN, False),
    "median": (_LEVELLED, percentile, _BETWEEN, False),
    "quantileExact": (("number",), exact, _SAME, False),
    "uniqHLL12": (("any",), _distinct, "UInt64, counted exactly", True),
    **dict.fromkeys(
        ("uniqCombined", "uniqCombined64"),
        (("any",), _distinct_or_null, "UInt64, counted exactly", True),
    ),
    **{name: (takes, build, "Float64", False) for name, (takes, build) in STATISTICS.items()},
    "groupBitAnd": (("integer",), _bits("bit_and", -1), _SAME, False),
    "groupBitOr": (("integer",), _bits("bit_or", 0), _SAME, False),
    "groupBitXor": (("integer",), _bits("bit_xor", 0), _SAME, False),
}


def conditional(build: Typed) -> Typed:
    """The aggregate of the rows whose last argument is true."""

    def conditional(arguments: Sequence[Expr]) -> Expr | None:
        *values, test = arguments
        # The type stays: what no row meets is the default, as over no row.
        return build(
            [
                Expr(f"CASE WHEN {truth_sql(test)} THEN {value.sql} END", value.type)
                for value in values or [Expr("1", UINT64)]
            ]
        )

    return conditional


def _table() -> Table:
    table: Table = {}
    for name, (takes, build, gives, variadic) in PLAIN.items():
        table[name] = (S(takes, build, gives, variadic=variadic, lenient=True),)
        conditions = (*takes, "UInt8")
        table[f"{name}If"] = (S(conditions, conditional(build), gives, lenient=True),)
    table["count"] = (*table["count"], S(("any",), _count, "UInt64", lenient=True))
    counted = S(("any", "UInt8"), conditional(_count), "UInt64", lenient=True)
    table["countIf"] = (*table["countIf"], counted)
    return table


AGGREGATES: Table = _table()
