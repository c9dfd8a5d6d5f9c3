"""Conversions between numbers as Java does them, which Spark's ANSI mode would refuse.

An integer that is too large keeps its lower bits, a floating-point number becomes the largest or
smallest INT or BIGINT and NaN becomes 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.sql.literals import integer_of

if TYPE_CHECKING:
    from penstock.model.types import DataType

_BITS = {"TINYINT": 8, "SMALLINT": 16, "INT": 32, "BIGINT": 64}
# root → whole digits that always fit
_DIGITS = {"TINYINT": 2, "SMALLINT": 4, "INT": 9, "BIGINT": 18}
_APPROXIMATE = ("FLOAT", "DOUBLE")


def to_number(sql: str, source: DataType, target: DataType) -> str:
    """A number or boolean as a number of another type."""
    if target.root == "DECIMAL":
        return f"TRY_CAST({sql} AS {target.spark_sql()})"
    if target.root == "FLOAT" and source.root == "DECIMAL":
        return f"CAST(CAST({sql} AS DOUBLE) AS FLOAT)"
    if target.root in _APPROXIMATE or source.root == "BOOLEAN":
        return f"CAST({sql} AS {target.spark_sql()})"
    if source.root in _APPROXIMATE:
        return _from_approximate(sql, target.root)
    if source.root == "DECIMAL":
        return _from_decimal(sql, source, target.root)
    if _BITS[source.root] <= _BITS[target.root] or _fits(integer_of(sql), target.root):
        return f"CAST({sql} AS {target.root})"
    return _lower_bits(sql, target.root)


def _from_decimal(sql: str, source: DataType, root: str) -> str:
    whole = (source.precision or 0) - (source.scale or 0)
    if whole <= _DIGITS[root]:
        return f"CAST({sql} AS {root})"
    fits = whole <= _DIGITS["BIGINT"]
    big = f"CAST({sql} AS BIGINT)" if fits else f"penstock_lower_bits({sql})"
    return big if root == "BIGINT" else _lower_bits(big, root)


def _from_approximate(sql: str, root: str) -> str:
    first = "BIGINT" if root == "BIGINT" else "INT"
    limit = 2 ** (_BITS[first] - 1)
    # greatest and least pass over NULL.
    held = f"greatest(least(nanvl(CAST({sql} AS DOUBLE), 0D), {limit - 1}D), -{limit}D)"
    whole = f"if({sql} IS NULL, NULL, CAST({held} AS {first}))"
    return whole if root == first else _lower_bits(whole, root)


def _fits(number: int | None, root: str) -> bool:
    return number is not None and -(2 ** (_BITS[root] - 1)) <= number < 2 ** (_BITS[root] - 1)


def _lower_bits(sql: str, root: str) -> str:
    surplus = 64 - _BITS[root]
    return f"CAST(shiftright(shiftleft(CAST({sql} AS BIGINT), {surplus}), {surplus}) AS {root})"
