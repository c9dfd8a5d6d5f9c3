"""CREATE TABLE: columns, watermark, primary key, options, LIKE, AS."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from penstock.errors import SqlError
from penstock.model.table import Column, Table, Watermark
from penstock.sql.grammar.mistakes import Mistakes
from penstock.sql.statements import CreateTable, Like
from penstock.sql.types import data_type

if TYPE_CHECKING:
    from sqlglot import exp

    from penstock.model.span import Span
    from penstock.sql.cursor import Cursor

FEATURES = (
    *("ALL", "CONSTRAINTS", "DISTRIBUTION", "GENERATED", "METADATA", "OPTIONS"),
    *("PARTITIONS", "WATERMARKS"),
)
_OVERWRITABLE = ("GENERATED", "METADATA", "OPTIONS", "WATERMARKS")


@dataclass(slots=True)
class Declared:
    """What stands between the brackets of CREATE TABLE or of ALTER TABLE … ADD."""

    columns: list[Column] = field(default_factory=list)
    positions: list[str | None] = field(default_factory=list)
    watermark: Watermark | None = None
    primary_key: tuple[str, ...] = ()
    key_span: Span | None = None
    bare_names: list[tuple[str, Span]] = field(default_factory=list)
    mistakes: Mistakes = field(default_factory=Mistakes)


def create_table(cursor: Cursor, *, temporary: bool, span: Span) -> CreateTable:
    """Behind the word TABLE."""
    if_not_exists = cursor.word("IF", "NOT", "EXISTS")
    first = cursor.index
    name = cursor.path("the name of the table")
    place = cursor.since(first)
    declared = Declared()
    if cursor.sees("("):
        cursor.listed(lambda: element(cursor, declared), empty=True)
    comment = cursor.string("the comment") if cursor.word("COMMENT") else ""
    partitioned_by = _partitions(cursor)
    options = cursor.options() if cursor.word("WITH") else ()
    like, query, text = _source(cursor)
    _check(declared, name, with_names=query is not None)
    table = Table(
        name=name,
        columns=tuple(declared.columns),
        options=options,
        watermark=declared.watermark,
        primary_key=declared.primary_key,
        span=place,
        comment=comment,
        partitioned_by=partitioned_by,
        key_span=declared.key_span,
    )
    names = tuple(bare for bare, _ in declared.bare_names)
    return CreateTable(table, if_not_exists, span, temporary, like, query, names, text)


def _source(cursor: Cursor) -> tuple[Like | None, exp.Query | exp.Values | None, str]:
    if cursor.word("LIKE"):
        return _like(cursor), None, ""
    if cursor.word("AS"):
        first = cursor.index
        query = cursor.query()
        return None, query, cursor.text_since(first)
    return None, None, ""


def _like(cursor: Cursor) -> Like:
    first = cursor.index
    table = cursor.path("the name of a table")
    span = cursor.since(first)
    choices: list[tuple[str, str]] = []
    if cursor.word("("):
        while not cursor.word(")"):
            strategy = cursor.one_of(("INCLUDING", "EXCLUDING", "OVERWRITING"))
            if not strategy:
                cursor.fail("expected INCLUDING, EXCLUDING, OVERWRITING or )")
            allowed = _OVERWRITABLE if strategy == "OVERWRITING" else FEATURES
            feature = cursor.one_of(allowed)
            if not feature:
                cursor.fail(f"expected one of {', '.join(allowed)}")
            if feature in dict(choices):
                cursor.fail(f"{feature} has a strategy already")
            choices.append((feature, strategy))
    return Like(table, tuple(choices), span)


def _partitions(cursor: Cursor) -> tuple[str, ...]:
    if cursor.sees("DISTRIBUTED"):
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=cursor.place,
            clause="DISTRIBUTED",
            instead="Leave it out; Kafka distributes by key ('key.format', 'key.fields').",
        )
    if not cursor.word("PARTITIONED BY"):
        return ()
    return tuple(cursor.listed(lambda: cursor.name("a column")))


def element(cursor: Cursor, declared: Declared) -> None:
    """One part of the brackets: a column, a watermark, a primary key."""
    first = cursor.index
    if cursor.sees("WATERMARK") and not cursor.sees("WATERMARK", "AS"):
        _watermark(cursor, declared)
    elif cursor.sees("CONSTRAINT") or cursor.sees("PRIMARY KEY"):
        _constraint_name(cursor)
        cursor.expect("PRIMARY KEY")
        columns = cursor.listed(lambda: cursor.name("a column"))
        _not_enforced(cursor)
        _set_key(declared, tuple(columns), cursor.since(first))
    else:
        _column(cursor, declared)


def _watermark(cursor: Cursor, declared: Declared) -> None:
    first = cursor.index
    cursor.expect("WATERMARK")
    cursor.watermark_name()
    cursor.expect("FOR")
    start = cursor.index
    column = cursor.path("the time column")
    span = cursor.since(start)
    cursor.expect("AS")
    expression = cursor.watermark_expression()
    if declared.watermark:
        declared.mistakes.add(
            SqlError(
                "UNSUPPORTED_CLAUSE",
                span=cursor.since(first),
                clause="A second WATERMARK declaration",
                instead="A table has at most one WATERMARK.",
            )
        )
    declared.watermark = Watermark(column, expression, span)


def _constraint_name(cursor: Cursor) -> None:
    if cursor.word("CONSTRAINT"):
        cursor.name("the name of the constraint")


def _not_enforced(cursor: Cursor) -> None:
    span = cursor.place
    if cursor.word("NOT", "ENFORCED"):
        return
    if cursor.word("ENFORCED") or cursor.KEY_MUST_SAY_NOT_ENFORCED:
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=span,
            clause="A PRIMARY KEY that is ENFORCED",
            instead="Write PRIMARY KEY (…) NOT ENFORCED: Penstock does not own the data and "
            "cannot enforce it; without these words ENFORCED is meant.",
        )


def _set_key(declared: Declared, columns: tuple[str, ...], span: Span) -> None:
    if declared.primary_key:
        declared.mistakes.add(
            SqlError(
                "UNSUPPORTED_CLAUSE",
                span=span,
                clause="A second PRIMARY KEY",
                instead="Name all columns of the key in one PRIMARY KEY (a, b) NOT ENFORCED.",
            )
        )
    declared.primary_key, declared.key_span = columns, span


def _column(cursor: Cursor, declared: Declared) -> None:
    first = cursor.index
    name = cursor.name("a column")
    span = cursor.since(first)
    if cursor.sees(",") or cursor.sees(")"):
        declared.bare_names.append((name, span))
        return
    if cursor.word("AS"):
        column = Column(name, "computed", None, span, cursor.expression_())
        column = _commented(cursor, column)
    else:
        column = _typed(cursor, declared, name, span)
    declared.columns.append(column)
    declared.positions.append(_position(cursor))


def _typed(cursor: Cursor, declared: Declared, name: str, span: Span) -> Column:
    node = cursor.type_()
    first = cursor.index
    if cursor.sees("CONSTRAINT") or cursor.sees("PRIMARY KEY"):
        _constraint_name(cursor)
        cursor.expect("PRIMARY KEY")
        _not_enforced(cursor)
        _set_key(declared, (name,), cursor.since(first))
    kind, key, virtual = cursor.column_attribute(name)
    try:
        type_ = data_type(node, name)
    except SqlError as error:
        declared.mistakes.add(error)
        type_ = None
    if kind == "metadata":
        column = Column(name, "metadata", type_, span, None, key, virtual=virtual)
    else:
        column = Column(name, "physical", type_, span)
    return _commented(cursor, column)


def _commented(cursor: Cursor, column: Column) -> Column:
    if not cursor.word("COMMENT"):
        return column
    return replace(column, comment=cursor.string("the comment"))


def _position(cursor: Cursor) -> str | None:
    if cursor.word("FIRST"):
        return ""
    return cursor.name("a column") if cursor.word("AFTER") else None


def _check(declared: Declared, table: str, *, with_names: bool) -> None:
    """Refuse what contradicts itself; all mistakes of the brackets are told together."""
    if declared.bare_names and (declared.columns or not with_names):
        declared.mistakes.add(
            SqlError(
                "SYNTAX_ERROR",
                span=declared.bare_names[0][1],
                problem=f"Column `{declared.bare_names[0][0]}` has no type.",
                dialect_note="Write its type after the name, or AS and an expression.",
            )
        )
    check_columns(declared, table)
    declared.mistakes.raise_all()


def check_columns(declared: Declared, table: str) -> None:
    """Names are unique and not Penstock's own; the key's columns exist."""
    seen: set[str] = set()
    for column in declared.columns:
        if column.name.startswith("__"):
            declared.mistakes.add(
                SqlError("RESERVED_NAME", span=column.span, table=table, column=column.name)
            )
        if column.name in seen:
            declared.mistakes.add(
                SqlError("DUPLICATE_COLUMN", span=column.span, table=table, column=column.name)
            )
        seen.add(column.name)
