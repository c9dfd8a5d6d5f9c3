"""Casts that give two values for two values: a key that goes through one is a key still.

Fewer than Flink's: texts of times are left out, since of an hour that comes twice, or of a year
before Christ, two times have one text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.types import MAX_LENGTH
from penstock.sql.cast_nested import alike
from penstock.sql.casts import cast

if TYPE_CHECKING:
    from penstock.model.expression import Expr
    from penstock.model.types import DataType

_INTEGERS = ("TINYINT", "SMALLINT", "INT", "BIGINT")
# root → the length of its longest text
_TEXT_LENGTHS = {
    "BOOLEAN": 5,
    "TINYINT": 4,
    "SMALLINT": 6,
    "INT": 11,
    "BIGINT": 20,
    "DATE": MAX_LENGTH,
}
_LONGER = {"VARCHAR": ("CHAR", "VARCHAR"), "VARBINARY": ("BINARY", "VARBINARY")}


def keeps_apart(source: DataType, target: DataType) -> bool:
    """Whether a cast of one type to the other never makes one value of two."""
    if alike(source, target):
        return True
    if source.root in _INTEGERS and target.root in _INTEGERS:
        return _INTEGERS.index(source.root) <= _INTEGERS.index(target.root)
    length = target.precision or 0
    if source.root in _LONGER.get(target.root, ()):
        return (source.precision or 0) <= length
    return target.root == "VARCHAR" and _TEXT_LENGTHS.get(source.root, length + 1) <= length


def is_kept_by(sql: str, type_: DataType, expr: Expr) -> bool:
    """Whether an expression is this one of this type, as it is or through such a cast."""
    if expr.sql == sql:
        return True
    if not keeps_apart(type_, expr.type):
        return False
    return expr.sql == cast(sql, type_, expr.type)
