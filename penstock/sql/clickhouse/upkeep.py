"""What is done to tables that exist: ATTACH, DETACH, RENAME, DELETE, OPTIMIZE, SYSTEM …."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import SqlError
from penstock.sql.clickhouse.mutations import mutate, read_partition, read_rows
from penstock.sql.clickhouse.statements import (
    Attach,
    Detach,
    Exists,
    Optimize,
    RenameTables,
    System,
    Truncate,
)
from penstock.sql.clickhouse.without_effect import on_cluster
from penstock.sql.names import joined, parts_of
from penstock.sql.statements import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.model.span import Span
    from penstock.sql.clickhouse.cursor import Cursor
    from penstock.sql.clickhouse.statements import AnyStatement


# The name that a table has while another one takes its own.
_BETWEEN = "__exchanged"


def detach(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind DETACH."""
    _kind(cursor)
    if_exists = cursor.accept("IF", "EXISTS")
    name = cursor.name()
    yield from on_cluster(cursor)
    permanently = cursor.accept("PERMANENTLY")
    cursor.accept("SYNC")
    cursor.finish()
    yield Detach(name, if_exists, permanently, span)


def attach(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind ATTACH."""
    _kind(cursor)
    if_not_exists = cursor.accept("IF", "NOT", "EXISTS")
    name = cursor.name()
    yield from on_cluster(cursor)
    if not cursor.done:
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=cursor.span,
            clause="ATTACH with a definition",
            instead="Write CREATE TABLE.",
        )
    yield Attach(name, if_not_exists, span)


def _kind(cursor: Cursor) -> str:
    """TABLE or VIEW, which must come next."""
    cursor.accept("MATERIALIZED")
    kind = cursor.word()
    if kind not in ("TABLE", "VIEW"):
        cursor.fail("TABLE or VIEW is expected")
    cursor.at += 1
    return kind


def rename(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind RENAME."""
    cursor.expect("TABLE")
    pairs = cursor.comma_list(lambda: _pair(cursor))
    yield from on_cluster(cursor)
    cursor.finish()
    yield RenameTables(tuple(pairs), span)


def exchange(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind EXCHANGE: each has the other's name, in one statement."""
    cursor.expect("TABLES")
    one = cursor.name()
    cursor.expect("AND")
    other = cursor.name()
    yield from on_cluster(cursor)
    cursor.finish()
    between = joined([*parts_of(one)[:-1], _BETWEEN])
    yield RenameTables(((one, between), (other, one), (between, other)), span)


def _pair(cursor: Cursor) -> tuple[str, str]:
    old = cursor.name()
    cursor.expect("TO")
    return old, cursor.name()


def truncate(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind TRUNCATE."""
    cursor.accept("TABLE")
    if_exists = cursor.accept("IF", "EXISTS")
    name = cursor.name()
    yield from on_cluster(cursor)
    cursor.accept("SYNC")
    cursor.finish()
    yield Truncate(name, if_exists, span)


def delete(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind DELETE."""
    cursor.expect("FROM")
    place = cursor.span
    name = cursor.name()
    yield from on_cluster(cursor)
    yield mutate(cursor, name, [read_rows(cursor)], place)


def optimize(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind OPTIMIZE."""
    cursor.expect("TABLE")
    name = cursor.name()
    yield from on_cluster(cursor)
    partition = read_partition(cursor) if cursor.word() == "PARTITION" else None
    final = cursor.accept("FINAL")
    if cursor.word() == "DEDUPLICATE":
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=cursor.span,
            clause="OPTIMIZE … DEDUPLICATE",
            instead="Write OPTIMIZE TABLE name FINAL.",
        )
    cursor.finish()
    yield Optimize(name, final, span, partition)


def system(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind SYSTEM."""
    if cursor.accept("FLUSH", "LOGS"):
        cursor.at = len(cursor.tokens)
        yield Note("SYSTEM FLUSH LOGS has no effect: system tables tell what is there now.", span)
        return
    verb = cursor.word()
    if verb not in ("STOP", "START", "PAUSE", "CANCEL", "REFRESH"):
        cursor.fail("STOP, START, PAUSE, CANCEL, REFRESH or FLUSH LOGS is expected")
    cursor.at += 1
    everything = cursor.accept("ALL", "BACKGROUND")
    name = "" if everything else cursor.name()
    cursor.finish()
    yield System(verb, name, span)  # type: ignore[arg-type]


def exists(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind EXISTS."""
    cursor.accept("TEMPORARY")
    kind = cursor.word()
    if kind in ("TABLE", "VIEW", "DATABASE", "DICTIONARY"):
        cursor.at += 1
    else:
        kind = "TABLE"
    yield Exists(kind, cursor.name(), span)  # type: ignore[arg-type]
    cursor.finish()
