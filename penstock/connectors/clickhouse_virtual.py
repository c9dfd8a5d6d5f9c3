"""What a ClickHouse table says of a message beside its columns: `_key`, `_offset`, `_error`, …

Every Kafka table has the virtual columns, unless it declares one of the same name. A declared
`_key`, `_timestamp` or `_headers.…` is written to the message itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.base import Metadata
from penstock.model.table import Column
from penstock.model.types import MAX_LENGTH, DataType, literal, quote
from penstock.sql.names import parts_of

if TYPE_CHECKING:
    from penstock.model.table import Table

_STRING = DataType("VARCHAR", MAX_LENGTH, nullable=False)
_UINT64 = DataType("UINT64", nullable=False)
_STRINGS = DataType("ARRAY", children=(("element", _STRING),), nullable=False)
_TIME = DataType("TIMESTAMP_LTZ", 0)
# Messages of old have no time.
_TIMESTAMP = "if(timestampType < 0, NULL, timestamp)"
_NO_STRINGS = "CAST(array() AS ARRAY<STRING>)"
_HEADER_NAMES, _HEADER_VALUES = "_headers.name", "_headers.value"
_HEADERS = (_HEADER_NAMES, _HEADER_VALUES)

_OF_MESSAGES = (
    Metadata("_topic", _STRING, "topic"),
    Metadata("_key", _STRING, "coalesce(CAST(key AS STRING), '')", writable=True),
    Metadata("_offset", _UINT64, "CAST(offset AS DECIMAL(20, 0))"),
    Metadata("_partition", _UINT64, "CAST(partition AS DECIMAL(20, 0))"),
    Metadata("_timestamp", _TIME, f"date_trunc('SECOND', {_TIMESTAMP})", writable=True),
    Metadata("_timestamp_ms", DataType("TIMESTAMP_LTZ", 3), _TIMESTAMP),
    Metadata(_HEADER_NAMES, _STRINGS, f"coalesce(headers.key, {_NO_STRINGS})", writable=True),
    Metadata(
        _HEADER_VALUES,
        _STRINGS,
        f"coalesce(transform(headers.value, v -> coalesce(CAST(v AS STRING), '')), {_NO_STRINGS})",
        writable=True,
    ),
)
# With 'stream' a message that cannot be read is a row without a value.
IS_BROKEN = "__value IS NULL"
_RAW_MESSAGE = Metadata("_raw_message", _STRING, f"if({IS_BROKEN}, CAST(value AS STRING), '')")


def virtual(table: str, error_sql: str | None) -> tuple[Metadata, ...]:
    """The virtual columns of a table; `error_sql` gives the error of a message, if they tell it."""
    found = (*_OF_MESSAGES, Metadata("_table", _STRING, literal(parts_of(table)[-1])))
    if error_sql is None:
        return found
    error = Metadata("_error", _STRING, f"if({IS_BROKEN}, {error_sql}, '')")
    return (*found, _RAW_MESSAGE, error)


def with_virtual(table: Table, metadata: tuple[Metadata, ...]) -> Table:
    """The table with its virtual columns, which `*` passes over; declared ones win."""
    declared = {column.name for column in table.columns}
    hidden = tuple(
        Column(m.key, "metadata", m.type, table.span, None, m.key, virtual=True, hidden=True)
        for m in metadata
        if m.key not in declared
    )
    return replace(table, columns=(*table.columns, *hidden))


def written(table: Table, *, leave_payload: bool) -> tuple[list[tuple[str, str]], set[str]]:
    """What declared columns say of the record, and which of them the payload does not have.

    As in ClickHouse, only columns of exactly the right type count, headers only where such columns
    `leave_payload`.
    """
    types = {name: replace(type_, zone="") for name, type_ in table.physical}
    records, columns = [], []
    if types.get("_key") == _STRING:
        records.append(("key", "CAST(`_key` AS BINARY)"))
        columns.append("_key")
    if types.get("_timestamp") == _TIME.as_nullable(False):
        records.append(("timestamp", "`_timestamp`"))
        columns.append("_timestamp")
    if leave_payload and all(types.get(name) == _STRINGS for name in _HEADERS):
        records.append(("headers", _headers()))
        columns += _HEADERS
    return records, set(columns) if leave_payload else set()


def _headers() -> str:
    names, values = quote(_HEADER_NAMES), quote(_HEADER_VALUES)
    header = "named_struct('key', n, 'value', CAST(v AS BINARY))"
    problem = literal(f"Each of {_HEADER_NAMES} needs one of {_HEADER_VALUES}, and none more.")
    pairs = f"zip_with({names}, {values}, (n, v) -> {header})"
    return f"if(size({names}) = size({values}), {pairs}, raise_error({problem}))"
