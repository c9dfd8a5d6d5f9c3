"""CREATE, ALTER and DROP NAMED COLLECTION → statements; each reader stands behind these words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.sql.clickhouse.engine import read_settings
from penstock.sql.clickhouse.statements import AlterCollection, CreateCollection, DropCollection
from penstock.sql.clickhouse.without_effect import on_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.sql.clickhouse.cursor import Cursor
    from penstock.sql.clickhouse.statements import AnyStatement


def create(cursor: Cursor, span: Span, text: str) -> Iterator[AnyStatement]:
    """`CREATE NAMED COLLECTION [IF NOT EXISTS] name AS key = value [[NOT] OVERRIDABLE], …`."""
    if_not_exists = cursor.accept("IF", "NOT", "EXISTS")
    name = cursor.identifier()
    yield from on_cluster(cursor)
    cursor.expect("AS")
    values, fixed = _values(cursor)
    cursor.finish()
    yield CreateCollection(name, values, fixed, text, if_not_exists, span)


def alter(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """`ALTER NAMED COLLECTION [IF EXISTS] name [SET key = value, …] [DELETE key, …]`."""
    if_exists = cursor.accept("IF", "EXISTS")
    name = cursor.identifier()
    yield from on_cluster(cursor)
    values, fixed = _values(cursor) if cursor.accept("SET") else ((), ())
    deleted = tuple(cursor.comma_list(cursor.identifier)) if cursor.accept("DELETE") else ()
    cursor.finish()
    yield AlterCollection(name, values, fixed, deleted, if_exists, span)


def drop(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """`DROP NAMED COLLECTION [IF EXISTS] name`."""
    if_exists = cursor.accept("IF", "EXISTS")
    name = cursor.identifier()
    yield from on_cluster(cursor)
    cursor.finish()
    yield DropCollection(name, if_exists, span)


def _values(cursor: Cursor) -> tuple[tuple[OptionValue, ...], tuple[str, ...]]:
    """The settings, and those that a table may not set otherwise."""
    values: list[OptionValue] = []
    fixed: list[str] = []
    while True:
        found = read_settings(cursor)
        values += [replace(one) for one in found]
        if cursor.accept("NOT", "OVERRIDABLE"):
            fixed.append(found[-1].key)
        else:
            cursor.accept("OVERRIDABLE")
        if not cursor.accept(","):
            return tuple(values), tuple(fixed)
