"""The column list of CREATE TABLE and the columns of ALTER TABLE → `Column`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import SqlError
from penstock.model.table import Column
from penstock.sql.clickhouse.dialect import ClickHouse
from penstock.sql.clickhouse.quoting import back_quoted, identifier
from penstock.sql.clickhouse.type_reader import read_type
from penstock.sql.clickhouse.types import array_of, type_name

if TYPE_CHECKING:
    from penstock.model.types import DataType
    from penstock.sql.clickhouse.cursor import Cursor

_KINDS = ("DEFAULT", "MATERIALIZED", "EPHEMERAL", "ALIAS")
# What may follow a type or an expression within a column.
_STOPS = (",", *_KINDS, "COMMENT", "CODEC", "TTL", "PRIMARY KEY", "STATISTICS", "AFTER", "FIRST")
_UNTYPED = (*_KINDS, ",", ")")


@dataclass(slots=True)
class _Facts:
    """What a column says beside its name."""

    type: DataType | None
    column: Column
    is_key: bool = False


def column_list(cursor: Cursor, table: str) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """`(…)` of CREATE TABLE: the columns, and what is marked as PRIMARY KEY."""
    columns: list[Column] = []
    keys: list[str] = []

    def item() -> None:
        if not _skipped(cursor, keys):
            found, is_key = read_column(cursor)
            columns.extend(found)
            keys.extend(_as_key(found[0].name) for _ in range(is_key))

    cursor.items(item)
    _refuse_duplicates(table, columns)
    return tuple(columns), tuple(keys)


def _as_key(name: str) -> str:
    """A column as an expression, in which words of the grammar are no names."""
    is_word = name.upper() in ClickHouse.Tokenizer.KEYWORDS
    return back_quoted(name) if is_word else identifier(name)


def read_column(cursor: Cursor) -> tuple[tuple[Column, ...], bool]:
    """A column, whether it is the key; several columns where it is Nested."""
    span = cursor.span
    name = cursor.column()
    if cursor.word() == "NESTED":
        cursor.accept("NESTED")
        return _nested(cursor, name), False
    declared = None if cursor.word() in _UNTYPED else read_type(cursor, name)
    facts = _Facts(declared, Column(name, "physical", declared, span))
    while _detail(cursor, facts):
        pass
    if facts.column.kind == "physical" and facts.column.type is None and not facts.column.default:
        cursor.fail(f"column `{name}` has no type")
    return (facts.column,), facts.is_key


def _nested(cursor: Cursor, name: str) -> tuple[Column, ...]:
    """Nested(a T, b U) stands for the columns `n.a Array(T)` and `n.b Array(U)`."""

    def field() -> Column:
        span = cursor.span
        inner = f"{name}.{cursor.identifier()}"
        return Column(inner, "physical", array_of(read_type(cursor, inner)), span)

    return tuple(cursor.items(field))


def _detail(cursor: Cursor, facts: _Facts) -> bool:
    """Step over one more part of a column; False at its end."""
    column = facts.column
    if cursor.accept("NOT", "NULL"):
        return True
    if cursor.accept("NULL") and column.type:
        facts.column = replace(column, type=column.type.as_nullable())
        return True
    if cursor.word() in _KINDS:
        facts.column = _with_default(cursor, column)
        return True
    if cursor.accept("COMMENT"):
        facts.column = replace(facts.column, comment=cursor.string())
        return True
    if cursor.accept("PRIMARY KEY"):
        facts.is_key = True
        return True
    if cursor.word() in ("CODEC", "STATISTICS"):
        # How ClickHouse compresses and samples a column changes no row.
        cursor.at += 1
        cursor.until(*_STOPS)
        cursor.accept(")")
        return True
    if cursor.accept("TTL"):
        facts.column = replace(facts.column, ttl=cursor.expression(*_STOPS))
        return True
    return False


def _with_default(cursor: Cursor, column: Column) -> Column:
    kind = cursor.word()
    cursor.at += 1
    if kind == "EPHEMERAL" and (cursor.done or cursor.word() in (*_STOPS, ")")):
        return replace(column, default_kind="EPHEMERAL", hidden=True)
    expression = cursor.expression(*_STOPS)
    if kind == "ALIAS":
        if column.type:
            expression = _in_type(expression, type_name(column.type))
        return replace(column, kind="computed", expression=expression, hidden=True)
    hidden = kind != "DEFAULT"
    return replace(column, default=expression, default_kind=kind, hidden=hidden)  # type: ignore[arg-type]


def _in_type(expression: exp.Expr, name: str) -> exp.Expr:
    """The expression in a type, which one that SHOW CREATE TABLE gave has already."""
    if isinstance(expression, exp.CastToStrType) and expression.args["to"].name == name:
        return expression
    return exp.CastToStrType(this=expression, to=exp.Literal.string(name))


def _skipped(cursor: Cursor, keys: list[str]) -> bool:
    """Whether an item of the list is no column: keys, and what only makes ClickHouse faster."""
    if cursor.accept("PRIMARY KEY"):
        keys.append(cursor.written(","))
        return True
    ahead = cursor.word(1)
    if cursor.word() in ("INDEX", "PROJECTION") and ahead not in ("", ","):
        cursor.until(",")
        return True
    if cursor.word() == "CONSTRAINT" and cursor.word(2) == "ASSUME":
        cursor.until(",")
        return True
    if cursor.word() == "CONSTRAINT" and cursor.word(2) == "CHECK":
        raise SqlError(
            "UNSUPPORTED_CLAUSE",
            span=cursor.span,
            clause="CONSTRAINT … CHECK",
            instead="Filter the rows in the query that fills the table.",
        )
    return False


def _refuse_duplicates(table: str, columns: list[Column]) -> None:
    seen: set[str] = set()
    for column in columns:
        if column.name.startswith("__"):
            raise SqlError("RESERVED_NAME", span=column.span, table=table, column=column.name)
        if column.name in seen:
            raise SqlError("DUPLICATE_COLUMN", span=column.span, table=table, column=column.name)
        seen.add(column.name)
