"""Texts and names as ClickHouse writes them in SQL; what is written so is read as the same."""

from __future__ import annotations

import re

from penstock.sql.names import parts_of

_PLAIN = re.compile("[A-Za-z_][A-Za-z0-9_]*")
# What would be read as something else than a name.
_WORDS = (
    *("all", "distinct", "false", "from", "inf", "infinity", "nan", "null"),
    *("select", "some", "table", "top", "true", "values"),
)
_ESCAPES = {
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\0": "\\0",
}
_IN_TEXT = str.maketrans({**_ESCAPES, "'": "\\'"})
_IN_NAME = str.maketrans({**_ESCAPES, "`": "\\`"})


def quoted(text: str) -> str:
    """A text."""
    return f"'{text.translate(_IN_TEXT)}'"


def back_quoted(name: str) -> str:
    """The name of a column, which ClickHouse quotes always."""
    return f"`{name.translate(_IN_NAME)}`"


def identifier(name: str) -> str:
    """A name, quoted where it must be."""
    is_plain = _PLAIN.fullmatch(name) and name.lower() not in _WORDS
    return name if is_plain else back_quoted(name)


def full_name(name: str) -> str:
    """The name of a table or view as `sql.names` joins it, each part quoted where it must be."""
    return ".".join(map(identifier, parts_of(name)))
