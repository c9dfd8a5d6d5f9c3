"""DELETE and UPDATE of rows at rest → what becomes of them, asked of rows as they are stored.

All values of an UPDATE are made of the row as it was. A MATERIALIZED column follows the columns
that it is made of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PenstockError, PlanError
from penstock.plan.clickhouse.insert import filled
from penstock.plan.clickhouse.keys import is_key
from penstock.plan.clickhouse.partition import NONE, named_partition
from penstock.plan.clickhouse.refusals import invalid
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.scope import Field, Scope
from penstock.plan.steps import MutateRows
from penstock.sql.clickhouse.casts import cast_explicit
from penstock.sql.clickhouse.key_parts import dotted
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.connectors.merge_tree import MergeTree
    from penstock.model.span import Span
    from penstock.model.table import Column
    from penstock.plan.language import Language
    from penstock.sql.clickhouse.statements import Mutate, Mutation

# A word in the engine's name → how many of its columns say which row takes another's place
_DECIDING = {"Replacing": 1, "Collapsing": 2}


def mutated(table: MergeTree, language: Language, statement: Mutate) -> Iterator[MutateRows]:
    """One step for each part of the statement, one after the other."""
    for mutation in statement.mutations:
        partition = named_partition(table, language, mutation.partition)
        if partition == NONE:
            continue
        made = _Mutation(table, language, statement.span)
        where = made.condition(mutation.where)
        columns = tuple((name, where, value) for name, value in made.values(mutation))
        yield MutateRows(table.target, "" if columns else where, columns, partition)


class _Mutation:
    """What is asked of the rows of one table."""

    def __init__(self, table: MergeTree, language: Language, span: Span) -> None:
        self._connector, self._table = table, table.table
        self._language, self._span = language, span
        columns = table.scan().columns
        self._fields = {name: Field(name, type_, sql) for name, sql, type_ in columns}
        known = ((self._table.name, tuple(self._fields.values())),)
        self._compiler = ExpressionCompiler(Scope(known), language)

    def condition(self, where: exp.Expr) -> str:
        """Of the rows that go or change."""
        self._refuse_queries(where)
        return self._compiler.condition(where).sql

    def values(self, mutation: Mutation) -> Iterator[tuple[str, str]]:
        """The columns of UPDATE, and those that are made of them."""
        given = dict(self._given(mutation))
        yield from ((name, field.sql) for name, field in given.items())
        following = {c.name for c in self._table.columns if self._follows(c, set(given))}
        for name in following:
            if is_key(self._table, name):
                raise invalid(f"The column `{name}` of a key would change.", self._span)
        stored = {c.name for c in self._table.columns if c.default_kind != "MATERIALIZED"}
        kept = {name: field for name, field in self._fields.items() if name in stored}
        for name, value in filled(self._table, {**kept, **given}, self._language, self._span):
            if name in following:
                yield name, value.sql

    def _given(self, mutation: Mutation) -> Iterator[tuple[str, Field]]:
        columns = {column.name: column for column in self._table.columns}
        for at, (name, value, span) in enumerate(mutation.values):
            column = columns.get(name)
            if name in [earlier for earlier, *_ in mutation.values[:at]]:
                raise invalid(f"There are two values for column `{name}`.", span)
            if column is None or column.type is None or name not in self._fields:
                raise invalid(f"There is no column `{name}` in `{self._table.name}`.", span)
            self._check(column, span)
            self._refuse_queries(value)
            try:
                made = cast_explicit(self._compiler.compile(value), column.type)
            except PenstockError as error:
                error.span = error.span or node_span(value) or span
                raise
            yield name, Field(name, column.type, made.sql)

    def _check(self, column: Column, span: Span) -> None:
        """As in ClickHouse: what says which row is which stays."""
        target = self._connector.target
        count = next((n for word, n in _DECIDING.items() if word in target.engine), 0)
        if is_key(self._table, column.name) or column.name in target.columns[:count]:
            raise invalid(f"Cannot UPDATE key column `{column.name}`.", span)
        if column.default_kind in ("MATERIALIZED", "EPHEMERAL"):
            kind = column.default_kind.lower()
            raise invalid(f"Cannot UPDATE {kind} column `{column.name}`.", span)

    def _follows(self, column: Column, changed: set[str]) -> bool:
        """Whether a column is computed of others that change."""
        if column.default_kind != "MATERIALIZED" or column.default is None:
            return False
        named = {dotted(part) for part in column.default.find_all(exp.Column)}
        others = (c for c in self._table.columns if c.name in named and c is not column)
        return bool(named & changed) or any(self._follows(other, changed) for other in others)

    def _refuse_queries(self, expression: exp.Expr) -> None:
        for query in expression.find_all(exp.Query):
            raise PlanError(
                "UNSUPPORTED_QUERY",
                span=node_span(query) or self._span,
                feature="A query in DELETE or UPDATE",
                instead="Write the values, or rows with a sign or a version in place of others.",
            )
