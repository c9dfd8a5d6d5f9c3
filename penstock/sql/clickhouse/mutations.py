"""DELETE and UPDATE of rows, and the PARTITION that they and other statements name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.sql.clickhouse.engine import read_settings
from penstock.sql.clickhouse.statements import Mutate, Mutation, Partition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlglot import exp

    from penstock.model.span import Span
    from penstock.sql.clickhouse.cursor import Cursor


def read_mutation(cursor: Cursor) -> Mutation:
    """`DELETE [IN PARTITION …] WHERE …` or `UPDATE column = value, … [IN PARTITION …] WHERE …`."""
    is_update = cursor.word() == "UPDATE"
    cursor.at += 1
    values = tuple(cursor.comma_list(lambda: _assignment(cursor))) if is_update else ()
    return read_rows(cursor, values)


def read_rows(cursor: Cursor, values: tuple[tuple[str, exp.Expr, Span], ...] = ()) -> Mutation:
    """`[IN PARTITION …] WHERE …`, which a comma may follow."""
    partition = read_partition(cursor) if cursor.accept("IN") else None
    cursor.expect("WHERE")
    return Mutation(cursor.expression(",", "SETTINGS"), values, partition)


def mutate(cursor: Cursor, name: str, mutations: Iterable[Mutation], span: Span) -> Mutate:
    """The statement, to whose end perhaps SETTINGS are left."""
    settings = tuple(read_settings(cursor)) if cursor.accept("SETTINGS") else ()
    cursor.finish()
    return Mutate(name, tuple(mutations), span, settings)


def _assignment(cursor: Cursor) -> tuple[str, exp.Expr, Span]:
    span, name = cursor.span, cursor.column()
    cursor.expect("=")
    return name, cursor.expression(",", "IN PARTITION", "WHERE"), span


def read_partition(cursor: Cursor) -> Partition:
    """`PARTITION value`, `PARTITION ID '…'` or `PARTITION ALL`."""
    cursor.expect("PARTITION")
    span = cursor.span
    if cursor.accept("ALL"):
        return Partition(None, "", span)
    if cursor.accept("ID"):
        return Partition(None, cursor.string(), span)
    return Partition(cursor.expression("FINAL", "DEDUPLICATE", "WHERE"), "", span)
