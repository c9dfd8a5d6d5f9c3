"""Which columns make the key of a message: `key.fields`, its prefix, and the rules around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from penstock.connectors.kafka_options import OPTIONS
from penstock.errors import OptionError

if TYPE_CHECKING:
    from penstock.formats.base import Format
    from penstock.model.option import OptionReader
    from penstock.model.table import Table
    from penstock.model.types import DataType


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
    options: OptionReader, table: Table, key_format: Format | None
) -> KeyFields | None:
    """The key of a table, or None if it has no key format."""
    columns = options.pull(OPTIONS["key.fields"]) or ()
    prefix = options.pull(OPTIONS["key.fields-prefix"]) or ""
    include = options.pull(OPTIONS["value.fields-include"])
    if key_format is None:
        if columns:
            _refuse(
                table,
                "The option 'key.fields' can only be declared if a key format is defined using "
                "'key.format'.",
                "Add 'key.format', or remove 'key.fields'.",
            )
        return None
    if not columns:
        _refuse(
            table,
            "A key format 'key.format' requires the declaration of one or more of key fields "
            "using 'key.fields'.",
            "Add 'key.fields'.",
        )
    if prefix and include == "ALL":
        _refuse(
            table,
            "A key prefix is not allowed when option 'value.fields-include' is set to 'ALL'.",
            "Set it to 'EXCEPT_KEY' instead to avoid field overlaps.",
        )
    types = tuple(_key_type(table, column, prefix) for column in columns)
    return KeyFields(key_format, columns, types, prefix, include == "EXCEPT_KEY")


def _key_type(table: Table, column: str, prefix: str) -> DataType:
    physical = dict(table.physical)
    if column not in physical:
        _refuse(
            table,
            f"Could not find the field '{column}' in the table schema for usage in the key "
            "format. A key field must be a regular, physical column.",
            f"The following columns can be selected in the 'key.fields' option: "
            f"[{', '.join(physical)}].",
        )
    if not column.startswith(prefix):
        _refuse(
            table,
            f"All fields in 'key.fields' must be prefixed with '{prefix}' when option "
            f"'key.fields-prefix' is set but field '{column}' is not prefixed.",
            "Rename the column, or remove the prefix.",
        )
    return physical[column]


def _refuse(table: Table, conflict: str, instead: str) -> NoReturn:
    raise OptionError("CONFLICTING_OPTIONS", table=table.name, conflict=conflict, instead=instead)
