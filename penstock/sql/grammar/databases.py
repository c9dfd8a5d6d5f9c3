"""Catalogs, databases, USE, functions, DROP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from penstock.sql.statements import (
    CreateDatabase,
    CreateFunction,
    Drop,
    DropDatabase,
    DropFunction,
    Use,
)

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.sql.cursor import Cursor

Kind = Literal["DATABASE", "CATALOG"]


def create_database(cursor: Cursor, kind: Kind, span: Span) -> CreateDatabase:
    """Behind CREATE DATABASE or CREATE CATALOG."""
    if_not_exists = cursor.word("IF", "NOT", "EXISTS")
    name = cursor.path(f"the name of the {kind.lower()}")
    if cursor.word("COMMENT"):
        cursor.string("the comment")
    options = cursor.options() if cursor.word("WITH") else ()
    return CreateDatabase(name, kind, if_not_exists, options, span)


def drop_database(cursor: Cursor, kind: Kind, span: Span) -> DropDatabase:
    """Behind DROP DATABASE or DROP CATALOG."""
    if_exists = cursor.word("IF", "EXISTS")
    name = cursor.path(f"the name of the {kind.lower()}")
    cascade = cursor.one_of(("CASCADE", "RESTRICT")) == "CASCADE"
    return DropDatabase(name, kind, if_exists, span, cascade)


def use(cursor: Cursor, span: Span) -> Use:
    """Behind USE."""
    if cursor.word("CATALOG"):
        return Use(cursor.path("the name of the catalog"), "CATALOG", span)
    return Use(cursor.path("the name of the database"), "DATABASE", span)


def drop_table(
    cursor: Cursor, kind: Literal["TABLE", "VIEW"], *, temporary: bool, span: Span
) -> Drop:
    """Behind DROP TABLE or DROP VIEW."""
    if_exists = cursor.word("IF", "EXISTS")
    name = cursor.path(f"the name of the {kind.lower()}")
    return Drop(name, if_exists, span, kind, temporary)


def create_function(cursor: Cursor, *, temporary: bool, span: Span) -> CreateFunction:
    """Behind the word FUNCTION."""
    if_not_exists = cursor.word("IF", "NOT", "EXISTS")
    name = cursor.path("the name of the function")
    cursor.expect("AS")
    implementation = cursor.string("the function's implementation")
    language = cursor.name("a language") if cursor.word("LANGUAGE") else "JAVA"
    if cursor.word("USING"):
        cursor.text_until()
    return CreateFunction(name, implementation, language.upper(), if_not_exists, span, temporary)


def drop_function(cursor: Cursor, span: Span) -> DropFunction:
    """Behind the word FUNCTION."""
    if_exists = cursor.word("IF", "EXISTS")
    return DropFunction(cursor.path("the name of the function"), if_exists, span)
