"""SET, RESET, and what is read but changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.sql.statements import Note, ResetOption, SetOption

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.sql.cursor import Cursor


def set_option(cursor: Cursor, span: Span) -> SetOption:
    """Behind SET: `'key' = 'value'`, the quotes may be left out; nothing asks for all settings."""
    if cursor.at_end:
        return SetOption("", "", span)
    key = cursor.text_until("=")
    cursor.expect("=")
    if cursor.at_end:
        cursor.fail("expected the value of the setting")
    return SetOption(key, cursor.text_until(), span)


def reset_option(cursor: Cursor, span: Span) -> ResetOption:
    """Behind RESET."""
    return ResetOption("" if cursor.at_end else cursor.text_until(), span)


def without_effect(cursor: Cursor, statement: str, span: Span) -> Note:
    """`ADD JAR 'file'` and the like: Flink's jars have nothing that Spark could use."""
    cursor.text_until()
    return Note(f"{statement} has no effect here", span)
