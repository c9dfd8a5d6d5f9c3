"""ClickHouse's CSV and TabSeparated."""

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
from penstock.model.option import Option, single_character, text, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEADER: tuple[Option[Any], ...] = (
    SKIP_UNKNOWN,
    MATCHING,
    switch(
        "input_format_with_names_use_header",
        True,
        "The first line says which field is which column; else it is left out.",
    ),
)


def _settings(name: str, options: Iterable[Option[Any]]) -> tuple[Option[Any], ...]:
    """What both have under their own name, and what one of them has."""
    prefix = f"input_format_{name}_"
    return (
        *options,
        Option(f"format_{name}_null_representation", text, "\\N", "The text of NULL."),
        Option(f"{prefix}skip_first_lines", whole_number, 0, "Lines left out at first.", "UInt64"),
        switch(
            f"{prefix}allow_variable_number_of_columns",
            False,
            "A line may have more fields than columns, or fewer.",
        ),
        switch(f"{prefix}empty_as_default", name == "csv", "An empty field is the default."),
        switch(f"output_format_{name}_crlf_end_of_line", False, "Lines end with `\\r\\n`."),
        NULL_AS_DEFAULT,
        *TIMES,
        *BOOLS,
        TRAILING_ZEROS,
    )


_CSV = _settings(
    "csv",
    (
        Option("format_csv_delimiter", single_character, ",", "Stands between two fields.", "Char"),
        switch("format_csv_allow_double_quotes", True, 'Strings may stand in `"`.'),
        switch("format_csv_allow_single_quotes", False, "Strings may stand in `'`."),
        switch("input_format_csv_trim_whitespaces", True, "Blanks before a field are left out."),
        switch(
            "input_format_csv_use_default_on_bad_values",
            False,
            "A field that cannot be read is the default of its column.",
        ),
        switch("input_format_csv_allow_cr_end_of_line", False, "A lone `\\r` ends a line."),
    ),
)
_TSV = _settings(
    "tsv", (switch("input_format_tsv_crlf_end_of_line", False, "Lines end with `\\r\\n`."),)
)


@dataclass(frozen=True, slots=True)
class Csv(ClickHouseFormat):
    """A line is a row, its fields separated by commas, strings in quotes."""

    name = "CSV"
    DECODE = "penstock_ch_csv_decode"
    ENCODE = "penstock_ch_separated_encode"
    FORM: ClassVar[tuple[tuple[str, object], ...]] = (("form", "csv"),)
    OPTIONS = _CSV


@dataclass(frozen=True, slots=True)
class CsvWithNames(Csv):
    """The same after a line with the names of the columns."""

    name = "CSVWithNames"
    FORM = (
        ("form", "csv"),
        ("names", True),
    )
    OPTIONS = (*_HEADER, *_CSV)


@dataclass(frozen=True, slots=True)
class Tsv(ClickHouseFormat):
    """A line is a row, its fields separated by tabs, strings with escapes."""

    name = "TabSeparated"
    ALIASES = ("TSV",)
    DECODE = "penstock_ch_tsv_decode"
    ENCODE = "penstock_ch_separated_encode"
    FORM: ClassVar[tuple[tuple[str, object], ...]] = (("form", "tsv"),)
    OPTIONS = _TSV


@dataclass(frozen=True, slots=True)
class TsvWithNames(Tsv):
    """The same after a line with the names of the columns."""

    name = "TabSeparatedWithNames"
    ALIASES = ("TSVWithNames",)
    FORM = (
        ("form", "tsv"),
        ("names", True),
    )
    OPTIONS = (*_HEADER, *_TSV)


@dataclass(frozen=True, slots=True)
class Tskv(ClickHouseFormat):
    """A line is a row, its fields are `name=value`, separated by tabs, with escapes."""

    name = "TSKV"
    DECODE = "penstock_ch_tskv_decode"
    ENCODE = "penstock_ch_separated_encode"
    FORM: ClassVar[tuple[tuple[str, object], ...]] = (
        ("form", "tskv"),
        (MATCHING.key, "match_case"),
    )
    OPTIONS = (SKIP_UNKNOWN, NULL_AS_DEFAULT, *TIMES, *BOOLS, TRAILING_ZEROS)
