"""SHOW and DESCRIBE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import SqlError
from penstock.sql.statements import Describe, Show

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.sql.cursor import Cursor

# what → whether FROM or IN may follow, or a name must, or neither
_LISTS: dict[tuple[str, ...], str] = {
    ("CATALOGS",): "",
    ("DATABASES",): "from",
    ("TABLES",): "from",
    ("VIEWS",): "from",
    ("USER", "FUNCTIONS"): "from",
    ("FUNCTIONS",): "from",
    ("COLUMNS",): "from table",
    ("PARTITIONS",): "name",
    ("CREATE", "TABLE"): "name",
    ("CREATE", "VIEW"): "name",
    ("CURRENT", "CATALOG"): "",
    ("CURRENT", "DATABASE"): "",
    ("JARS",): "",
    ("JOBS",): "",
    ("FULL", "MODULES"): "",
    ("MODULES",): "",
}


def show(cursor: Cursor, span: Span) -> Show:
    """Behind SHOW."""
    for words, follows in _LISTS.items():
        if cursor.word(*words):
            return _behind(cursor, " ".join(words), follows, span)
    return cursor.fail(f"expected one of {', '.join(' '.join(words) for words in _LISTS)}")


def _behind(cursor: Cursor, what: str, follows: str, span: Span) -> Show:
    of = ""
    if follows == "name" or (follows and cursor.one_of(("FROM", "IN"))):
        of = cursor.path("a name")
    elif follows == "from table":
        cursor.fail("expected FROM and the name of a table")
    if what == "PARTITIONS" and cursor.sees("PARTITION"):
        raise SqlError(
            "UNSUPPORTED_CLAUSE", span=cursor.place, clause="PARTITION (…) in SHOW", instead=""
        )
    negated = cursor.word("NOT")
    word = cursor.one_of(("LIKE", "ILIKE"))
    if not word:
        if negated:
            cursor.fail("expected LIKE")
        return Show(what, of, span)
    pattern = cursor.string("a pattern")
    return Show(what, of, span, pattern, negated, ignore_case=word == "ILIKE")


def describe(cursor: Cursor) -> Describe:
    """Behind DESCRIBE or DESC."""
    cursor.word("EXTENDED")
    first = cursor.index
    return Describe(cursor.path("the name of a table"), cursor.since(first))
