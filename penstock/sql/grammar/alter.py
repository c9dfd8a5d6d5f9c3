"""ALTER TABLE, ALTER VIEW, ALTER DATABASE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import SqlError
from penstock.sql.actions import (
    AddColumn,
    DropColumn,
    ModifyColumn,
    RenameColumn,
    RenameTo,
    ResetTableOptions,
    SetPrimaryKey,
    SetTableOptions,
    SetWatermark,
)
from penstock.sql.grammar.tables import Declared, check_columns, element
from penstock.sql.statements import AlterDatabase, AlterTable, AlterView

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.span import Span
    from penstock.sql.actions import Action
    from penstock.sql.cursor import Cursor

    Actions = tuple[Action, ...]


def alter_table(cursor: Cursor) -> AlterTable:
    """Behind ALTER TABLE."""
    if_exists = cursor.word("IF", "EXISTS")
    first = cursor.index
    name = cursor.path("the name of the table")
    span = cursor.since(first)
    word = cursor.one_of(_ACTIONS)
    if not word:
        cursor.fail(f"expected one of {', '.join(_ACTIONS)}")
    return AlterTable(name, _ACTIONS[word](cursor), if_exists, span)


def _set(cursor: Cursor) -> Actions:
    return (SetTableOptions(cursor.options()),)


def _reset(cursor: Cursor) -> Actions:
    return (ResetTableOptions(tuple(cursor.listed(lambda: cursor.string("a key")))),)


def _rename(cursor: Cursor) -> Actions:
    first = cursor.index
    if cursor.word("TO"):
        return (RenameTo(cursor.path("the new name"), cursor.since(first)),)
    old = cursor.name("a column")
    span = cursor.since(first)
    cursor.expect("TO")
    return (RenameColumn(old, cursor.name("the new name"), span),)


def _add(cursor: Cursor) -> Actions:
    return _declared(cursor, must_exist=False)


def _modify(cursor: Cursor) -> Actions:
    return _declared(cursor, must_exist=True)


def _declared(cursor: Cursor, *, must_exist: bool) -> Actions:
    """One element, or several in brackets."""
    span, declared = cursor.place, Declared()
    if cursor.sees("("):
        cursor.listed(lambda: element(cursor, declared))
    else:
        cursor.word("COLUMN")
        element(cursor, declared)
    if declared.bare_names:
        cursor.fail("expected a data type")
    check_columns(declared, "")
    declared.mistakes.raise_all()
    kind = ModifyColumn if must_exist else AddColumn
    actions: list[Action] = [
        kind(column, after)
        for column, after in zip(declared.columns, declared.positions, strict=True)
    ]
    if declared.watermark:
        actions.append(SetWatermark(declared.watermark, span, must_exist))
    if declared.primary_key:
        actions.append(SetPrimaryKey(declared.primary_key, declared.key_span, must_exist))
    return tuple(actions)


def _drop(cursor: Cursor) -> Actions:
    span = cursor.place
    if cursor.word("WATERMARK"):
        return (SetWatermark(None, span, must_exist=True),)
    if cursor.word("PRIMARY KEY"):
        return (SetPrimaryKey((), span, must_exist=True),)
    if cursor.word("CONSTRAINT"):
        cursor.name("the name of the constraint")
        return (SetPrimaryKey((), span, must_exist=True),)
    if cursor.sees("PARTITION"):
        raise _unsupported("ALTER TABLE … DROP PARTITION", span)
    if cursor.sees("("):
        return tuple(cursor.listed(lambda: _dropped(cursor)))
    cursor.word("COLUMN")
    return (_dropped(cursor),)


def _dropped(cursor: Cursor) -> DropColumn:
    first = cursor.index
    return DropColumn(cursor.name("a column"), cursor.since(first))


def _unsupported(clause: str, span: Span) -> SqlError:
    return SqlError("UNSUPPORTED_CLAUSE", span=span, clause=clause, instead="")


_ACTIONS: dict[str, Callable[[Cursor], Actions]] = {
    "ADD": _add,
    "DROP": _drop,
    "MODIFY": _modify,
    "RENAME": _rename,
    "RESET": _reset,
    "SET": _set,
}


def alter_view(cursor: Cursor) -> AlterView:
    """Behind ALTER VIEW."""
    first = cursor.index
    name = cursor.path("the name of the view")
    span = cursor.since(first)
    if cursor.word("RENAME", "TO"):
        return AlterView(name, None, cursor.path("the new name"), span)
    cursor.expect("AS")
    return AlterView(name, cursor.select(), "", span)


def alter_database(cursor: Cursor) -> AlterDatabase:
    """Behind ALTER DATABASE."""
    first = cursor.index
    name = cursor.path("the name of the database")
    span = cursor.since(first)
    cursor.expect("SET")
    return AlterDatabase(name, cursor.options(), span)
