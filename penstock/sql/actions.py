"""What ALTER TABLE does, action by action: the parts of `statements.AlterTable`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.model.table import Column, Watermark


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
class StripColumn:
    """ALTER TABLE … MODIFY COLUMN name REMOVE what."""

    name: str
    what: Literal["COMMENT", "DEFAULT", "TTL"]
    span: Span | None


@dataclass(frozen=True, slots=True)
class CommentColumn:
    """ALTER TABLE … COMMENT COLUMN name 'text'."""

    name: str
    comment: str
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
    span: Span | None
    must_exist: bool = False


@dataclass(frozen=True, slots=True)
class SetPrimaryKey:
    """ALTER TABLE … ADD or MODIFY PRIMARY KEY; an empty one drops it."""

    columns: tuple[str, ...]
    span: Span | None
    must_exist: bool = False


@dataclass(frozen=True, slots=True)
class RenameTo:
    """ALTER TABLE or ALTER VIEW … RENAME TO name."""

    name: str
    span: Span | None


Action: TypeAlias = (
    SetTableOptions
    | ResetTableOptions
    | AddColumn
    | ModifyColumn
    | DropColumn
    | RenameColumn
    | StripColumn
    | CommentColumn
    | SetWatermark
    | SetPrimaryKey
    | RenameTo
)
