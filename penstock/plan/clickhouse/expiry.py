"""TTL of tables at rest and of their columns → what goes, asked where rows are merged.

As in ClickHouse a time of 0 never comes, and a date comes with its midnight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.connectors.merge_tree import MergeTree
from penstock.errors import PlanError
from penstock.plan.clickhouse.comparisons import truth
from penstock.plan.clickhouse.insert import filled
from penstock.plan.clickhouse.keys import is_key
from penstock.plan.clickhouse.refusals import invalid
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.scope import Field, Scope
from penstock.plan.steps import MutateRows
from penstock.sql.actions import AddColumn, ModifyColumn, SetTableOptions
from penstock.sql.clickhouse.ttl import read_ttl
from penstock.sql.clickhouse.types import type_name

if TYPE_CHECKING:
    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.model.table import Column, Table
    from penstock.plan.language import Language
    from penstock.plan.planning import Planning
    from penstock.sql.statements import AlterTable

_MOMENTS = ("DATE", "DATE32", "TIMESTAMP_LTZ")


def check_ttl(planning: Planning, name: str, span: Span | None) -> None:
    """Refuse a TTL that cannot be followed; note what of it says only how rows are stored."""
    connector = planning.catalog.table(name, span)
    option = _option(connector.table)
    marked = [column for column in connector.table.columns if column.ttl is not None]
    engine = connector.table.option("engine") or ""
    if (option or marked) and not engine.endswith("MergeTree"):
        raise invalid(f"An {engine} table has no TTL.", option.span if option else span)
    if not isinstance(connector, MergeTree):
        return
    for column in marked:
        if is_key(connector.table, column.name):
            raise invalid(f"The column `{column.name}` of a key has no TTL.", column.span)
    for ttl in read_ttl(option.value, option.span) if option else ():
        if ttl.storage and option:
            note = f"TTL … {ttl.storage} has no effect: it says how ClickHouse stores rows."
            planning.note(note, option.span)
    expired(connector, planning.language)


def expired(connector: MergeTree, language: Language) -> MutateRows | None:
    """What goes of the rows of a table when it is merged; None if nothing ever does."""
    made = _Expiry(connector, language)
    gone, columns = made.rows(), made.columns()
    return MutateRows(connector.target, gone, columns) if gone or columns else None


def changes_ttl(statement: AlterTable) -> bool:
    """Whether ALTER says anew when rows go: then it is asked of all that are there."""
    return any(
        any(option.key == "ttl" for option in action.options)
        if isinstance(action, SetTableOptions)
        else isinstance(action, AddColumn | ModifyColumn) and action.column.ttl is not None
        for action in statement.actions
    )


def names_in_ttl(table: Table, column: str) -> bool:
    """Whether a TTL of a table is made of a column."""
    option = _option(table)
    rules = read_ttl(option.value) if option else ()
    found = [part for ttl in rules for part in (ttl.expression, ttl.where) if part]
    found += [other.ttl for other in table.columns if other.ttl and other.name != column]
    return any(part.name == column for one in found for part in one.find_all(exp.Column))


class _Expiry:
    """The conditions of one table, over its columns as they are stored."""

    def __init__(self, connector: MergeTree, language: Language) -> None:
        self._table = connector.table
        self._option = _option(connector.table)
        self._language = language
        columns = connector.scan().columns
        self._fields = {name: Field(name, type_, sql) for name, sql, type_ in columns}

    def rows(self) -> str:
        """The condition of rows that go."""
        if self._option is None:
            return ""
        span = self._option.span
        rules = [ttl for ttl in read_ttl(self._option.value, span) if not ttl.storage]
        if sum(ttl.where is None for ttl in rules) > 1:
            raise invalid("Only one TTL of a table may be without WHERE.", span)
        terms = []
        for ttl in rules:
            term = self._is_past(ttl.expression, span)
            if ttl.where is not None:
                where = truth(self._compiler.compile(ttl.where)).sql
                term = f"({term} AND {where})"
            terms.append(term)
        return " OR ".join(terms)

    def columns(self) -> tuple[tuple[str, str, str], ...]:
        """Columns whose values go: their name, the condition, and what they have then."""
        return tuple(
            (column.name, self._is_past(column.ttl, column.span), self._default(column))
            for column in self._table.columns
            if column.ttl is not None
        )

    def _default(self, column: Column) -> str:
        given = {name: field for name, field in self._fields.items() if name != column.name}
        values = dict(filled(self._table, given, self._language, column.span))
        return values[column.name].sql

    @property
    def _compiler(self) -> ExpressionCompiler:
        return ExpressionCompiler(Scope((("", tuple(self._fields.values())),)), self._language)

    def _is_past(self, expression: exp.Expr, span: Span | None) -> str:
        try:
            moment = self._compiler.compile(expression)
        except PlanError as error:
            # Places inside the clause are not those of the script.
            error.span = span
            raise
        if moment.type.root not in _MOMENTS or moment.type.nullable:
            found = type_name(moment.type)
            raise invalid(f"A TTL is a Date, Date32, DateTime or DateTime64, not {found}.", span)
        if not any(True for _ in expression.find_all(exp.Column)):
            raise invalid("The TTL depends on no column of the table.", span)
        # A time past the range of its type is none: it never comes.
        seconds = f"penstock_try(unix_seconds(CAST({moment.sql} AS TIMESTAMP)))"
        return f"({seconds} <> 0 AND {seconds} <= unix_seconds(current_timestamp()))"


def _option(table: Table) -> OptionValue | None:
    return next((one for one in table.options if one.key == "ttl"), None)
