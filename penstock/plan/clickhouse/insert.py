"""Rows into a ClickHouse table: conversions, defaults, computed columns."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from penstock.errors import PenstockError, PlanError
from penstock.model.expression import Expr
from penstock.model.types import quote
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.scope import Field, Scope
from penstock.sql.clickhouse.casts import stored
from penstock.sql.clickhouse.types import default_sql, type_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.connectors.base import Connector, SinkSpec
    from penstock.model.span import Span
    from penstock.model.table import Column, Table
    from penstock.plan.language import Language


def targets(table: Table, names: tuple[str, ...], span: Span | None) -> tuple[Column, ...]:
    """The columns an INSERT fills: those it lists, else all that `*` has."""
    fillable = {c.name: c for c in table.columns if _fillable(c)}
    if not names:
        return tuple(column for column in fillable.values() if not column.hidden)
    for name, times in Counter(names).items():
        if times > 1 or name not in fillable:
            problem = "is filled twice" if times > 1 else "does not exist or cannot be filled"
            raise PlanError(
                "INVALID_QUERY",
                span=span,
                problem=f"Column `{name}` of table `{table.name}` {problem}.",
                instead=f"Columns that can be filled: {', '.join(fillable)}.",
            )
    return tuple(fillable[name] for name in names)


def matched(
    table: Table, given: tuple[Column, ...], fields: tuple[Field, ...], span: Span | None
) -> dict[str, Field]:
    """Columns by name, in the order of the query's."""
    if len(given) != len(fields):
        raise PlanError(
            "INSERT_COLUMN_COUNT",
            span=span,
            table=table.name,
            found=len(fields),
            expected=len(given),
            query_columns=", ".join(f"{f.name} {type_name(f.type)}" for f in fields),
            table_columns=", ".join(f"{c.name} {type_name(c.type)}" for c in given if c.type),
        )
    return {column.name: field for column, field in zip(given, fields, strict=True)}


def filled(
    table: Table, given: Mapping[str, Field], language: Language, span: Span | None
) -> tuple[tuple[str, Expr], ...]:
    """Every stored column: what is given in its type, else its DEFAULT, else its type's default."""
    values: dict[str, Expr] = {}
    for column in table.columns:
        if column.type is not None and column.name in given:
            field = given[column.name]
            values[column.name] = _converted(table, column, Expr(field.sql, field.type), span)
    for column in table.columns:
        if column.kind == "physical" and column.type is not None and column.name not in values:
            values[column.name] = _computed(table, column, values, language, span)
    kept = (c.name for c in table.columns if c.kind == "physical" and c.default_kind != "EPHEMERAL")
    return tuple((name, values[name]) for name in kept)


def _fillable(column: Column) -> bool:
    return column.kind == "physical" and column.default_kind != "MATERIALIZED"


def _converted(table: Table, column: Column, value: Expr, span: Span | None) -> Expr:
    assert column.type is not None  # noqa: S101 — checked by the caller
    try:
        return stored(value, column.type)
    except PenstockError:
        raise PlanError(
            "INSERT_TYPE_MISMATCH",
            span=span,
            table=table.name,
            position=1 + [c.name for c in table.columns].index(column.name),
            column=column.name,
            found=type_name(value.type),
            target=column.name,
            expected=type_name(column.type),
        ) from None


def _computed(
    table: Table,
    column: Column,
    values: Mapping[str, Expr],
    language: Language,
    span: Span | None,
) -> Expr:
    assert column.type is not None  # noqa: S101 — checked by the caller
    if column.default is None:
        return Expr(default_sql(column.type), column.type)
    known = tuple(Field(name, value.type, value.sql) for name, value in values.items())
    declared = tuple(
        Field(c.name, c.type, default_sql(c.type) if c.default is None else quote(c.name))
        for c in table.columns
        if c.type is not None and c.name not in values
    )
    compiler = ExpressionCompiler(Scope((("", (*known, *declared)),)), language)
    return _converted(table, column, compiler.compile(column.default), column.span or span)


def sink_of(connector: Connector, span: Span | None) -> SinkSpec:
    """The table as a sink; what stands against it has the statement as its place."""
    try:
        return connector.sink()
    except PenstockError as error:
        error.span = error.span or span
        raise
