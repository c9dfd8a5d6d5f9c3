"""A type written as text by itself → `DataType`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot.errors import ParseError, TokenError

from penstock.errors import SqlError
from penstock.sql.cursor import Cursor
from penstock.sql.flink import Flink
from penstock.sql.types import data_type

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.model.types import DataType


def read_type(text: str, owner: str, span: Span | None) -> DataType:
    """The type; an error has the place of whoever gave the text."""
    dialect = Flink()
    cursor = Cursor(dialect=dialect)
    try:
        cursor.begin(dialect.tokenize(text), text)
        node = cursor.type_()
        cursor.end()
        return data_type(node, owner)
    except (ParseError, TokenError, SqlError) as error:
        raise SqlError(
            "UNSUPPORTED_TYPE", span=span, column=owner, type=text, instead=""
        ) from error
