"""What a script knows at one point, as rows: databases, tables and views, their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.catalog.paths import DEFAULT_CATALOG, DEFAULT_DATABASE
from penstock.errors import PenstockError
from penstock.plan.build import build
from penstock.plan.clickhouse.rewrite import rewrite
from penstock.plan.clickhouse.view_text import plain_text, shown_text
from penstock.plan.walk import scans
from penstock.sql.clickhouse.key_parts import columns_of, inner_text
from penstock.sql.clickhouse.render import create_text, engine_text, expression_text
from penstock.sql.clickhouse.types import type_name
from penstock.sql.statements import CreateView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.catalog.paths import Path
    from penstock.connectors.base import Connector
    from penstock.model.table import Column, Table
    from penstock.plan.planning import Planning
    from penstock.plan.scope import Field

    Row = dict[str, object]

_NO_UUID = "00000000-0000-0000-0000-000000000000"
_KEYS = {
    "partition_key": "partition_by",
    "sorting_key": "order_by",
    "primary_key": "primary_key",
    "sampling_key": "sample_by",
}


def database_rows(planning: Planning) -> list[Row]:
    """Every database."""
    names = planning.catalog.namespace.databases[DEFAULT_CATALOG]
    shown = ["default" if name == DEFAULT_DATABASE else name for name in names]
    return [{"name": name, "engine": "Atomic", "comment": ""} for name in [*shown, "system"]]


def table_rows(planning: Planning) -> list[Row]:
    """Every table, view and materialized view that is not detached."""
    entries = [(p, e) for p, e in _entries(planning) if p.shown not in planning.views]
    rows = [_table_row(planning, path, entry) for path, entry in entries]
    for name, view in planning.views.items():
        if name in planning.catalog.detached:
            continue
        with planning.catalog.namespace.using():
            path = planning.catalog.path(name)
        row = _row(path, "MaterializedView", shown_text(planning, view))
        rows.append({**row, "as_select": view.written})
    known = {*planning.views, *planning.catalog.names, *planning.catalog.detached}
    unusable = planning.catalog.unusable.keys() - known
    return [*rows, *(_row(planning.catalog.path(name), "", "") for name in sorted(unusable))]


def column_rows(planning: Planning) -> list[Row]:
    """Every column of every table and view."""
    found = [*_entries(planning), *_filled(planning)]
    with planning.catalog.namespace.using():
        return [row for path, entry in found for row in _columns(planning, path, entry)]


def _filled(planning: Planning) -> Iterator[tuple[Path, CreateView]]:
    """Materialized views that fill tables of other names, by what they show of these."""
    with planning.catalog.namespace.using():
        for name, view in planning.catalog.filled.items():
            if name not in planning.catalog.detached:
                yield planning.catalog.path(name), view


def _entries(planning: Planning) -> Iterator[tuple[Path, Connector | CreateView]]:
    for path, entry in planning.catalog.entries.items():
        if path.shown not in planning.catalog.detached:
            yield path, entry


def _row(path: Path, engine: str, text: str) -> Row:
    database = "default" if path.database == DEFAULT_DATABASE else path.database
    texts = ("engine_full", "as_select", *_KEYS, "comment")
    lists = ("data_paths", "dependencies_database", "dependencies_table")
    return {
        "database": database,
        "name": path.name,
        "uuid": _NO_UUID,
        "engine": engine,
        "is_temporary": 0,
        "create_table_query": " ".join(text.split()),
        **dict.fromkeys(texts, ""),
        **{name: [] for name in lists},
    }


def _table_row(planning: Planning, path: Path, entry: Connector | CreateView) -> Row:
    if isinstance(entry, CreateView):
        return {**_row(path, "View", plain_text(entry, path.shown)), "as_select": entry.text}
    table = entry.table
    engine = table.option("engine") or "Memory"
    keys = {key: inner_text(table.option(option) or "") for key, option in _KEYS.items()}
    keys["primary_key"] = keys["primary_key"] or keys["sorting_key"]
    with planning.catalog.namespace.using():
        readers = [
            planning.catalog.path(query.id)
            for query in planning.queries
            if query.id in planning.views and table.name in {s.table for s in scans(query.input)}
        ]
    databases = ["default" if p.database == DEFAULT_DATABASE else p.database for p in readers]
    return {
        **_row(path, engine, create_text(table)),
        **keys,
        "comment": table.comment,
        "engine_full": engine_text(table),
        "data_paths": list(entry.folders) if entry.AT_REST else [],
        "dependencies_database": databases,
        "dependencies_table": [p.name for p in readers],
    }


def _columns(planning: Planning, path: Path, entry: Connector | CreateView) -> list[Row]:
    place = {k: v for k, v in _row(path, "", "").items() if k == "database"} | {"table": path.name}
    if isinstance(entry, CreateView):
        named = [(field.name, type_name(field.type)) for field in _fields(planning, path, entry)]
        return [_column(name, type_, at) | place for at, (name, type_) in enumerate(named, 1)]
    shown = [column for column in entry.table.columns if column.kind != "metadata"]
    return [_table_column(entry.table, one, at) | place for at, one in enumerate(shown, 1)]


def _fields(planning: Planning, path: Path, entry: CreateView) -> tuple[Field, ...]:
    """What a view shows; one that waits for its table what its query gives."""
    catalog, view = planning.catalog, planning.views.get(path.shown)
    try:
        return build(entry.query, catalog, planning.language).fields
    except PenstockError:
        if view is None:
            return ()
    try:
        return build(rewrite(view.query, catalog), catalog, planning.language).fields
    except PenstockError:
        return ()


def _column(name: str, type_: str, position: int) -> Row:
    texts = dict.fromkeys(("default_kind", "default_expression", "comment"), "")
    keys = dict.fromkeys((f"is_in_{key}" for key in _KEYS), 0)
    return {"name": name, "type": type_, "position": position, **texts, **keys}


def _table_column(table: Table, column: Column, position: int) -> Row:
    type_ = type_name(column.type) if column.type else ""
    keys = {key: columns_of(table.option(option) or "") for key, option in _KEYS.items()}
    keys["primary_key"] = keys["primary_key"] or keys["sorting_key"]
    return {
        **_column(column.name, type_, position),
        "default_kind": "ALIAS" if column.kind == "computed" else column.default_kind,
        "default_expression": expression_text(column),
        "comment": column.comment,
        **{f"is_in_{key}": int(column.name in found) for key, found in keys.items()},
    }
