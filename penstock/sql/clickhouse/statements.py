"""The statements that only ClickHouse has; the others are in `sql.statements`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from penstock.sql.statements import CreateTable, CreateView

if TYPE_CHECKING:
    from sqlglot import exp

    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.model.table import Table
    from penstock.sql.statements import Describe, Show, Statement

Kind = Literal["TABLE", "VIEW", "DATABASE", "DICTIONARY"]


@dataclass(frozen=True, slots=True)
class CreateTableAs:
    """`CREATE TABLE table [(columns)] ENGINE = … AS source` or `… [EMPTY] AS query`.

    `table` has no columns where the other one's, or the query's, are taken; no options where
    the other one's engine is taken too.
    """

    table: Table
    source: str
    query: exp.Query | None
    text: str
    if_not_exists: bool
    span: Span
    empty: bool = False


@dataclass(frozen=True, slots=True)
class CreateMaterializedView:
    """`CREATE MATERIALIZED VIEW name TO target AS query`, or with a table of its own.

    `written` is the query as it was written.
    """

    name: str
    target: str
    table: Table | None
    query: exp.Query
    written: str
    populate: bool
    text: str
    if_not_exists: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Replace:
    """`CREATE OR REPLACE …`: what it creates takes the place of what has its name.

    With `must_exist`, for `REPLACE TABLE …`, something must have it.
    """

    made: CreateTable | CreateTableAs | CreateView | CreateMaterializedView
    must_exist: bool
    span: Span

    @property
    def name(self) -> str:
        """The name of what is replaced."""
        own = isinstance(self.made, CreateTable | CreateTableAs)
        return self.made.table.name if own else self.made.name  # type: ignore[union-attr]


@dataclass(frozen=True, slots=True)
class Detach:
    """`DETACH TABLE name`: what reads from it stops."""

    name: str
    if_exists: bool
    permanently: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Attach:
    """`ATTACH TABLE name`: what reads from it goes on."""

    name: str
    if_not_exists: bool
    span: Span


@dataclass(frozen=True, slots=True)
class RenameTables:
    """`RENAME TABLE a TO b, …`."""

    pairs: tuple[tuple[str, str], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Truncate:
    """`TRUNCATE TABLE name`."""

    name: str
    if_exists: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Partition:
    """`PARTITION value`, `PARTITION ID '…'`; with neither `PARTITION ALL`."""

    value: exp.Expr | None
    id: str
    span: Span


@dataclass(frozen=True, slots=True)
class DropPartition:
    """`ALTER TABLE name DROP PARTITION …`."""

    name: str
    partition: Partition
    span: Span


@dataclass(frozen=True, slots=True)
class Mutation:
    """`DELETE [IN PARTITION …] WHERE …`; with `values`, `UPDATE column = value, … WHERE …`."""

    where: exp.Expr
    values: tuple[tuple[str, exp.Expr, Span], ...]
    partition: Partition | None


@dataclass(frozen=True, slots=True)
class Mutate:
    """`ALTER TABLE name UPDATE …, DELETE …`, or `DELETE FROM name …`."""

    name: str
    mutations: tuple[Mutation, ...]
    span: Span
    settings: tuple[OptionValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Optimize:
    """`OPTIMIZE TABLE name [PARTITION …] [FINAL]`."""

    name: str
    final: bool
    span: Span
    partition: Partition | None = None


@dataclass(frozen=True, slots=True)
class System:
    """`SYSTEM STOP name` and its kind; `name` is empty for ALL BACKGROUND."""

    verb: Literal["STOP", "START", "PAUSE", "CANCEL", "REFRESH"]
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Exists:
    """`EXISTS TABLE name`."""

    kind: Kind
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Formatted:
    """SHOW, DESCRIBE or EXISTS, with a FORMAT behind it."""

    statement: Show | Describe | Exists
    format: str
    span: Span


@dataclass(frozen=True, slots=True)
class InsertRows:
    """`INSERT INTO table VALUES …` or `… FORMAT name data`; `data` is what the script wrote.

    Behind VALUES it begins at `data_span`.
    """

    table: str
    columns: tuple[str, ...]
    format: str
    data: str
    text: str
    span: Span
    settings: tuple[OptionValue, ...] = ()
    data_span: Span | None = None


@dataclass(frozen=True, slots=True)
class SetSettings:
    """`SET a = 1, b = 'x'`."""

    values: tuple[OptionValue, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class CreateCollection:
    """`CREATE NAMED COLLECTION name AS …`; what is `fixed` is NOT OVERRIDABLE."""

    name: str
    values: tuple[OptionValue, ...]
    fixed: tuple[str, ...]
    text: str
    if_not_exists: bool
    span: Span


@dataclass(frozen=True, slots=True)
class AlterCollection:
    """`ALTER NAMED COLLECTION name SET … DELETE …`."""

    name: str
    values: tuple[OptionValue, ...]
    fixed: tuple[str, ...]
    deleted: tuple[str, ...]
    if_exists: bool
    span: Span


@dataclass(frozen=True, slots=True)
class DropCollection:
    """`DROP NAMED COLLECTION name`."""

    name: str
    if_exists: bool
    span: Span


def made_by(statement: Statement) -> Statement:
    """The statement that creates, be it in the place of what is there."""
    return statement.made if isinstance(statement, Replace) else statement


AnyStatement: TypeAlias = (
    "Statement | CreateTableAs | CreateMaterializedView | Detach | Attach | RenameTables | "
    "Truncate | Optimize | System | Exists | InsertRows | SetSettings | CreateCollection | "
    "AlterCollection | DropCollection | DropPartition | Mutate | Formatted | Replace"
)
