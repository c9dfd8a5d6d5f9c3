"""ALTER TABLE: one action after the other on a declared table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from penstock.errors import PlanError
from penstock.sql.actions import (
    AddColumn,
    CommentColumn,
    DropColumn,
    ModifyColumn,
    RenameColumn,
    ResetTableOptions,
    SetPrimaryKey,
    SetTableOptions,
    SetWatermark,
    StripColumn,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.span import Span
    from penstock.model.table import Column, Table
    from penstock.sql.actions import Action


def alter(table: Table, action: Action) -> Table:
    """The table as it is after the action."""
    changed: Table = _ACTIONS[type(action)](table, action)
    return changed


def _set_options(table: Table, action: SetTableOptions) -> Table:
    options = {option.key: option for option in (*table.options, *action.options)}
    return replace(table, options=tuple(options.values()))


def _reset_options(table: Table, action: ResetTableOptions) -> Table:
    if "connector" in action.keys:
        raise _refused(table, "RESET does not take 'connector'.", table.span)
    kept = tuple(option for option in table.options if option.key not in action.keys)
    return replace(table, options=kept)


def _add(table: Table, action: AddColumn) -> Table:
    if _position(table, action.column.name) is not None:
        problem = f"The column `{action.column.name}` is there already."
        raise _refused(table, problem, action.column.span)
    columns = list(table.columns)
    columns.insert(_place(table, columns, action), action.column)
    return replace(table, columns=tuple(columns))


def _modify(table: Table, action: ModifyColumn) -> Table:
    position = _existing(table, action.column.name, action.column.span)
    columns = list(table.columns)
    if action.after is None:
        columns[position] = action.column
    else:
        del columns[position]
        columns.insert(_place(table, columns, action), action.column)
    return replace(table, columns=tuple(columns))


def _strip(table: Table, action: StripColumn) -> Table:
    position = _existing(table, action.name, action.span)
    columns = list(table.columns)
    columns[position] = replace(columns[position], **_STRIPPED[action.what])
    return replace(table, columns=tuple(columns))


def _comment(table: Table, action: CommentColumn) -> Table:
    position = _existing(table, action.name, action.span)
    columns = list(table.columns)
    columns[position] = replace(columns[position], comment=action.comment)
    return replace(table, columns=tuple(columns))


def _place(table: Table, columns: list[Column], action: AddColumn | ModifyColumn) -> int:
    if action.after is None:
        return len(columns)
    if not action.after:
        return 0
    names = [column.name for column in columns]
    if action.after not in names:
        raise _unknown(table, action.after, action.column.span)
    return names.index(action.after) + 1


def _drop(table: Table, action: DropColumn) -> Table:
    position = _existing(table, action.name, action.span)
    _refuse_use(table, action.name, action.span, key=True)
    kept = (*table.columns[:position], *table.columns[position + 1 :])
    return replace(table, columns=kept)


def _rename(table: Table, action: RenameColumn) -> Table:
    position = _existing(table, action.old, action.span)
    _refuse_use(table, action.old, action.span, key=False)
    if _position(table, action.new) is not None:
        raise _refused(table, f"The column `{action.new}` is there already.", action.span)
    columns = list(table.columns)
    columns[position] = replace(columns[position], name=action.new)
    key = tuple(action.new if name == action.old else name for name in table.primary_key)
    return replace(table, columns=tuple(columns), primary_key=key)


def _set_watermark(table: Table, action: SetWatermark) -> Table:
    _check_presence(table, "watermark", table.watermark, action)
    return replace(table, watermark=action.watermark)


def _set_key(table: Table, action: SetPrimaryKey) -> Table:
    _check_presence(table, "primary key", table.primary_key, action)
    return replace(table, primary_key=action.columns, key_span=action.span)


def _check_presence(
    table: Table, what: str, present: object, action: SetWatermark | SetPrimaryKey
) -> None:
    if action.must_exist and not present:
        raise _refused(table, f"The table has no {what}; ADD one.", action.span)
    if not action.must_exist and present:
        raise _refused(table, f"The table has a {what} already; DROP or MODIFY it.", action.span)


def _refuse_use(table: Table, name: str, span: Span | None, *, key: bool) -> None:
    """A column that others are made of stays what it is."""
    for column in table.columns:
        if column.expression is not None and _uses(column.expression, name):
            problem = f"The column `{name}` is used by the computed column `{column.name}`."
            raise _refused(table, problem, span)
    watermark = table.watermark
    if watermark and (watermark.column == name or _uses(watermark.expression, name)):
        raise _refused(table, f"The column `{name}` is used by the watermark.", span)
    if name in table.partitioned_by:
        raise _refused(table, f"The column `{name}` is one of the partition keys.", span)
    if key and name in table.primary_key:
        raise _refused(table, f"The column `{name}` is part of the primary key.", span)


def _uses(expression: exp.Expr, name: str) -> bool:
    return any(column.name == name for column in expression.find_all(exp.Column))


def _position(table: Table, name: str) -> int | None:
    names = [column.name for column in table.columns]
    return names.index(name) if name in names else None


def _existing(table: Table, name: str, span: Span | None) -> int:
    position = _position(table, name)
    if position is None:
        raise _unknown(table, name, span)
    return position


def _unknown(table: Table, name: str, span: Span | None) -> PlanError:
    known = ", ".join(column.name for column in table.columns)
    return PlanError("UNKNOWN_COLUMN", span=span, column=name, did_you_mean="", known=known)


def _refused(table: Table, problem: str, span: Span | None) -> PlanError:
    return PlanError("INVALID_ALTER", span=span, table=table.name, problem=problem)


_STRIPPED: dict[str, dict[str, Any]] = {
    "COMMENT": {"comment": ""},
    "DEFAULT": {"default": None, "default_kind": ""},
    "TTL": {"ttl": None},
}
_ACTIONS: dict[type, Callable[..., Table]] = {
    AddColumn: _add,
    CommentColumn: _comment,
    DropColumn: _drop,
    ModifyColumn: _modify,
    RenameColumn: _rename,
    ResetTableOptions: _reset_options,
    SetPrimaryKey: _set_key,
    SetTableOptions: _set_options,
    SetWatermark: _set_watermark,
    StripColumn: _strip,
}
