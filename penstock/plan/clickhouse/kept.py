"""What a warehouse keeps ↔ the state of a script: definitions are loaded before its first statement
and taken down after each.

A script may declare again what it declared in an earlier run: what is there stays as it is.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from penstock.catalog.definitions import Definition, Definitions
from penstock.catalog.paths import DEFAULT_CATALOG, DEFAULT_DATABASE
from penstock.catalog.warehouse import DEFAULT_NAME, Warehouse
from penstock.errors import PenstockError, PlanError, SqlError
from penstock.plan.clickhouse.collections import (
    collection_name,
    create_collection,
    name_of_collection,
)
from penstock.plan.clickhouse.macros import with_macros
from penstock.plan.clickhouse.refusals import invalid
from penstock.plan.clickhouse.rewrite import rewrite, with_databases
from penstock.plan.clickhouse.view_text import name_in, plain_text
from penstock.plan.clickhouse.views import qualified, refresh
from penstock.plan.settings import STATE_DIR, WAREHOUSE
from penstock.sql.clickhouse.grammar import statements
from penstock.sql.clickhouse.render import create_text
from penstock.sql.clickhouse.statements import (
    CreateCollection,
    CreateMaterializedView,
    CreateTableAs,
)
from penstock.sql.statements import (
    CreateDatabase,
    CreateTable,
    CreateView,
    Mistake,
    Note,
    SetOption,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.connectors.base import Connector
    from penstock.plan.planning import Planning
    from penstock.sql.statements import Script, Statement

    _Kept = CreateCollection | CreateTable | CreateView | CreateMaterializedView

_COLLECTION: Literal["named collection"] = "named collection"
_CREATED = (CreateCollection, CreateTable, CreateTableAs, CreateView, CreateMaterializedView)


def warehouse_of(
    script: Script, settings: Mapping[str, str], default: str | None
) -> Warehouse | None:
    """The warehouse of a script: where its settings say, else in its state folder."""
    said = {s.key: s.value for s in script.statements if isinstance(s, SetOption)} | {**settings}
    if WAREHOUSE in said:
        return Warehouse(Path(said[WAREHOUSE]).absolute())
    if default and STATE_DIR in said:
        return Warehouse(Path(said[STATE_DIR]).absolute() / DEFAULT_NAME)
    return Warehouse(Path(default)) if default else None


def load(planning: Planning, warehouse: Warehouse, *, again: bool = False) -> None:
    """Everything that the warehouse knows, as if the script had said it.

    With `again` the script may declare the same once more.
    """
    found = warehouse.read()
    kept, catalog = planning.kept, planning.catalog
    kept.warehouse, kept.loaded = warehouse, found
    catalog.namespace.databases[DEFAULT_CATALOG].extend(found.databases)
    for one in found.objects:
        with catalog.namespace.using(one.database):
            _load_or_note(planning, one)
        if one.declared:
            kept.declared[one.name] = one.declared
        kept.databases[one.name] = one.database
        if again:
            kept.known.add(one.name)
    # Only now: a view may be of a table that is detached.
    catalog.detached.update(one.name for one in found.objects if one.detached)
    refresh(planning, loading=True)


def _load_or_note(planning: Planning, one: Definition) -> None:
    """What cannot be understood any more hinders nobody who does not need it, and can be dropped.

    A file that it names may be gone, for example, or another version have written it. It is kept as
    it was found.
    """
    try:
        _load(planning, one, _statement(one))
    except PenstockError as error:
        unusable, name = planning.catalog.unusable, one.name
        if one.kind == _COLLECTION:
            unusable, name = planning.kept.unusable, name_of_collection(name)
        unusable[name] = error.text


def _statement(one: Definition) -> _Kept:
    """What a definition says: all of it, or it cannot be used."""
    try:
        found = [said for said in statements(one.sql) if not isinstance(said, Note)]
    except SqlError as unclosed:
        found = [Mistake(unclosed)]
    match found:
        case [CreateCollection() | CreateTable() | CreateView() | CreateMaterializedView() as kept]:
            return kept
        case [Mistake(error)]:
            raise error
        case _:
            raise invalid("It is no definition.", None)


def _load(planning: Planning, one: Definition, statement: _Kept) -> None:
    if isinstance(statement, CreateCollection):
        create_collection(planning, statement)
    elif isinstance(statement, CreateTable):
        columns = tuple(replace(c, added=c.name in one.added) for c in statement.table.columns)
        table = replace(statement.table, columns=columns, folder=one.folder, home=one.home)
        planning.catalog.create_table(table)
    elif isinstance(statement, CreateMaterializedView):
        planning.views[one.name] = qualified(planning, statement)
    else:
        try:
            query = rewrite(statement.query, planning.catalog)
        except PenstockError:
            # One of its tables was dropped: whoever uses it is told.
            query = with_databases(statement.query)
        planning.catalog.create_view(replace(statement, query=query))


def snapshot(planning: Planning) -> Definitions:
    """What the warehouse is to know at this point of the script."""
    catalog = planning.catalog
    databases = catalog.namespace.databases[DEFAULT_CATALOG]
    entries = {path.shown: entry for path, entry in catalog.entries.items()}
    tables = [
        _table(planning, name, entry)
        for name, entry in entries.items()
        if not isinstance(entry, CreateView)
    ]
    views = [
        _view(planning, name, entry)
        for name, entry in (*entries.items(), *planning.views.items())
        if isinstance(entry, CreateView | CreateMaterializedView)
    ]
    named = [
        Definition(
            collection_name(name),
            _COLLECTION,
            one.text(name),
            planning.kept.declared.get(collection_name(name), ""),
            DEFAULT_DATABASE,
        )
        for name, one in planning.collections.items()
    ]
    known = (*named, *tables, *_unusable(planning), *views)
    return Definitions(tuple(name for name in databases if name != DEFAULT_DATABASE), known)


def _unusable(planning: Planning) -> list[Definition]:
    """What could not be loaded stays as it was."""
    loaded, catalog = planning.kept.loaded, planning.catalog
    return [
        replace(one, detached=one.name in catalog.detached)
        for one in (loaded.objects if loaded else ())
        if _is_unusable(planning, one)
    ]


def _is_unusable(planning: Planning, one: Definition) -> bool:
    """Of a view with a table of its own, one may be of use without the other."""
    if one.kind == _COLLECTION:
        return name_of_collection(one.name) in planning.kept.unusable
    if one.kind == "materialized view":
        return one.name in planning.catalog.unusable and one.name not in planning.views
    return one.name in planning.catalog.unusable.keys() - {*planning.catalog.names}


def unusable_views(planning: Planning) -> dict[str, Definition]:
    """The materialized views that cannot be understood any more."""
    found = _unusable(planning)
    return {one.name: one for one in found if one.kind == "materialized view"}


def view_names(planning: Planning) -> frozenset[str]:
    """All materialized views, also those that are detached or cannot be understood any more."""
    return frozenset(planning.views) | unusable_views(planning).keys()


def names_of(planning: Planning) -> set[str]:
    """Everything that a script knows by a name."""
    return {
        *planning.catalog.names,
        *planning.catalog.unusable,
        *planning.views,
        *map(collection_name, (*planning.collections, *planning.kept.unusable)),
    }


def _table(planning: Planning, name: str, connector: Connector) -> Definition:
    table = connector.table
    return Definition(
        name,
        "table",
        create_text(table, secrets=True),
        "" if name in planning.views else planning.kept.declared.get(name, ""),
        DEFAULT_DATABASE,
        name in planning.catalog.detached,
        table.folder,
        tuple(column.name for column in table.columns if column.added),
        table.home,
    )


def _view(planning: Planning, name: str, view: CreateView | CreateMaterializedView) -> Definition:
    kept, text = planning.kept, view.text
    if isinstance(view, CreateView):
        text = plain_text(view, name_in(planning, name, name))
    return Definition(
        name,
        "view" if isinstance(view, CreateView) else "materialized view",
        text,
        kept.declared.get(name, ""),
        kept.databases.get(name, DEFAULT_DATABASE),
        name in planning.catalog.detached,
    )


def declared(planning: Planning, statement: Statement) -> tuple[str, str] | None:
    """The name of what a statement creates, and its declaration; None if it creates nothing."""
    if isinstance(statement, CreateTable):
        name = planning.catalog.path(statement.table.name).shown
        table = with_macros(planning, statement.table)
        return name, create_text(replace(table, name=name), secrets=True)
    if isinstance(statement, CreateCollection):
        return collection_name(statement.name), _plain(statement.text)
    if isinstance(statement, CreateTableAs):
        return planning.catalog.path(statement.table.name).shown, _plain(statement.text)
    if isinstance(statement, CreateView):
        name = planning.catalog.path(statement.name).shown
        return name, _plain(plain_text(statement, name))
    if isinstance(statement, CreateMaterializedView):
        return planning.catalog.path(statement.name).shown, _plain(statement.text)
    return None


def _plain(text: str) -> str:
    return " ".join(text.split())


def redeclared(planning: Planning, statement: Statement) -> Statement:
    """The statement; where it declares what an earlier run did, that may be there."""
    kept = planning.kept
    if isinstance(statement, CreateDatabase) and kept.known:
        return replace(statement, if_not_exists=True)
    if not isinstance(statement, _CREATED):
        return statement
    name, text = declared(planning, statement) or ("", "")
    if name not in kept.known or name not in names_of(planning):
        return statement
    if kept.warehouse and not statement.if_not_exists and kept.declared.get(name) != text:
        folder = kept.warehouse.path
        raise PlanError("DECLARED_OTHERWISE", span=statement.span, table=name, warehouse=folder)
    if name in planning.catalog.unusable:
        raise planning.catalog.unknown(planning.catalog.path(name), statement.span)
    kept.known.discard(name)
    return replace(statement, if_not_exists=True)
