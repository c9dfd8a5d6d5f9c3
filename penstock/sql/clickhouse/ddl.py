"""CREATE, ALTER and DROP of ClickHouse → statements; each reader stands behind the first words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import SqlError
from penstock.model.option import OptionValue
from penstock.model.table import Table
from penstock.sql.actions import (
    AddColumn,
    CommentColumn,
    DropColumn,
    ModifyColumn,
    RenameColumn,
    ResetTableOptions,
    SetTableOptions,
    StripColumn,
)
from penstock.sql.clickhouse.columns import column_list, read_column
from penstock.sql.clickhouse.engine import DEFAULT_OPTIONS, read_engine, read_settings
from penstock.sql.clickhouse.mutations import mutate, read_mutation, read_partition
from penstock.sql.clickhouse.statements import (
    CreateMaterializedView,
    CreateTableAs,
    DropPartition,
)
from penstock.sql.clickhouse.without_effect import identity, last_comment, on_cluster, security
from penstock.sql.statements import (
    AlterTable,
    AlterView,
    CreateDatabase,
    CreateTable,
    CreateView,
    Drop,
    DropDatabase,
    Note,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.model.span import Span
    from penstock.sql.actions import Action
    from penstock.sql.clickhouse.cursor import Cursor
    from penstock.sql.clickhouse.statements import AnyStatement


# What ALTER does to what only helps ClickHouse to find rows.
_FOUND_BY = (
    ("ADD", "CLEAR", "DROP", "MATERIALIZE"),
    ("INDEX", "PROJECTION", "STATISTICS"),
)


def create_database(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """`CREATE DATABASE [IF NOT EXISTS] name [ENGINE = …] [COMMENT …]`."""
    if_not_exists = cursor.accept("IF", "NOT", "EXISTS")
    name = cursor.database()
    yield from on_cluster(cursor)
    if cursor.accept("ENGINE"):
        cursor.expect("=")
        if cursor.word() not in ("ATOMIC", "ORDINARY", "LAZY", "MEMORY"):
            raise SqlError(
                "UNSUPPORTED_CLAUSE",
                span=cursor.span,
                clause=f"A database of the engine `{cursor.word()}`",
                instead="Leave the ENGINE out.",
            )
        cursor.identifier()
        cursor.items(cursor.number) if cursor.word() == "(" else None
    if cursor.accept("COMMENT"):
        cursor.string()
    cursor.finish()
    yield CreateDatabase(name, "DATABASE", if_not_exists, (), span)


def create_table(cursor: Cursor, span: Span, text: str) -> Iterator[AnyStatement]:
    """Behind CREATE TABLE."""
    if_not_exists = cursor.accept("IF", "NOT", "EXISTS")
    place = cursor.span
    name = cursor.name()
    yield from identity(cursor)
    columns, keys = column_list(cursor, name) if cursor.word() == "(" else ((), ())
    source = _source_table(cursor)
    options, comment = read_engine(cursor, keys)
    empty = cursor.accept("EMPTY")
    source = source or _source_table(cursor)
    if not source:
        options = options or DEFAULT_OPTIONS
    if not source and not cursor.done:
        comment = last_comment(cursor) or comment
    table = Table(name, columns, options=options, span=place, comment=comment)
    if source or not cursor.done:
        query = None
        if not source:
            cursor.expect("AS")
            query = cursor.query()
        cursor.finish()
        yield CreateTableAs(table, source, query, text, if_not_exists, span, empty)
        return
    if not columns:
        cursor.fail("expected the list of columns")
    yield CreateTable(table, if_not_exists, span)


def create_view(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind CREATE VIEW."""
    if_not_exists = cursor.accept("IF", "NOT", "EXISTS")
    name = cursor.name()
    yield from identity(cursor)
    columns = tuple(cursor.items(cursor.identifier)) if cursor.word() == "(" else ()
    yield from security(cursor)
    cursor.expect("AS")
    last_comment(cursor)
    written, query = cursor.rest(), cursor.query()
    yield CreateView(name, columns, query, if_not_exists, span, text=written)


