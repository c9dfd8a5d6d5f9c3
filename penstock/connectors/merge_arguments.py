"""The columns that the arguments of an engine name: how many there are, and of which types."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import OptionError
from penstock.sql.clickhouse.engine import plain_engine
from penstock.sql.clickhouse.key_parts import dotted, parts_of
from penstock.sql.clickhouse.numbers import FLOATS, INTEGERS
from penstock.sql.clickhouse.types import type_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.option import OptionValue
    from penstock.model.table import Table
    from penstock.model.types import DataType

_REPLICATED_ARGUMENTS = 2
# engine → how many arguments it takes, beside the two of Replicated…
_COUNTS = {
    "ReplacingMergeTree": (0, 2),
    "SummingMergeTree": (0, 1),
    "CollapsingMergeTree": (1, 1),
    "VersionedCollapsingMergeTree": (2, 2),
}
_VERSION, _DELETED, _SIGN = "version", "is_deleted", "Sign"
# engine → what its columns are, in their order
_ROLES = {
    "ReplacingMergeTree": (_VERSION, _DELETED),
    "CollapsingMergeTree": (_SIGN,),
    "VersionedCollapsingMergeTree": (_SIGN, _VERSION),
}
_TYPES = {_DELETED: "UInt8", _SIGN: "Int8"}
_VERSIONS = (*INTEGERS, *FLOATS, "BOOLEAN", "DATE", "DATE32", "TIMESTAMP_LTZ")


def engine_columns(table: Table, engine: str, arguments: Sequence[OptionValue]) -> tuple[str, ...]:
    """The columns; refused, as by ClickHouse, where the engine cannot go by them."""
    plain = plain_engine(engine)
    own = arguments[_REPLICATED_ARGUMENTS if _has_replica(engine, arguments) else 0 :]
    low, high = _COUNTS.get(plain, (0, 0))
    named = [replace(one, value=name) for one in own for name in _names(one.value)]
    types = {column.name: column.type for column in table.columns}
    unknown = [one for one in named if one.value not in types]
    if not low <= len(own) <= high or unknown:
        found = ", ".join(f"`{one.value}`" for one in unknown) or f"{len(own)}"
        problem = f"{plain} takes {_counted(low, high)}, not {found}."
        raise _refused(table, problem, unknown[0] if unknown else None)
    for role, one in zip(_ROLES.get(plain, ()), named, strict=False):
        _check(table, plain, role, one, types[one.value])
    return tuple(one.value for one in named)


def _has_replica(engine: str, arguments: Sequence[OptionValue]) -> bool:
    """Whether the first two say, as texts, where a replicated table is."""
    first = [one.value[:1] for one in arguments[:_REPLICATED_ARGUMENTS]]
    return plain_engine(engine) != engine and first == ["'"] * _REPLICATED_ARGUMENTS


def _names(argument: str) -> list[str]:
    """Columns, one or a tuple of them; what is none as it is written."""
    parts = parts_of(argument)
    return [dotted(one) if isinstance(one, exp.Column) else one.sql() for one in parts]


def _counted(low: int, high: int) -> str:
    if high == 0:
        return "no arguments"
    if high == 1:
        return f"{'at most ' if low == 0 else ''}1 argument that names columns"
    return f"{low if low == high else f'{low} to {high}'} arguments that name columns"


def _check(
    table: Table, engine: str, role: str, argument: OptionValue, type_: DataType | None
) -> None:
    """Types of what merging goes by, in ClickHouse's words."""
    if type_ is None:
        return
    name, shown = argument.value, type_name(type_)
    if role == _VERSION and (type_.nullable or type_.root not in _VERSIONS):
        problem = (
            f"The column {name} cannot be used as a version column for storage {engine} because "
            f"it is of type {shown} (must be of an integer type or of type "
            "Date/DateTime/DateTime64)."
        )
        raise _refused(table, problem, argument)
    # A Bool is a UInt8 that is shown otherwise.
    fits = ("UInt8", "Bool") if role == _DELETED else ("Int8",)
    if role != _VERSION and shown not in fits:
        problem = (
            f"{role} column ({name}) for storage {engine} must have type {_TYPES[role]}. "
            f"Provided column of type {shown}."
        )
        raise _refused(table, problem, argument)


def _refused(table: Table, problem: str, argument: OptionValue | None) -> OptionError:
    return OptionError(
        "CONFLICTING_OPTIONS",
        span=argument.span if argument else None,
        table=table.name,
        conflict=problem,
        instead="",
    )
