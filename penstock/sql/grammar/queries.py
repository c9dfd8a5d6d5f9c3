"""INSERT, queries by themselves, views, EXPLAIN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from penstock.sql.ddl import table_name
from penstock.sql.hints import hint_options
from penstock.sql.spans import node_span
from penstock.sql.statements import CreateView, Explain, Insert, Select
from penstock.sql.understood import check_understood

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlglot import exp

    from penstock.model.span import Span
    from penstock.sql.cursor import Cursor
    from penstock.sql.statements import Statement

_DETAILS = ("ESTIMATED_COST", "CHANGELOG_MODE", "JSON_EXECUTION_PLAN", "PLAN_ADVICE")


def insert(cursor: Cursor, first: int) -> Insert:
    """Behind INSERT, which is the token `first`."""
    overwrite = cursor.word("OVERWRITE")
    if not overwrite:
        cursor.expect("INTO")
    table = cursor.table()
    partition = _partition(cursor) if cursor.word("PARTITION") else ()
    columns = tuple(_columns(cursor))
    query = cursor.query()
    check_understood(query)
    return Insert(
        table_name(table),
        columns,
        cast(Any, query),
        cursor.text_since(first),
        node_span(table) or cursor.place,
        options=hint_options(table),
        partition=partition,
        overwrite=overwrite,
    )


def _partition(cursor: Cursor) -> tuple[tuple[str, exp.Expr], ...]:
    def pair() -> tuple[str, exp.Expr]:
        name = cursor.name("a partition column")
        cursor.expect("=")
        return name, cursor.expression_()

    return tuple(cursor.listed(pair))


def _columns(cursor: Cursor) -> list[str]:
    """The column list, unless the bracket opens the query."""
    opens = any(cursor.sees("(", word) for word in ("SELECT", "WITH", "VALUES", "("))
    if not cursor.sees("(") or opens:
        return []
    return cursor.listed(lambda: cursor.name("a column"))


def select(cursor: Cursor, first: int) -> Select:
    """A query by itself, from its first token."""
    cursor.rewind(first)
    span = cursor.place
    query = cursor.query()
    check_understood(query)
    return Select(cast(Any, query), cursor.text_since(first), span)


def create_view(cursor: Cursor, *, temporary: bool, span: Span) -> CreateView:
    """Behind the word VIEW."""
    if_not_exists = cursor.word("IF", "NOT", "EXISTS")
    name = cursor.path("the name of the view")
    columns = _view_columns(cursor) if cursor.sees("(") else ()
    comment = cursor.string("the comment") if cursor.word("COMMENT") else ""
    cursor.expect("AS")
    first = cursor.index
    query = cursor.select()
    text = cursor.text_since(first)
    return CreateView(name, columns, query, if_not_exists, span, temporary, comment, text)


def _view_columns(cursor: Cursor) -> tuple[str, ...]:
    def column() -> str:
        name = cursor.name("a column")
        if cursor.word("COMMENT"):
            cursor.string("the comment")
        return name

    return tuple(cursor.listed(column))


def explain(cursor: Cursor, span: Span, statement: Callable[[Cursor], Statement]) -> Explain:
    """Behind EXPLAIN; `statement` reads what is explained."""
    details: list[str] = []
    if not cursor.word("PLAN", "FOR"):
        while detail := cursor.one_of(_DETAILS):
            details.append(detail)
            if not cursor.word(","):
                break
    return Explain(statement(cursor), tuple(details), span)
