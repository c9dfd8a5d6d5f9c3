"""Clauses that are for ClickHouse's servers and users: stepped over, and told as without effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot.tokenizer_core import TokenType

from penstock.sql.statements import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.sql.clickhouse.cursor import Cursor


def on_cluster(cursor: Cursor) -> Iterator[Note]:
    """`ON CLUSTER name`: there is one engine here."""
    span = cursor.span
    if cursor.accept("ON", "CLUSTER"):
        token = cursor.token
        cursor.at += 1
        shown = token.text if token else ""
        yield Note(f"ON CLUSTER {shown} has no effect: there are no ClickHouse servers.", span)


def identity(cursor: Cursor) -> Iterator[Note]:
    """`[UUID '…'] [ON CLUSTER name]` behind the name of what is created."""
    span = cursor.span
    if cursor.accept("UUID"):
        cursor.string()
        yield Note("UUID has no effect: a table is known by its name.", span)
    yield from on_cluster(cursor)


def security(cursor: Cursor) -> Iterator[Note]:
    """`[DEFINER = user] [SQL SECURITY kind]` of a view, in any order."""
    span, start = cursor.span, cursor.at
    while cursor.word() in ("DEFINER", "SQL SECURITY"):
        if cursor.accept("SQL SECURITY"):
            cursor.identifier()
        else:
            cursor.until("SQL SECURITY", "POPULATE", "COMMENT", "AS")
    if cursor.at > start:
        yield Note("DEFINER and SQL SECURITY have no effect: there are no ClickHouse users.", span)


def last_comment(cursor: Cursor) -> str:
    """`COMMENT '…'` behind the query that ends a statement, which is left without it."""
    *before, word, text = cursor.tokens
    if word.text.upper() != "COMMENT" or text.token_type != TokenType.STRING:
        return ""
    cursor.tokens = before
    return text.text
