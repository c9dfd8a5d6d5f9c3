"""Which columns make the key of a message: `key.fields`, its prefix, and the rules around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from penstock.connectors.kafka_rules import conflict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.formats.base import Format
    from penstock.model.table import Table
    from penstock.model.types import DataType

_FIELDS = "key.fields"


@dataclass(frozen=True, slots=True)
class KeyFields:
    """The key of a table's messages: its format and its columns, in key order."""

    format: Format
    columns: tuple[str, ...]
    types: tuple[DataType, ...]
    prefix: str
    excluded_from_value: bool

    @property
    def message_names(self) -> dict[str, str]:
        """Column name → name inside the key."""
        return {name: name.removeprefix(self.prefix) for name in self.columns}

    @property
    def fields(self) -> tuple[tuple[str, DataType], ...]:
        """The key row as the format sees it."""
        names = (self.message_names[column] for column in self.columns)
        return tuple(zip(names, self.types, strict=True))


def read_key_fields(
    table: Table, values: Mapping[str, Any], key_format: Format | None
) -> KeyFields | None:
    """The key of a table, or None if it has no key format."""
    columns, prefix = values[_FIELDS], values["key.fields-prefix"]
    include = values["value.fields-include"]
    if key_format is None:
        if columns:
            raise conflict(
                table,
                _FIELDS,
                "The option 'key.fields' can only be declared if a key format is defined using "
                "'key.format'.",
                "Add 'key.format', or remove 'key.fields'.",
            )
        _check_prefix(table, prefix, include)
        return None
    if not columns:
        raise conflict(
            table,
            "key.format",
            "A key format 'key.format' requires the declaration of one or more of key fields "
            "using 'key.fields'.",
            "Add 'key.fields'.",
        )
    types = tuple(_key_type(table, column, prefix) for column in columns)
    _check_prefix(table, prefix, include)
    return KeyFields(key_format, columns, types, prefix, include == "EXCEPT_KEY")


def _check_prefix(table: Table, prefix: str, include: str) -> None:
    if prefix and include == "ALL":
        raise conflict(
            table,
            "key.fields-prefix",
            "A key prefix is not allowed when option 'value.fields-include' is set to 'ALL'.",
            "Set it to 'EXCEPT_KEY' instead to avoid field overlaps.",
        )


def _key_type(table: Table, column: str, prefix: str) -> DataType:
    physical = dict(table.physical)
    if column not in physical:
        raise conflict(
            table,
            _FIELDS,
            f"Could not find the field '{column}' in the table schema for usage in the key "
            "format. A key field must be a regular, physical column.",
            "The following columns can be selected in the 'key.fields' option: "
            f"[{', '.join(physical)}].",
        )
    if not column.startswith(prefix):
        raise conflict(
            table,
            _FIELDS,
            f"All fields in 'key.fields' must be prefixed with '{prefix}' when option "
            f"'key.fields-prefix' is set but field '{column}' is not prefixed.",
            "Rename the column, or remove the prefix.",
        )
    return physical[column]
