"""What a script says, statement by statement: the output of `sql.parse`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from sqlglot import exp

    from penstock.model.span import Span
    from penstock.model.table import Table


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


Statement: TypeAlias = CreateTable | CreateView | Drop | Insert | SetOption | ResetOption
