"""ClickHouse's Protobuf, ProtobufSingle and ProtobufList."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from penstock.errors import OptionError, SqlError
from penstock.formats.clickhouse.base import ClickHouseFormat
from penstock.formats.clickhouse.protobuf_columns import describe, missing_field
from penstock.formats.protobuf_files import DescriptorError, find_message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from google.protobuf.descriptor import Descriptor

    from penstock.model.option import OptionReader
    from penstock.model.types import DataType, Fields

_SETTING = "kafka_schema"
# A text is read as a DateTime in one form only, whatever the table says of others.
_BASIC_TIMES = ("date_time_input_format", "basic")


@dataclass(frozen=True, slots=True)
class Protobuf(ClickHouseFormat):
    """Messages of `kafka_schema`, each behind its length; a message is a row."""

    name = "Protobuf"
    DECODE = "penstock_ch_protobuf_decode"
    ENCODE = "penstock_ch_protobuf_encode"
    IS_TEXT = False
    FORM: ClassVar[tuple[tuple[str, object], ...]] = (("framing", "delimited"), _BASIC_TIMES)
    OPTIONS = ()
    HAS_SCHEMA = True
    # The message type in which the schema has that of the rows.
    WITHIN: ClassVar[str] = ""

    file: str = ""
    message: str = ""

    @classmethod
    def of_table(
        cls,
        reader: OptionReader,
        skipped_bytes: int,
        *,
        schema: str = "",
        folders: tuple[str, ...] = (),
    ) -> ClickHouseFormat:
        """With the message type that `kafka_schema` names as `file:Message`."""
        settings = super(Protobuf, cls).of_table(reader, skipped_bytes)
        name, _, message = schema.rpartition(":")
        if not name or not message:
            raise _refused(reader.table, schema)
        given = name if Path(name).suffix else f"{name}.proto"
        paths = (Path(folder, given) for folder in folders)
        path = next((p for p in paths if p.is_file()), Path(given).absolute())
        found = cls(settings.options, skipped_bytes, str(path), message)
        try:
            found._descriptor()
        except DescriptorError as error:
            raise OptionError(
                "REFUSED_OPTION",
                table=reader.table,
                problem=error.problem,
                instead=error.instead,
            ) from error
        return found

    def check_types(self, fields: tuple[tuple[str, DataType], ...]) -> None:
        """A column that has a field has its kind."""
        describe(self._descriptor(), fields)

    def told(self, fields: Fields) -> Mapping[str, Any]:
        """What of the schema concerns the columns; where it stands is of no concern."""
        message, columns = describe(self._descriptor(), fields)
        return {
            **super(Protobuf, self).told(fields),
            "message": json.dumps(message, ensure_ascii=False),
            "columns": json.dumps(columns),
        }

    def encode(self, columns: Sequence[tuple[str, str, DataType]]) -> str:
        """As any format; what the schema requires must be a column."""
        fields = tuple((name, type_) for name, _, type_ in columns)
        if missing := missing_field(self._descriptor(), fields):
            raise SqlError(
                "PROTOBUF_MISMATCH",
                problem=f"Field '{missing}' is required to be set.",
                instead="Add a column of its name.",
            )
        return super(Protobuf, self).encode(columns)

    def _descriptor(self) -> Descriptor:
        return find_message(self.file, f"{self.WITHIN}{self.message}")


def _refused(table: str, schema: str) -> OptionError:
    expected = "a file and a message type in it, as 'orders.proto:Order'"
    if not schema:
        return OptionError(
            "MISSING_OPTION", table=table, option=_SETTING, instead=f"Name {expected}."
        )
    return OptionError(
        "INVALID_OPTION_VALUE", table=table, option=_SETTING, value=schema, expected=expected
    )


@dataclass(frozen=True, slots=True)
class ProtobufSingle(Protobuf):
    """One message of `kafka_schema`, without a length; it is a row."""

    name = "ProtobufSingle"
    SEVERAL_ROWS = False
    FORM = (("framing", "single"), _BASIC_TIMES)


@dataclass(frozen=True, slots=True)
class ProtobufList(Protobuf):
    """A message `Envelope` behind its length, whose first field are the rows."""

    name = "ProtobufList"
    FORM = (("framing", "list"), _BASIC_TIMES)
    WITHIN = "Envelope."
