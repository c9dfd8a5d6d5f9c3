"""Rows that stand in the script, behind INSERT INTO … VALUES or … FORMAT → a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.connectors.inline import InlineSource, inline_scan
from penstock.errors import PenstockError, PlanError
from penstock.model.span import Span
from penstock.model.types import quote
from penstock.plan.clickhouse.literals import as_written
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.nodes import Scan, Values
from penstock.plan.scope import Field, Scope
from penstock.sql.clickhouse.casts import cast, stored
from penstock.sql.clickhouse.cursor import Cursor
from penstock.sql.clickhouse.dialect import ClickHouse
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.model.expression import Expr
    from penstock.model.option import OptionValue
    from penstock.model.table import Column
    from penstock.model.types import DataType
    from penstock.plan.language import Language
    from penstock.sql.clickhouse.statements import InsertRows

_VALUES = "values"
# What rows are read behind.
_BEFORE = "VALUES "


def rows_of(
    statement: InsertRows,
    columns: tuple[Column, ...],
    language: Language,
    settings: Iterable[OptionValue],
) -> Values | Scan:
    """The rows, each value in the type of its column; NULL where a DEFAULT is to be taken."""
    if not statement.data.strip():
        raise _invalid(statement, "there is no data behind it", statement.span)
    if statement.format.lower() == _VALUES:
        return _values(statement, columns, language)
    return _data(statement, columns, settings)


def _data(
    statement: InsertRows, columns: tuple[Column, ...], settings: Iterable[OptionValue]
) -> Scan:
    fields = tuple((column.name, _read_type(statement, column)) for column in columns)
    source = InlineSource(statement.format, statement.data)
    spec = inline_scan(statement.table, fields, source, settings, statement.span)
    return Scan("", spec, (), tuple(Field(name, type_, quote(name)) for name, type_ in fields))


def _read_type(statement: InsertRows, column: Column) -> DataType:
    """The type that a column is read in: with NULLs where it may be missing and has a DEFAULT."""
    assert column.type is not None  # noqa: S101 — a column that INSERT fills has a type
    if column.default is None:
        return column.type
    if column.type.nullable:
        raise PlanError(
            "UNSUPPORTED_QUERY",
            span=statement.span,
            feature=f"INSERT … FORMAT {statement.format} into `{column.name}`, which is Nullable "
            "and has a DEFAULT,",
            instead="List the columns without it, or write INSERT INTO … VALUES.",
        )
    return column.type.as_nullable()


def _values(statement: InsertRows, columns: tuple[Column, ...], language: Language) -> Values:
    try:
        rows = _rows(statement, columns, language)
    except PenstockError as error:
        error.span = _in_script(statement, error.span)
        raise
    fields = tuple(
        Field(column.name, _cell_type(column), quote(f"c{i}")) for i, column in enumerate(columns)
    )
    return Values(rows, fields)


def _rows(
    statement: InsertRows, columns: tuple[Column, ...], language: Language
) -> tuple[tuple[Expr, ...], ...]:
    compiler = ExpressionCompiler(Scope(()), language)
    rows = []
    for row in _read(statement).expressions:
        items = [_value(item) for item in row.expressions]
        if len(items) != len(columns):
            problem = f"a row has {len(items)} values for {len(columns)} columns"
            raise _invalid(statement, problem, node_span(row))
        pairs = zip(items, columns, strict=True)
        rows.append(tuple(_stored(statement, compiler, *pair) for pair in pairs))
    return tuple(rows)


def _read(statement: InsertRows) -> exp.Values:
    text = f"{_BEFORE}{statement.data}"
    return Cursor(ClickHouse().tokenize(text), text).values()


def _in_script(statement: InsertRows, span: Span | None) -> Span:
    """Where in the script something stands whose place in the rows, as they are read, is known."""
    start = statement.data_span
    if span is None or start is None:
        return statement.span
    first = start.column - 1 - len(_BEFORE) if span.line == 1 else 0
    return Span(span.line + start.line - 1, span.column + first, span.length)


def _cell_type(column: Column) -> DataType:
    assert column.type is not None  # noqa: S101 — a column that INSERT fills has a type
    return column.type if column.default is None else column.type.as_nullable()


def _value(item: exp.Expr) -> exp.Expr:
    """sqlglot wraps each value of a row into a tuple of its own."""
    if isinstance(item, exp.Tuple) and len(item.expressions) == 1:
        inner: exp.Expr = item.expressions[0]
        return inner
    return item


def _stored(
    statement: InsertRows, compiler: ExpressionCompiler, item: exp.Expr, column: Column
) -> Expr:
    type_ = _cell_type(column)
    if isinstance(item, exp.Column | exp.Var) and item.name.upper() == "DEFAULT":
        if column.default is not None and column.type and column.type.nullable:
            raise _invalid(
                statement,
                f"DEFAULT for `{column.name}`, which may be NULL; leave the column out",
                node_span(item),
            )
        item = exp.Null()
    try:
        value = compiler.compile(as_written(item, type_))
        return stored(value, type_) if column.default is None else cast(value, type_)
    except PlanError as error:
        if error.code == "UNKNOWN_COLUMN":
            raise _no_constant(item, error) from None
        error.span = error.span or node_span(item)
        raise


def _no_constant(item: exp.Expr, error: PlanError) -> PlanError:
    return PlanError(
        "INVALID_QUERY",
        span=error.span,
        problem=f"`{item.sql(dialect='clickhouse')}` in VALUES names a column, and there is none.",
        instead="A value is made of constants; a text stands in single quotes.",
    )


def _invalid(statement: InsertRows, problem: str, span: Span | None) -> PlanError:
    return PlanError(
        "INVALID_QUERY",
        span=span,
        problem=f"INSERT INTO `{statement.table}`: {problem}.",
        instead="",
    )
