"""Metadata columns of Kafka tables: what of a record they read, what of it they write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.connectors.base import Metadata
from penstock.errors import PlanError
from penstock.formats.base import field
from penstock.model.types import (
    BIGINT,
    BYTES,
    INT,
    STRING,
    TIMESTAMP_LTZ_3,
    DataType,
    quote,
)
from penstock.sql.casts import cast, castable

if TYPE_CHECKING:
    from penstock.formats.base import Format
    from penstock.model.table import Column, Table

_REQUIRED_STRING = STRING.as_nullable(False)
_HEADER = DataType("ROW", children=(("key", _REQUIRED_STRING), ("value", BYTES)), nullable=False)
_HEADERS = DataType("MAP", children=(("key", STRING), ("value", BYTES)), nullable=False)
_HEADER_LIST = DataType("ARRAY", children=(("element", _HEADER),), nullable=False)

# Sorted as Flink lists them; `headers` keeps the last of headers of one name, `header-list` all.
KEYS = (
    Metadata("topic", _REQUIRED_STRING, "topic", writable=True),
    Metadata("partition", INT.as_nullable(False), "partition"),
    Metadata(
        "headers",
        _HEADERS,
        "coalesce(map_from_entries(headers), CAST(map() AS MAP<STRING, BINARY>))",
        writable=True,
    ),
    Metadata(
        "header-list",
        _HEADER_LIST,
        "coalesce(headers, CAST(array() AS ARRAY<STRUCT<key: STRING, value: BINARY>>))",
        writable=True,
    ),
    Metadata("leader-epoch", INT, "leaderEpoch"),
    Metadata("offset", BIGINT.as_nullable(False), "offset"),
    Metadata("timestamp", TIMESTAMP_LTZ_3.as_nullable(False), "timestamp", writable=True),
    Metadata(
        "timestamp-type",
        _REQUIRED_STRING,
        "CASE timestampType WHEN 0 THEN 'CreateTime' WHEN 1 THEN 'LogAppendTime' "
        "ELSE 'NoTimestampType' END",
    ),
)


def keys_of(value: Format, *, one_topic: bool) -> tuple[Metadata, ...]:
    """What a table has: the keys of its format, and the record's; one topic cannot be chosen."""
    formats = (Metadata(f"value.{k}", t, field("__value", f"__{k}")) for k, t in value.METADATA)
    topic, *others = KEYS
    return (*formats, replace(topic, writable=not one_topic), *others)


def read_metadata(table: Table, column: Column, type_: DataType, key: Metadata) -> str:
    """A metadata column as it is read, in its declared type."""
    if not castable(key.type, type_):
        raise _uncastable(table, column, key, "castable from")
    return cast(key.read, key.type, type_, span=column.span)


def written_metadata(
    table: Table, columns: dict[str, Column], *, one_topic: bool
) -> list[tuple[str, str]]:
    """Metadata columns, by key → record columns."""
    if {"headers", "header-list"} <= columns.keys():
        raise PlanError(
            "INVALID_QUERY",
            span=columns["header-list"].span,
            problem="The writable metadata is ambiguous. Please use either metadata key 'headers' "
            "or 'header-list'.",
            instead="Declare one of them as VIRTUAL.",
        )
    if not one_topic and "topic" not in columns:
        raise PlanError(
            "INVALID_QUERY",
            span=table.span,
            problem=f"Table `{table.name}`: The topic of the sink record is not valid. Expected a "
            "single topic but no topic is set.",
            instead="Add a column `topic` STRING METADATA, or name one topic.",
        )
    return [
        ("headers" if key == "header-list" else key, _as_record(table, column))
        for key, column in columns.items()
    ]


def _as_record(table: Table, column: Column) -> str:
    key = next(key for key in KEYS if key.key == column.metadata_key)
    assert column.type is not None  # noqa: S101 — a metadata column has a type
    if not castable(column.type, key.type):
        raise _uncastable(table, column, key, "castable to")
    sql = cast(quote(column.name), column.type, key.type, span=column.span)
    if key.key == "headers":
        return f"map_entries({sql})"
    if key.key == "header-list":
        return f"filter({sql}, h -> h.key IS NOT NULL)"
    return sql


def _uncastable(table: Table, column: Column, key: Metadata, must_be: str) -> PlanError:
    return PlanError(
        "INVALID_METADATA_TYPE",
        span=column.span,
        table=table.name,
        column=column.name,
        declared=column.type,
        must_be=must_be,
        type=key.type,
    )
