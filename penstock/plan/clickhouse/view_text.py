"""A view as the statement that makes it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.catalog.paths import DEFAULT_DATABASE
from penstock.sql.clickhouse.quoting import back_quoted, full_name
from penstock.sql.clickhouse.render import create_text
from penstock.sql.names import joined, parts_of
from penstock.sql.statements import CreateView

if TYPE_CHECKING:
    from penstock.plan.planning import Planning
    from penstock.sql.clickhouse.statements import CreateMaterializedView


def shown_text(planning: Planning, view: CreateMaterializedView) -> str:
    """The statement without passwords, which only a table of the view's own can have."""
    return view.text if view.table is None else view_text(planning, view, secrets=False)


def view_text(planning: Planning, view: CreateMaterializedView, *, secrets: bool) -> str:
    """The statement of its parts; short names in the query are of the database it is kept with."""
    name = name_in(planning, view.name, view.name)
    if view.table is None:
        target = name_in(planning, view.name, view.target)
        made, filled = full_name(name), full_name(target)
        return f"CREATE MATERIALIZED VIEW {made} TO {filled} AS {view.written}"
    with planning.catalog.namespace.using():
        entry = planning.catalog.entry(planning.catalog.path(view.name))
    # Its table may have been altered since.
    table = view.table if entry is None or isinstance(entry, CreateView) else entry.table
    text = create_text(replace(table, name=name), secrets=secrets)
    return f"{text.replace('TABLE', 'MATERIALIZED VIEW', 1)}\nAS {view.written}"


def plain_text(view: CreateView, name: str) -> str:
    """The statement of one that is only a query under a name."""
    columns = ", ".join(map(back_quoted, view.columns))
    return f"CREATE VIEW {full_name(name)}{f' ({columns})' if columns else ''} AS {view.text}"


def name_in(planning: Planning, view: str, name: str) -> str:
    """A full name in the statement of a view, which is read in the database it is kept with."""
    kept = planning.kept.databases.get(view, DEFAULT_DATABASE)
    parts = parts_of(name)
    return name if kept == DEFAULT_DATABASE or len(parts) > 1 else joined(("default", *parts))
