"""Between the columns that a script declares of a Delta table and those that the table has.

A column is read in a wider type where every value of the stored one fits. A TIMESTAMP without a
zone is stored as an instant in UTC, as Flink does, unless the table has it without a zone, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import (
    ByteType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from penstock.errors import RunError
from penstock.model.types import quote

if TYPE_CHECKING:
    from pyspark.sql import Column
    from pyspark.sql.types import DataType

_EPOCH = "TIMESTAMP_NTZ '1970-01-01 00:00:00'"
# The digits that the values of a type may have; of each the smaller one comes first.
_DIGITS: dict[type[DataType], int] = {ByteType: 3, ShortType: 5, IntegerType: 10, LongType: 19}


def stored_schema(declared: StructType) -> StructType:
    """The columns of a table that is made for those of a script."""

    def stored(type_: DataType) -> DataType:
        return TimestampType() if isinstance(type_, TimestampNTZType) else type_

    return StructType([StructField(f.name, stored(f.dataType)) for f in declared])


@dataclass(frozen=True, slots=True)
class DeltaColumns:
    """The columns of one table: those `declared` in the script, those `stored` in its folder."""

    table: str
    path: str
    declared: StructType
    stored: StructType

    def read(self) -> list[Column]:
        """The columns of the script, of rows of the folder."""
        return [self._column(f.name, self._found(f.name), f.dataType) for f in self.declared]

    def written(self) -> list[Column]:
        """The columns of the folder, of rows of the script; what it does not declare is NULL."""
        return [self._column(f.name, f.dataType, self._found(f.name)) for f in self.declared]

    def _found(self, name: str) -> DataType:
        if name not in self.stored.names:
            raise self._refused(name, "is not there", f"It has {', '.join(self.stored.names)}.")
        found: DataType = self.stored[name].dataType
        return found

    def _column(self, name: str, given: DataType, wanted: DataType) -> Column:
        sql, stored = _converted(quote(name), given, wanted), self._found(name)
        if sql is None or (isinstance(stored, TimestampNTZType) and given != wanted):
            instead = "Declare it in the same type; a wider one will do for what is read."
            raise self._refused(name, f"has the type {stored.simpleString().upper()}", instead)
        return F.expr(sql).alias(name)

    def _refused(self, column: str, problem: str, instead: str) -> RunError:
        return RunError(
            "DELTA_COLUMN_DIFFERS",
            table=self.table,
            path=self.path,
            column=column,
            problem=problem,
            instead=instead,
        )


def _converted(column: str, given: DataType, wanted: DataType) -> str | None:
    """A column in another type; None where a value may not fit, or its zone is not known."""
    # This text has no word of NULL: which columns may be NULL is not asked for.
    if given.simpleString() == wanted.simpleString():
        return column
    if isinstance(given, TimestampType) and isinstance(wanted, TimestampNTZType):
        return f"timestampadd(MICROSECOND, unix_micros({column}), {_EPOCH})"
    if isinstance(given, TimestampNTZType) and isinstance(wanted, TimestampType):
        return f"timestamp_micros(timestampdiff(MICROSECOND, {_EPOCH}, {column}))"
    return f"CAST({column} AS {wanted.simpleString()})" if _fits(given, wanted) else None


def _fits(given: DataType, wanted: DataType) -> bool:
    """Whether every value of one type has its place in the other."""
    digits = _DIGITS.get(type(given))
    if isinstance(wanted, DecimalType):
        scale = given.scale if isinstance(given, DecimalType) else 0
        whole = given.precision - given.scale if isinstance(given, DecimalType) else digits
        return (
            whole is not None
            and whole <= wanted.precision - wanted.scale
            and (scale <= wanted.scale)
        )
    if isinstance(wanted, DoubleType):
        return isinstance(given, FloatType)
    return digits is not None and digits <= _DIGITS.get(type(wanted), 0)
