"""The `raw` format."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import SqlError
from penstock.formats.base import Format
from penstock.model.option import Option, one_of

if TYPE_CHECKING:
    from penstock.model.types import DataType

_TYPES = frozenset(
    {
        *("CHAR", "VARCHAR", "BINARY", "VARBINARY", "BOOLEAN", "TINYINT", "SMALLINT", "INT"),
        *("BIGINT", "FLOAT", "DOUBLE"),
    }
)


def _charset(value: str) -> str:
    """A charset by one of its names."""
    try:
        codecs.lookup(value)
    except LookupError:
        raise ValueError("the name of a charset, such as UTF-8 or ISO-8859-1") from None
    return value


@dataclass(frozen=True, slots=True)
class Raw(Format):
    """The bytes of a message are the value of the only column; without a value it is NULL."""

    name = "raw"
    DECODE = "penstock_raw_decode"
    ENCODE = "penstock_raw_encode"
    OPTIONS = (
        Option("charset", _charset, "UTF-8", "How texts are encoded."),
        Option(
            "endianness",
            one_of("big-endian", "little-endian"),
            "big-endian",
            "Which byte of a number comes first.",
            "Enum",
        ),
    )

    def check_types(self, fields: tuple[tuple[str, DataType], ...]) -> None:
        """One column, of a type that has bytes."""
        if len(fields) != 1:
            columns = ", ".join(name for name, _ in fields)
            raise SqlError("SEVERAL_RAW_COLUMNS", columns=columns)
        super(Raw, self).check_types(fields)

    def problem_with(self, type_: DataType) -> str:
        """Texts, bytes, numbers of a fixed size."""
        if type_.root in _TYPES:
            return ""
        return f"The 'raw' format doesn't supports '{type_}' as column type."
