"""What a script says, statement by statement: the output of `sql.parse`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from sqlglot import exp

    from penstock.errors import PenstockError
    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.model.table import Table
    from penstock.sql.actions import Action


@dataclass(frozen=True, slots=True)
class Like:
    """`LIKE table (INCLUDING OPTIONS, …)`: what is taken over, as (feature, strategy) pairs."""

    table: str
    choices: tuple[tuple[str, str], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class CreateTable:
    """`CREATE TABLE`; with `query` it is filled at once, its columns are then the query's.

    `column_names` is the bare column list that may stand before AS.
    """

    table: Table
    if_not_exists: bool
    span: Span
    temporary: bool = False
    like: Like | None = None
    query: exp.Query | exp.Values | None = None
    column_names: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class CreateView:
    """`CREATE VIEW name [(columns)] AS query`."""

    name: str
    columns: tuple[str, ...]
    query: exp.Query
    if_not_exists: bool
    span: Span
    temporary: bool = False
    comment: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Insert:
    """`INSERT INTO table [PARTITION (…)] [(columns)] query`; `text` is what the script wrote.

    `options` are those of a hint behind the table, `partition` the columns with one value each.
    """

    table: str
    columns: tuple[str, ...]
    query: exp.Query
    text: str
    span: Span
    options: tuple[OptionValue, ...] = ()
    partition: tuple[tuple[str, exp.Expr], ...] = ()
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class SetOption:
    """`SET 'key' = 'value'`; an empty key asks for all that is set."""

    key: str
    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class ResetOption:
    """`RESET 'key'`, or `RESET` for all of them (an empty key)."""

    key: str
    span: Span


@dataclass(frozen=True, slots=True)
class Drop:
    """`DROP TABLE name` or `DROP VIEW name`."""

    name: str
    if_exists: bool
    span: Span
    kind: Literal["TABLE", "VIEW"] = "TABLE"
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class CreateDatabase:
    """`CREATE DATABASE name`, or `CREATE CATALOG name` with `kind` "CATALOG"."""

    name: str
    kind: Literal["DATABASE", "CATALOG"]
    if_not_exists: bool
    options: tuple[OptionValue, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class DropDatabase:
    """`DROP DATABASE name` or `DROP CATALOG name`."""

    name: str
    kind: Literal["DATABASE", "CATALOG"]
    if_exists: bool
    span: Span
    cascade: bool = False


@dataclass(frozen=True, slots=True)
class AlterDatabase:
    """`ALTER DATABASE name SET (…)`: kept, without effect."""

    name: str
    options: tuple[OptionValue, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class CreateFunction:
    """`CREATE FUNCTION name AS 'module.function' LANGUAGE PYTHON`."""

    name: str
    implementation: str
    language: str
    if_not_exists: bool
    span: Span
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class DropFunction:
    """`DROP FUNCTION name`."""

    name: str
    if_exists: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Use:
    """`USE [catalog.]database` or `USE CATALOG name`."""

    name: str
    kind: Literal["DATABASE", "CATALOG"]
    span: Span


@dataclass(frozen=True, slots=True)
class AlterTable:
    """`ALTER TABLE name action, …`, one action after the other."""

    name: str
    actions: tuple[Action, ...]
    if_exists: bool
    span: Span


@dataclass(frozen=True, slots=True)
class AlterView:
    """`ALTER VIEW name RENAME TO other` (`rename`) or `ALTER VIEW name AS query`.

    `written` is the query as it was written, where that is needed.
    """

    name: str
    query: exp.Query | None
    rename: str
    span: Span
    written: str = ""


@dataclass(frozen=True, slots=True)
class Show:
    """`SHOW what [FROM of] [LIKE pattern]`; `what` is upper case: TABLES, CREATE TABLE, COLUMNS."""

    what: str
    of: str
    span: Span
    like: str | None = None
    negated: bool = False
    ignore_case: bool = False


@dataclass(frozen=True, slots=True)
class Describe:
    """`DESCRIBE table`."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Explain:
    """`EXPLAIN [PLAN FOR | details] statement`."""

    statement: Statement
    details: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Select:
    """A query by itself: its rows are the result."""

    query: exp.Query
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Mistake:
    """A statement that could not be read; the script goes on behind it.

    `creates` is the name it would have created, so that its uses are not mistakes too.
    """

    error: PenstockError
    creates: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Something the script says that changes nothing here."""

    text: str
    span: Span


Statement: TypeAlias = (
    CreateTable
    | CreateView
    | CreateDatabase
    | AlterTable
    | AlterView
    | AlterDatabase
    | Drop
    | DropDatabase
    | CreateFunction
    | DropFunction
    | Use
    | Insert
    | Select
    | Show
    | Describe
    | Explain
    | SetOption
    | ResetOption
    | Note
    | Mistake
)


@dataclass(frozen=True, slots=True)
class Script:
    """What was read: its statements in order, the dialect they were read in, and why that one."""

    statements: tuple[Statement, ...]
    dialect: str
    reason: str
