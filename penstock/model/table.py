"""A table as the script declares it: columns, watermark, primary key and options.

Made by `sql.parse` inside `CreateTable`, read by every later stage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from sqlglot import exp

    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.model.types import DataType

ColumnKind = Literal["physical", "computed", "metadata"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `expression` belongs to computed ones, `metadata_key` to metadata ones.

    `default` is what ClickHouse's INSERT computes where none is given (DEFAULT) or always
    (MATERIALIZED); `*` passes over a `hidden` column. Rows that are older than a column that was
    `added` to a table at rest have no value of it, and from the time of its `ttl` on none has one.
    """

    name: str
    kind: ColumnKind
    type: DataType | None
    span: Span | None = None
    expression: exp.Expr | None = None
    metadata_key: str = ""
    virtual: bool = False
    comment: str = ""
    default: exp.Expr | None = None
    default_kind: Literal["", "DEFAULT", "MATERIALIZED", "EPHEMERAL"] = ""
    hidden: bool = False
    added: bool = False
    ttl: exp.Expr | None = None

    @property
    def persisted(self) -> bool:
        """Whether INSERT INTO writes it."""
        return self.kind == "physical" or (self.kind == "metadata" and not self.virtual)


@dataclass(frozen=True, slots=True)
class Watermark:
    """`WATERMARK FOR column AS expression`."""

    column: str
    expression: exp.Expr
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A declared table; `folder` is where a warehouse has its rows.

    `home` is the folder in which files that it names are looked for first.
    """

    name: str
    columns: tuple[Column, ...]
    options: tuple[OptionValue, ...] = ()
    watermark: Watermark | None = None
    primary_key: tuple[str, ...] = ()
    span: Span | None = None
    comment: str = ""
    partitioned_by: tuple[str, ...] = ()
    folder: str = ""
    home: str = ""
    key_span: Span | None = None

    def option(self, key: str) -> str | None:
        """The raw value of one option."""
        return next((option.value for option in self.options if option.key == key), None)

    @property
    def key_place(self) -> Span | None:
        """Where its PRIMARY KEY stands, else where it does itself."""
        return self.key_span or self.span

    @property
    def physical(self) -> tuple[tuple[str, DataType], ...]:
        """Name and type of the columns that stand in the message itself."""
        return tuple((c.name, c.type) for c in self.columns if c.kind == "physical" and c.type)

    @property
    def sink_columns(self) -> tuple[Column, ...]:
        """The columns an INSERT fills, in declaration order."""
        return tuple(column for column in self.columns if column.persisted)