def create_materialized_view(cursor: Cursor, span: Span, text: str) -> Iterator[AnyStatement]:
    """Behind CREATE MATERIALIZED VIEW."""
    if_not_exists = cursor.accept("IF", "NOT", "EXISTS")
    place = cursor.span
    name = cursor.name()
    yield from identity(cursor)
    if cursor.word() == "REFRESH":
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=cursor.span,
            clause="REFRESH",
            instead="Views are filled as rows arrive; leave it out.",
        )
    target = cursor.name() if cursor.accept("TO") else ""
    columns = column_list(cursor, name)[0] if cursor.word() == "(" else ()
    options, comment = read_engine(cursor)
    yield from security(cursor)
    populate = cursor.accept("POPULATE")
    yield from security(cursor)
    cursor.expect("AS")
    comment = last_comment(cursor) or comment
    if not target and not options:
        cursor.fail("expected `TO table` or `ENGINE = …`")
    written, query = cursor.rest(), cursor.query()
    table = None if target else Table(name, columns, options=options, span=place, comment=comment)
    yield CreateMaterializedView(
        name, target, table, query, written, populate, text, if_not_exists, place or span
    )


def drop(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind DROP."""
    if cursor.accept("DATABASE"):
        if_exists = cursor.accept("IF", "EXISTS")
        name = cursor.database()
        yield from _drop_end(cursor)
        yield DropDatabase(name, "DATABASE", if_exists, span, cascade=True)
        return
    cursor.accept("TEMPORARY")
    kind = cursor.word()
    if kind not in ("TABLE", "VIEW"):
        cursor.fail("TABLE, VIEW or DATABASE is expected")
    cursor.at += 1
    if_exists = cursor.accept("IF", "EXISTS")
    names = cursor.comma_list(cursor.name)
    yield from _drop_end(cursor)
    for name in names:
        yield Drop(name, if_exists, span, kind="VIEW" if kind == "VIEW" else "TABLE")


def alter_table(cursor: Cursor, span: Span) -> Iterator[AnyStatement]:
    """Behind ALTER TABLE."""
    place = cursor.span
    if_exists = cursor.accept("IF", "EXISTS")
    name = cursor.name()
    yield from on_cluster(cursor)
    if cursor.accept("MODIFY", "QUERY"):
        written = cursor.rest()
        yield AlterView(name, cursor.query(), "", place, written)
        return
    if cursor.word() == "DROP" and cursor.word(1) == "PARTITION":
        cursor.at += 1
        partition = read_partition(cursor)
        cursor.finish()
        yield DropPartition(name, partition, place)
        return
    if cursor.word() in ("DELETE", "UPDATE"):
        yield mutate(cursor, name, cursor.comma_list(lambda: read_mutation(cursor)), place)
        return
    notes: list[Note] = []
    actions = cursor.comma_list(lambda: [] if _is_storage(cursor, notes) else _action(cursor))
    cursor.finish()
    yield from notes
    flat = tuple(action for group in actions for action in group)
    yield AlterTable(name, flat, if_exists, place or span)


def _drop_end(cursor: Cursor) -> Iterator[Note]:
    yield from on_cluster(cursor)
    cursor.accept("SYNC")
    cursor.accept("NO", "DELAY")
    cursor.finish()


def _source_table(cursor: Cursor) -> str:
    """`AS [db.]table`, but not `AS SELECT …`."""
    if cursor.word() != "AS" or cursor.word(1) in ("SELECT", "WITH", "("):
        return ""
    cursor.at += 1
    return cursor.name()


def _is_storage(cursor: Cursor, notes: list[Note]) -> bool:
    """Step over what says only how ClickHouse finds rows; it is told as without effect."""
    span, words = cursor.span, (cursor.word(), cursor.word(1))
    if words[0] not in _FOUND_BY[0] or words[1] not in _FOUND_BY[1]:
        return False
    cursor.until(",")
    why = "it says how ClickHouse stores rows."
    notes.append(Note(f"ALTER TABLE … {' '.join(words)} has no effect: {why}", span))
    return True


def _action(cursor: Cursor) -> list[Action]:
    span = cursor.span
    if cursor.accept("ADD", "COLUMN"):
        if_not_exists = cursor.accept("IF", "NOT", "EXISTS")
        columns, _ = read_column(cursor)
        after = _after(cursor)
        return [AddColumn(column, after, if_not_exists) for column in columns]
    if cursor.accept("DROP", "COLUMN"):
        if_exists = cursor.accept("IF", "EXISTS")
        place = cursor.span
        return [DropColumn(cursor.column(), place, if_exists)]
    if (old_form := cursor.accept("ALTER", "COLUMN")) or cursor.accept("MODIFY", "COLUMN"):
        if_exists = cursor.accept("IF", "EXISTS")
        if old_form:
            _without_type(cursor)
        if cursor.word(1) == "REMOVE":
            return [_strip(cursor)]
        columns, _ = read_column(cursor)
        return [ModifyColumn(columns[0], _after(cursor), if_exists)]
    if cursor.accept("RENAME", "COLUMN"):
        if_exists = cursor.accept("IF", "EXISTS")
        place = cursor.span
        old = cursor.column()
        cursor.expect("TO")
        return [RenameColumn(old, cursor.column(), place, if_exists)]
    if cursor.accept("COMMENT", "COLUMN"):
        if_exists = cursor.accept("IF", "EXISTS")
        place = cursor.span
        return [CommentColumn(cursor.column(), cursor.string(), place, if_exists)]
    if cursor.accept("MODIFY", "TTL"):
        return [SetTableOptions((OptionValue("ttl", _ttl(cursor), span),))]
    if cursor.accept("REMOVE", "TTL"):
        return [ResetTableOptions(("ttl",))]
    if cursor.accept("MODIFY", "SETTING"):
        return [SetTableOptions(tuple(read_settings(cursor)))]
    if cursor.accept("RESET", "SETTING"):
        return [ResetTableOptions(tuple(cursor.comma_list(cursor.identifier)))]
    words = " ".join(token.text for token in cursor.tokens[cursor.at : cursor.at + 2])
    raise SqlError(
        "UNSUPPORTED_CLAUSE",
        span=span,
        clause=f"ALTER TABLE … {words}".rstrip(),
        instead="Supported: ADD, DROP, MODIFY, RENAME and COMMENT COLUMN, MODIFY and RESET "
        "SETTING, MODIFY QUERY, MODIFY and REMOVE TTL, DROP PARTITION, DELETE and UPDATE.",
    )


def _without_type(cursor: Cursor) -> None:
    """`ALTER COLUMN name TYPE type` is `MODIFY COLUMN name type`."""
    start = cursor.at
    cursor.column()
    if cursor.word() == "TYPE":
        del cursor.tokens[cursor.at]
    cursor.at = start


def _ttl(cursor: Cursor) -> str:
    """TTL up to the end of the statement: commas are between its rules."""
    return cursor.written()


def _strip(cursor: Cursor) -> StripColumn:
    """`name REMOVE what`."""
    place = cursor.span
    name = cursor.column()
    cursor.expect("REMOVE")
    what = cursor.word()
    if what not in ("COMMENT", "DEFAULT", "TTL"):
        cursor.fail("COMMENT, DEFAULT or TTL is expected")
    cursor.at += 1
    return StripColumn(name, what, place)  # type: ignore[arg-type]


def _after(cursor: Cursor) -> str | None:
    if cursor.accept("FIRST"):
        return ""
    return cursor.column() if cursor.accept("AFTER") else None
