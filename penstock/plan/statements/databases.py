"""Catalogs, databases and USE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.plan.planning import Planning
    from penstock.sql.statements import AlterDatabase, CreateDatabase, DropDatabase, Use

_IN_MEMORY = "generic_in_memory"
_FIRST_DATABASE = "default"


def create_database(planning: Planning, statement: CreateDatabase) -> None:
    """A database, or a catalog in memory."""
    space, span = planning.catalog.namespace, statement.span
    if statement.kind == "CATALOG":
        options = {option.key: option.value for option in statement.options}
        kind = options.get("type", "")
        if kind != _IN_MEMORY:
            raise _invalid(
                span,
                f"Catalog `{statement.name}` has the type '{kind}', which does not exist here.",
                f"Only '{_IN_MEMORY}' does; declare the tables in the script.",
            )
        if statement.name not in space.databases:
            first = options.get("default-database", _FIRST_DATABASE)
            space.databases[statement.name] = [first]
            space.defaults[statement.name] = first
        elif not statement.if_not_exists:
            raise _invalid(span, f"Catalog `{statement.name}` exists already.", "")
        return
    catalog, database = space.database_of(statement.name, span)
    if catalog not in space.databases:
        raise space.unknown("catalog", catalog, span)
    if database not in space.databases[catalog]:
        space.databases[catalog].append(database)
    elif not statement.if_not_exists:
        raise _invalid(
            span, f"Database `{space.database_shown(catalog, database)}` exists already.", ""
        )


def drop_database(planning: Planning, statement: DropDatabase) -> None:
    """Forget a database or catalog with all that is in it."""
    space, span = planning.catalog.namespace, statement.span
    if statement.kind == "CATALOG":
        _drop_catalog(planning, statement)
        return
    catalog, database = space.database_of(statement.name, span)
    if database not in space.databases.get(catalog, []):
        if statement.if_exists:
            return
        space.require(catalog, database, span)
    if (catalog, database) == (space.catalog, space.database):
        shown = space.database_shown(catalog, database)
        raise _invalid(span, f"Database `{shown}` is in use.", "USE another one first.")
    paths = planning.catalog.entries
    if not statement.cascade and any((p.catalog, p.database) == (catalog, database) for p in paths):
        advice = "Drop its tables first, or write CASCADE."
        raise _invalid(span, f"Database `{database}` is not empty.", advice)
    space.databases[catalog].remove(database)
    planning.catalog.drop_database(catalog, database)


def _drop_catalog(planning: Planning, statement: DropDatabase) -> None:
    space, name = planning.catalog.namespace, statement.name
    if name not in space.databases:
        if statement.if_exists:
            return
        raise space.unknown("catalog", name, statement.span)
    if name == space.catalog:
        raise _invalid(statement.span, f"Catalog `{name}` is in use.", "USE another one first.")
    del space.databases[name]
    planning.catalog.drop_database(name, None)


def alter_database(planning: Planning, statement: AlterDatabase) -> None:
    """Nothing of a database can be set that would change anything."""
    space = planning.catalog.namespace
    space.require(*space.database_of(statement.name, statement.span), statement.span)
    planning.note("ALTER DATABASE has no effect here", statement.span)


def use(planning: Planning, statement: Use) -> None:
    """Names without a database mean this one from here on."""
    space, span = planning.catalog.namespace, statement.span
    if statement.kind == "CATALOG":
        if statement.name not in space.databases:
            raise space.unknown("catalog", statement.name, span)
        space.catalog = statement.name
        space.database = space.defaults[statement.name]
        return
    catalog, database = space.database_of(statement.name, span)
    space.require(catalog, database, span)
    space.catalog, space.database = catalog, database


def _invalid(span: Span, problem: str, instead: str) -> PlanError:
    return PlanError("INVALID_DATABASE", span=span, problem=problem, instead=instead)
