"""ClickHouse's Avro and AvroConfluent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from penstock.errors import OptionError
from penstock.formats.clickhouse.base import NULL_AS_DEFAULT, ClickHouseFormat, switch
from penstock.formats.registry_options import address, registry_options
from penstock.model.option import Option, exactly_one_of, pattern, positive_number, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.model.option import OptionReader
    from penstock.model.types import DataType

_URL: Option[Any] = Option(
    "format_avro_schema_registry_url",
    address,
    None,
    "Where the schema registry listens; a name and a password may stand in the address.",
    "URI",
)
_SUBJECT: Option[Any] = Option(
    "output_format_avro_confluent_subject",
    text,
    "",
    "Under which the schema of written rows is registered; needed to write.",
)
_READING: tuple[Option[Any], ...] = (
    NULL_AS_DEFAULT,
    switch(
        "input_format_avro_null_as_default",
        False,
        "The same for Avro alone; either turns it on.",
    ),
    switch(
        "input_format_avro_allow_missing_fields",
        False,
        "A column that the schema lacks is the default of its type, and no error.",
    ),
)
_TEXTS: Option[Any] = Option(
    "output_format_avro_string_column_pattern",
    pattern,
    "",
    "Columns of String in whose names it is found are written as `string`, others as `bytes`.",
)


@dataclass(frozen=True, slots=True)
class Avro(ClickHouseFormat):
    """An object container file with its schema; a record is a row."""

    name = "Avro"
    DECODE = "penstock_ch_avro_decode"
    ENCODE = "penstock_ch_avro_encode"
    IS_TEXT = False
    OPTIONS = (
        *_READING,
        _TEXTS,
        Option(
            "output_format_avro_codec",
            exactly_one_of("", "null", "deflate", "snappy", "zstd"),
            "",
            "How blocks are compressed; empty is `snappy`.",
            "Enum",
        ),
        Option(
            "output_format_avro_sync_interval",
            positive_number,
            16384,
            "How many bytes a block has at least before it ends.",
            "UInt64",
        ),
    )


@dataclass(frozen=True, slots=True)
class AvroConfluent(ClickHouseFormat):
    """Records, each behind the id of its schema in a registry; a record is a row."""

    name = "AvroConfluent"
    DECODE = "penstock_ch_avro_confluent_decode"
    ENCODE = "penstock_ch_avro_confluent_encode"
    IS_TEXT = False
    OPTIONS = (_URL, _SUBJECT, *_READING, _TEXTS)

    @classmethod
    def of_table(
        cls,
        reader: OptionReader,
        skipped_bytes: int,
        *,
        schema: str = "",
        folders: tuple[str, ...] = (),
    ) -> ClickHouseFormat:
        """With the registry as Java's client is told of it."""
        base = super(AvroConfluent, cls).of_table(reader, skipped_bytes)
        given = dict(base.options)
        if _URL.key not in given:
            raise _missing(reader.table, _URL.key, "Name the registry of the schemas in SETTINGS.")
        url = {"url": given.pop(_URL.key)}
        subject = given.pop(_SUBJECT.key, None)
        told = {
            **given,
            **dict(registry_options(url, (), of=f"{reader.table}/{cls.name}")),
            "table": reader.table,
            "option": _URL.key,
            **({"subject": subject} if subject else {}),
        }
        return cls(tuple(told.items()), skipped_bytes)

    def encode(self, columns: Sequence[tuple[str, str, DataType]]) -> str:
        """As any format; the schema needs a subject."""
        if not self.option("subject"):
            instead = "Name the subject under which the schema is registered in SETTINGS."
            raise _missing(str(self.option("table")), _SUBJECT.key, instead)
        return super(AvroConfluent, self).encode(columns)


def _missing(table: str, option: str, instead: str) -> OptionError:
    return OptionError("MISSING_OPTION", table=table, option=option, instead=instead)
