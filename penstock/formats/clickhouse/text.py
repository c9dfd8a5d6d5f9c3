"""ClickHouse's formats of one column: the message as it is, or line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import SqlError
from penstock.formats.clickhouse.base import ClickHouseFormat

if TYPE_CHECKING:
    from penstock.model.types import Fields


def only_a_string(format_name: str, fields: Fields) -> None:
    """Refuse all but a single column of type String."""
    for number, (name, type_) in enumerate(fields):
        if number or type_.root != "VARCHAR":
            raise SqlError(
                "UNSUPPORTED_TYPE",
                column=name,
                type=type_,
                instead=f"{format_name} is only suitable for tables with a single column of type "
                "String.",
            )


@dataclass(frozen=True, slots=True)
class _Text(ClickHouseFormat):
    DECODE = "penstock_ch_text_decode"
    ENCODE = "penstock_ch_separated_encode"
    OPTIONS = ()

    def check_types(self, fields: Fields) -> None:
        """One String."""
        only_a_string(self.name, fields)


@dataclass(frozen=True, slots=True)
class LineAsString(_Text):
    """A line is a row."""

    name = "LineAsString"
    FORM = (
        ("form", "lines"),
        ("lines", True),
    )


@dataclass(frozen=True, slots=True)
class RawBlob(_Text):
    """The message is the row."""

    name = "RawBLOB"
    FORM = (("form", "blob"),)
