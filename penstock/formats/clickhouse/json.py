"""ClickHouse's formats of JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from penstock.formats.clickhouse.base import (
    BOOLS,
    MATCHING,
    NULL_AS_DEFAULT,
    SKIP_UNKNOWN,
    TIMES,
    TRAILING_ZEROS,
    ClickHouseFormat,
    switch,
)
from penstock.formats.clickhouse.text import only_a_string

if TYPE_CHECKING:
    from penstock.model.option import Option
    from penstock.model.types import Fields

_SLASHES = switch("output_format_json_escape_forward_slashes", True, "A slash is written as `\\/`.")
_VALUES: tuple[Option[Any], ...] = (
    NULL_AS_DEFAULT,
    *TIMES,
    switch("input_format_json_read_bools_as_numbers", True, "Numbers may be true and false."),
    switch(
        "input_format_json_named_tuples_as_objects",
        True,
        "A Tuple with names is read as an object, else as an array.",
    ),
    switch(
        "input_format_json_ignore_unknown_keys_in_named_tuple",
        True,
        "Keys that are no fields of a Tuple are left out.",
    ),
    TRAILING_ZEROS,
    _SLASHES,
    switch(
        "output_format_json_named_tuples_as_objects",
        True,
        "A Tuple with names is written as an object.",
    ),
    switch("output_format_json_quote_64bit_integers", False, "64 bits are written in quotes."),
    switch("output_format_json_quote_64bit_floats", False, "Float64 is written in quotes."),
    switch("output_format_json_quote_decimals", False, "Decimals are written in quotes."),
    switch("output_format_json_quote_denormals", False, "nan and inf are written, not null."),
)
AS_ARRAY = switch("output_format_json_array_of_rows", False, "The rows are written as one array.")
_OBJECTS: tuple[Option[Any], ...] = (
    SKIP_UNKNOWN,
    MATCHING,
    switch(
        "input_format_import_nested_json",
        False,
        "The fields of an object `e` are the columns `e.x`, `e.y`.",
    ),
    switch("input_format_json_empty_as_default", False, "An empty string is the default."),
    AS_ARRAY,
)


@dataclass(frozen=True, slots=True)
class JsonEachRow(ClickHouseFormat):
    """An object is a row."""

    name = "JSONEachRow"
    ALIASES: ClassVar[tuple[str, ...]] = ("JSONLines", "NDJSON")
    DECODE = "penstock_ch_json_each_row_decode"
    ENCODE = "penstock_ch_json_each_row_encode"
    OPTIONS = (*_OBJECTS, *_VALUES)


@dataclass(frozen=True, slots=True)
class JsonStringsEachRow(JsonEachRow):
    """An object is a row, its values are strings that hold the texts of the columns."""

    name = "JSONStringsEachRow"
    ALIASES = ()
    FORM = (("strings", True),)
    OPTIONS = (*_OBJECTS, NULL_AS_DEFAULT, *TIMES, *BOOLS, TRAILING_ZEROS, _SLASHES)


@dataclass(frozen=True, slots=True)
class JsonCompactEachRow(ClickHouseFormat):
    """An array is a row, its columns by position."""

    name = "JSONCompactEachRow"
    DECODE = "penstock_ch_json_compact_decode"
    ENCODE = "penstock_ch_separated_encode"
    FORM = (("form", "compact"),)
    OPTIONS = (
        *_VALUES,
        switch(
            "input_format_json_compact_allow_variable_number_of_columns",
            False,
            "A row may have more values than columns, or fewer.",
        ),
    )


@dataclass(frozen=True, slots=True)
class JsonAsString(ClickHouseFormat):
    """The text of an object is the value of the only column."""

    name = "JSONAsString"
    DECODE = "penstock_ch_json_as_string_decode"
    ENCODE = ""
    OPTIONS = ()

    def check_types(self, fields: Fields) -> None:
        """One String."""
        only_a_string(self.name, fields)
