"""What a script says, statement by statement: the output of `sql.parse`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from sqlglot import exp

    from penstock.errors import PenstockError
    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.model.table import Column, Table, Watermark


@dataclass(frozen=True, slots=True)
class CreateTable:
    """`CREATE TABLE`."""

    table: Table
    if_not_exists: bool
    span: Span


@dataclass(frozen=True, slots=True)
class CreateView:
    """`CREATE VIEW name [(columns)] AS query`."""

    name: str
    columns: tuple[str, ...]
    query: exp.Query
    if_not_exists: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Insert:
    """`INSERT INTO table [(columns)] query`; `text` is what the script wrote."""

    table: str
    columns: tuple[str, ...]
    query: exp.Query
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class SetOption:
    """`SET 'key' = 'value'`."""

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
class Use:
    """`USE [catalog.]database` or `USE CATALOG name`."""

    name: str
    kind: Literal["DATABASE", "CATALOG"]
    span: Span


@dataclass(frozen=True, slots=True)
class SetTableOptions:
    """ALTER TABLE … SET (…): options added or replaced."""

    options: tuple[OptionValue, ...]


@dataclass(frozen=True, slots=True)
class ResetTableOptions:
    """ALTER TABLE … RESET (…): options removed."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddColumn:
    """ALTER TABLE … ADD COLUMN; `after` names a column, or is "" for FIRST, None for last."""

    column: Column
    after: str | None = None
    if_not_exists: bool = False


@dataclass(frozen=True, slots=True)
class ModifyColumn:
    """ALTER TABLE … MODIFY COLUMN: the column of the same name becomes this one."""

    column: Column
    after: str | None = None
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class DropColumn:
    """ALTER TABLE … DROP COLUMN."""

    name: str
    span: Span | None
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class RenameColumn:
    """ALTER TABLE … RENAME old TO new."""

    old: str
    new: str
    span: Span | None
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class SetWatermark:
    """ALTER TABLE … ADD or MODIFY WATERMARK; None drops it."""

    watermark: Watermark | None


@dataclass(frozen=True, slots=True)
class SetPrimaryKey:
    """ALTER TABLE … ADD or MODIFY PRIMARY KEY; an empty one drops it."""

    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RenameTo:
    """ALTER TABLE or ALTER VIEW … RENAME TO name."""

    name: str


Action: TypeAlias = (
    SetTableOptions
    | ResetTableOptions
    | AddColumn
    | ModifyColumn
    | DropColumn
    | RenameColumn
    | SetWatermark
    | SetPrimaryKey
    | RenameTo
)


@dataclass(frozen=True, slots=True)
class AlterTable:
    """`ALTER TABLE name action, …`, one action after the other."""

    name: str
    actions: tuple[Action, ...]
    if_exists: bool
    span: Span


@dataclass(frozen=True, slots=True)
class AlterView:
    """`ALTER VIEW name RENAME TO other` (`rename`) or `ALTER VIEW name AS query`."""

    name: str
    query: exp.Query | None
    rename: str
    span: Span


@dataclass(frozen=True, slots=True)
class Show:
    """`SHOW what [FROM of] [LIKE pattern]`; `what` is upper case: TABLES, CREATE TABLE, COLUMNS."""

    what: str
    of: str
    span: Span
    like: str | None = None
    negated: bool = False


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
    """A statement that could not be read; the script goes on behind it."""

    error: PenstockError


Statement: TypeAlias = (
    CreateTable
    | CreateView
    | CreateDatabase
    | AlterTable
    | AlterView
    | Drop
    | DropDatabase
    | Use
    | Insert
    | Select
    | Show
    | Describe
    | Explain
    | SetOption
    | ResetOption
    | Mistake
)


@dataclass(frozen=True, slots=True)
class Script:
    """What was read: its statements in order, the dialect they were read in, and why that one."""

    statements: tuple[Statement, ...]
    dialect: str
    reason: str
