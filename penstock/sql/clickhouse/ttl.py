"""TTL of a table: its text → when which rows go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import SqlError
from penstock.sql.clickhouse.cursor import Cursor
from penstock.sql.clickhouse.dialect import ClickHouse

if TYPE_CHECKING:
    from sqlglot import exp

    from penstock.model.span import Span

_STOPS = (",", "DELETE", "WHERE", "TO", "RECOMPRESS", "GROUP BY", "SET")


@dataclass(frozen=True, slots=True)
class Ttl:
    """Rows of `where` go when the time of `expression` has come.

    With `storage`, which says how ClickHouse stores older rows from then on, none go.
    """

    expression: exp.Expr
    where: exp.Expr | None = None
    storage: str = ""


def read_ttl(text: str, span: Span | None = None) -> tuple[Ttl, ...]:
    """`expression [DELETE] [WHERE …], …`; what is wrong is at the clause, `span`."""
    cursor = Cursor(ClickHouse().tokenize(text), text)
    try:
        found = tuple(cursor.comma_list(lambda: _item(cursor)))
        cursor.finish()
    except SqlError as error:
        # Places inside the text are not those of the script.
        error.span = span or error.span
        raise
    return found


def _item(cursor: Cursor) -> Ttl:
    expression = cursor.expression(*_STOPS)
    if cursor.word() == "GROUP BY":
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=cursor.span,
            clause="TTL … GROUP BY",
            instead="Keep the aggregates in a table of their own, which a materialized view fills.",
        )
    if cursor.word() in ("TO", "RECOMPRESS"):
        return Ttl(expression, storage=cursor.written(","))
    cursor.accept("DELETE")
    where = cursor.expression(",") if cursor.accept("WHERE") else None
    return Ttl(expression, where)
