"""Rows into a ClickHouse table: conversions, defaults, computed columns."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.connectors.merge_rules import PARTITION
from penstock.errors import PenstockError, PlanError
from penstock.model.expression import Expr
from penstock.model.types import literal
from penstock.plan.clickhouse.partition import partition_id
from penstock.plan.clickhouse.randoms import drawn_again, draws
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.scope import Field, Scope
from penstock.sql.clickhouse.casts import cast, stored
from penstock.sql.clickhouse.key_parts import dotted
from penstock.sql.clickhouse.types import default_sql, type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from penstock.connectors.base import Connector, SinkSpec
    from penstock.model.span import Span
    from penstock.model.table import Column, Table
    from penstock.model.types import DataType
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
    filling = _Filling(table, given, language, span)
    kept = [c.name for c in table.columns if c.kind == "physical" and c.default_kind != "EPHEMERAL"]
    return tuple((name, filling.stored(name)) for name in kept)


class _Filling:
    """The columns of one row, each computed when it, or a DEFAULT that names it, is asked for."""

    def __init__(
        self, table: Table, given: Mapping[str, Field], language: Language, span: Span | None
    ) -> None:
        self._table = table
        self._columns = {column.name: column for column in table.columns}
        self._given = given
        self._language = language
        self._span = span
        self._values: dict[str, Expr] = {}
        self._open: list[str] = []

    def value(self, name: str) -> Expr:
        """One column, in its type."""
        if name in self._open:
            raise PlanError(
                "INVALID_QUERY",
                span=self._columns[name].span or self._span,
                problem=f"The default of `{name}` needs itself: {' → '.join(self._open)} → {name}.",
                instead="",
            )
        if name not in self._values:
            self._open.append(name)
            self._values[name] = self._made(self._columns[name])
            self._open.pop()
        return self._values[name]

    def stored(self, name: str) -> Expr:
        """One column as it is kept: the arrays of a Nested have one length."""
        value = self.value(name)
        others = [one for one in self._nested(name) if one in self._given]
        if name not in self._given or others[:1] == [name] or not others:
            return value
        first = self.value(others[0]).sql
        problem = literal(
            f"Elements `{others[0]}` and `{name}` of Nested data structure "
            "have different array sizes."
        )
        same = f"size({value.sql}) = size({first})"
        return Expr(f"if({same}, {value.sql}, raise_error({problem}))", value.type)

    def _nested(self, name: str) -> list[str]:
        """The columns of the Nested that a column is of."""
        group, point, _ = name.rpartition(".")
        columns = self._columns.values()
        nested = [c.name for c in columns if c.type and c.type.root == "ARRAY"]
        return [one for one in nested if point and one.rpartition(".")[0] == group]

    def _made(self, column: Column) -> Expr:
        field = self._given.get(column.name)
        if field is None:
            return self._default(column)
        value = Expr(field.sql, field.type)
        if column.default is None or column.type is None or column.type.nullable:
            return self._converted(column, value, stored)
        # A NULL where none can be is taken for a value that is not given.
        found = self._converted(column, value, cast)
        if not found.type.nullable:
            return found
        return Expr(f"coalesce({found.sql}, {self._default(column).sql})", column.type)

    def _default(self, column: Column) -> Expr:
        expression = column.default if column.expression is None else column.expression
        if expression is None:
            assert column.type is not None  # noqa: S101 — what has no type has an expression
            given = next((one for one in self._nested(column.name) if one in self._given), None)
            if given is None:
                return Expr(default_sql(column.type), column.type)
            element = default_sql(column.type.children[0][1])
            return Expr(f"transform({self.value(given).sql}, x -> {element})", column.type)
        named = {part.name for part in expression.find_all(exp.Identifier)}
        named |= {dotted(part) for part in expression.find_all(exp.Column)}
        values = ((name, self.value(name)) for name in self._columns if name in named)
        known = tuple(Field(name, value.type, value.sql) for name, value in values)
        if drawn := next((field.name for field in known if draws(field.sql)), None):
            raise drawn_again(drawn, column.span or self._span)
        compiler = ExpressionCompiler(Scope((("", known),)), self._language)
        found = compiler.compile(expression)
        return found if column.type is None else self._converted(column, found, stored)

    def _converted(
        self, column: Column, value: Expr, convert: Callable[[Expr, DataType], Expr]
    ) -> Expr:
        assert column.type is not None  # noqa: S101 — a column that is stored has a type
        try:
            return convert(value, column.type)
        except PenstockError:
            raise PlanError(
                "INSERT_TYPE_MISMATCH",
                span=self._span,
                table=self._table.name,
                position=1 + list(self._columns).index(column.name),
                column=column.name,
                found=type_name(value.type),
                target=column.name,
                expected=type_name(column.type),
            ) from None


def _fillable(column: Column) -> bool:
    return column.kind == "physical" and column.default_kind != "MATERIALIZED"


def sink_of(connector: Connector, language: Language, span: Span | None) -> SinkSpec:
    """The table as a sink; what stands against it has the statement as its place."""
    try:
        spec = connector.sink()
    except PenstockError as error:
        error.span = error.span or span
        raise
    partition = partition_id(connector, language)
    return replace(spec, columns=(*spec.columns, (PARTITION, partition))) if partition else spec
